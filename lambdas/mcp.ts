/** The Model Context Protocol: a function of its own, for its library is half as large again as all of REST. */
import { mcp } from '../adapters/http/endpoints/mcp.ts'
import { polledWait } from '../adapters/http/endpoints/wait.ts'
import { REST_ENDPOINTS } from '../adapters/http/endpoints.ts'
import { mcpOverHttp } from '../adapters/mcp/http.ts'
import manifest from '../package.json' with { type: 'json' }
import { serveHttpApi } from '../service/http-api.ts'

export const handler = await serveHttpApi([
  mcp([polledWait, ...REST_ENDPOINTS], async () => mcpOverHttp(manifest.version)),
])
