import { Hono } from 'hono'
import type { Provider, ProviderEnv, ProviderTools } from '../provider.ts'
import { handleQuery, queryRefusal } from './query-api.ts'
import { restRefusal, restRoutes } from './rest-api.ts'
import { SesService } from './service.ts'

/** Both versions of Amazon SES: v2 has paths below /v2, v1 sends every request to the base URL. */
export function ses(tools: ProviderTools): Provider {
  const service = new SesService(tools)
  const routes = new Hono<ProviderEnv>()
  routes.route('/', restRoutes(service))
  routes.post('/', (c) => handleQuery(service, c))
  return {
    routes,
    refusal: (error, requestId, path) =>
      path.startsWith('/v2/') ? restRefusal(error, requestId) : queryRefusal(error, requestId),
  }
}
