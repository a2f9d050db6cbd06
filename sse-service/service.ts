import { RENAMED_HEADERS } from '../adapters/aws/env.ts'
import { numberOf } from '../adapters/aws/settings.ts'
import { type Caller, callerOf, refusal } from '../adapters/cloudfront/edge.ts'
import type { OriginSecret } from '../adapters/cloudfront/origin-secret.ts'
import { createApp } from '../adapters/http/app.ts'
import { mcp } from '../adapters/http/endpoints/mcp.ts'
import { LIVE_ENDPOINTS, REST_ENDPOINTS } from '../adapters/http/endpoints.ts'
import type { NodeBindings } from '../adapters/http/head.ts'
import { listenHttp } from '../adapters/http/node-server.ts'
import { RequestScheduler } from '../adapters/http/request-scheduler.ts'
import type { LiveService } from '../adapters/http/service.ts'
import { type StreamRequests, streamRequests } from '../adapters/http/stream-requests.ts'
import { cachedDomains } from '../core/events/cached-domains.ts'
import { assembleAwsService, logFailed } from '../service/aws.ts'
import { loadMcp } from '../service/mcp.ts'
import { openOperatorKeys } from '../service/operator-keys.ts'
import { openOriginSecret } from '../service/origin-secret.ts'
import { listenAddress } from './address.ts'
import { CachedDomainService } from './cached-domain-service.ts'
import { Health } from './health.ts'
import { openStoreAndLive } from './open-store.ts'
import { readSseSettings } from './settings.ts'

const DEFAULT_PORT = '8080'
/**
 * Longer than the load balancer's idle time-out (lib/live/sse-service.ts): the load balancer must close
 * the connection.
 */
const KEEP_ALIVE_MS = 130_000

/** Bindings of a request: Node's objects, to which streams write, and the caller. */
type Bindings = Caller & NodeBindings

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
  const { service: rest, wrongKeys } = assembleAwsService(settings, store, operatorKeys)
  const service: LiveService = { ...rest, live }
  const cached = cachedDomains(store.domains, store.changeFeed, Date.now)
  const domainService = new CachedDomainService(
    { domains: cached, wrongKeys, clock: Date.now },
    service.domainService,
  )
  const http = await listenHttp(requestHandler(service, originSecret, health), {
    hosts: [address.host],
    port: address.port,
    keepAliveMs: KEEP_ALIVE_MS,
    streams: streamHandler({ ...service, domainService }, originSecret),
    scheduler,
  })
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

/** Handles the requests of CloudFront, and the load balancer's health checks. */
function requestHandler(service: LiveService, originSecret: OriginSecret, health: Health) {
  const app = createApp({
    service,
    // The tools of MCP wait as streams do, so that a wait occupies no Lambda function.
    endpoints: [...LIVE_ENDPOINTS, mcp<LiveService>([...LIVE_ENDPOINTS, ...REST_ENDPOINTS], loadMcp)],
    clientAddress: (c) => (c.env as Bindings).address,
    answered: logFailed,
  })
  return async (request: Request, bindings: unknown): Promise<Response> => {
    if (new URL(request.url).pathname === '/healthz') return health.answer()
    const caller = callerOf((name) => request.headers.get(name) ?? undefined, originSecret)
    if (caller === undefined) return refusal(crypto.randomUUID())
    return app.fetch(withOriginalHeaders(request), { ...(bindings as object), ...caller } as Bindings)
  }
}

function streamHandler(service: LiveService, originSecret: OriginSecret): StreamRequests {
  return streamRequests({
    service,
    clientAddress: ({ headers }) =>
      callerOf((name) => headers[name.toLowerCase()] as string | undefined, originSecret)?.address,
    answered: logFailed,
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
