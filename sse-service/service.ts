import type { IncomingMessage, ServerResponse } from 'node:http'
import { numberOf } from '../adapters/aws/settings.ts'
import { type Caller, callerOf, RENAMED_HEADERS, refusal } from '../adapters/cloudfront/edge.ts'
import { createApp } from '../adapters/http/app.ts'
import { mcp } from '../adapters/http/endpoints/mcp.ts'
import { LIVE_ENDPOINTS, REST_ENDPOINTS } from '../adapters/http/endpoints.ts'
import { listenHttp } from '../adapters/http/node-server.ts'
import { RequestScheduler } from '../adapters/http/request-scheduler.ts'
import type { LiveService } from '../adapters/http/service.ts'
import { streamRequests } from '../adapters/http/stream-requests.ts'
import { cachedDomains } from '../core/events/cached-domains.ts'
import manifest from '../package.json' with { type: 'json' }
import { assembleService, assembleWrongKeys, logFailed } from '../service/aws.ts'
import { openOperatorKeys } from '../service/operator-keys.ts'
import { openOriginSecret } from '../service/origin-secret.ts'
import { listenAddress } from './address.ts'
import { CachedDomainService } from './cached-domain-service.ts'
import { Health } from './health.ts'
import { openStoreAndLive } from './open-store.ts'
import { readSseSettings } from './settings.ts'

const DEFAULT_PORT = '8080'
/**
 * Longer than the load balancer's idle time-out (lib/sse-service.ts): the load balancer must close
 * the connection.
 */
const KEEP_ALIVE_MS = 130_000

/** Bindings of a request: Node's objects, to which streams write, and the caller. */
interface Bindings extends Caller {
  incoming: IncomingMessage
  outgoing: ServerResponse
}

export interface SseService {
  port: number
  /** Ends streams and requests; closes what is still open after `graceMs`. */
  stop(graceMs: number): Promise<void>
}

/**
 * Starts the service. It resolves when the service listens and misses no change from then on.
 * @throws SettingsError; Error if a secret cannot be read
 */
export async function startSseService(env: Record<string, string | undefined>): Promise<SseService> {
  const settings = readSseSettings(env)
  const address = listenAddress(env, numberOf('port', settings.port ?? DEFAULT_PORT, 0, 65_535))
  const [originSecret, operatorKeys] = await Promise.all([
    openOriginSecret(settings.originSecretArn),
    openOperatorKeys(settings.operatorKeysArn),
  ])
  const scheduler = new RequestScheduler()
  const { store, live } = await openStoreAndLive(settings, (client) => scheduler.next(client))
  const health = new Health({ reader: store.changeFeed, live, stackName: settings.stackName })
  const wrongKeys = assembleWrongKeys(store)
  const service: LiveService = { ...assembleService(settings, store, { wrongKeys, operatorKeys }), live }
  const app = createApp({
    service,
    endpoints: [...LIVE_ENDPOINTS, mcpEndpoint()],
    clientAddress: (c) => (c.env as Bindings).address,
    answered: logFailed,
  })

  const fetch = async (request: Request, bindings: unknown) => {
    if (new URL(request.url).pathname === '/healthz') return health.answer()
    const caller = callerOf((name) => request.headers.get(name) ?? undefined, originSecret)
    if (caller === undefined) return refusal(crypto.randomUUID())
    return app.fetch(withOriginalHeaders(request), { ...(bindings as object), ...caller } as Bindings)
  }
  const domains = store.subscribing(cachedDomains(store.domains, store.changeFeed, Date.now))
  const streams = streamRequests({
    service: {
      ...service,
      domainService: new CachedDomainService({ domains, wrongKeys, clock: Date.now }, service.domainService),
    },
    clientAddress: ({ headers }) =>
      callerOf((name) => headers[name.toLowerCase()] as string | undefined, originSecret)?.address,
    answered: logFailed,
  })
  const http = await listenHttp(fetch, { ...address, keepAliveMs: KEEP_ALIVE_MS, streams, scheduler })
  return {
    port: http.port,
    async stop(graceMs) {
      health.stop()
      const stopped = http.stop(graceMs)
      live.stop()
      await stopped
      await store.changeFeed.stop()
    },
  }
}

/**
 * The Model Context Protocol. Its tools wait as streams do, so that a wait occupies no Lambda
 * function.
 */
function mcpEndpoint() {
  return mcp<LiveService>([...LIVE_ENDPOINTS, ...REST_ENDPOINTS], async () => {
    const { mcpOverHttp } = await import('../adapters/mcp/http.ts')
    return mcpOverHttp(manifest.version)
  })
}

/** Returns the request with the headers that CloudFront forwards under another name. */
function withOriginalHeaders(request: Request): Request {
  const headers = new Headers(request.headers)
  let isChanged = false
  for (const [name, sentAs] of RENAMED_HEADERS) {
    const value = headers.get(sentAs)
    if (value === null) continue
    headers.set(name, value)
    isChanged = true
  }
  return isChanged ? new Request(request, { headers }) : request
}
