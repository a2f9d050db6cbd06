/** The REST endpoints, without the verification of domains. */

import { verifyDomain } from '../adapters/http/endpoints/domains.ts'
import { mcp } from '../adapters/http/endpoints/mcp.ts'
import { openApi } from '../adapters/http/endpoints/openapi.ts'
import { LIVE_ENDPOINTS, REST_ENDPOINTS } from '../adapters/http/endpoints.ts'
import { serveHttpApi } from '../service/http-api.ts'

// The API document describes the endpoints of other programs behind the same base URL too.
const elsewhere = [...LIVE_ENDPOINTS, mcp([], () => Promise.reject(new Error('sse-service/ serves it')))]

export const handler = await serveHttpApi([
  openApi([...elsewhere, ...REST_ENDPOINTS]),
  ...REST_ENDPOINTS.filter((endpoint) => endpoint !== verifyDomain),
])
