/** The REST endpoints. */
import { mcp } from '../adapters/http/endpoints/mcp.ts'
import { openApi } from '../adapters/http/endpoints/openapi.ts'
import { LIVE_ENDPOINTS, REST_ENDPOINTS } from '../adapters/http/endpoints.ts'
import { serveHttpApi } from '../service/http-api.ts'

// The document tells of the endpoints too that another origin or function of the same base URL serves.
const elsewhere = [...LIVE_ENDPOINTS, mcp([], () => Promise.reject(new Error('mcp.ts serves it')))]

export const handler = await serveHttpApi([openApi([...elsewhere, ...REST_ENDPOINTS]), ...REST_ENDPOINTS])
