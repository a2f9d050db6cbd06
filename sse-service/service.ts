import type { IncomingMessage, ServerResponse } from 'node:http'
import { numberOf, readSettings } from '../adapters/aws/settings.ts'
import { type Caller, callerOf, knownCallerOf, refusal } from '../adapters/cloudfront/edge.ts'
import { POLL_MS } from '../adapters/dynamodb/stream-reader.ts'
import { createApp } from '../adapters/http/app.ts'
import { ByTurns } from '../adapters/http/by-turns.ts'
import { LIVE_ENDPOINTS } from '../adapters/http/endpoints.ts'
import { listenHttp } from '../adapters/http/node-server.ts'
import type { LiveService } from '../adapters/http/service.ts'
import { streamRequests } from '../adapters/http/stream-requests.ts'
import { Live } from '../core/events/live.ts'
import { rememberedDomains } from '../core/events/remembered-domains.ts'
import {
  joinService,
  joinWrongKeys,
  logFailed,
  OPTIONAL_SETTINGS,
  parsed,
  SERVICE_SETTINGS,
} from '../service/aws.ts'
import { log } from '../service/aws-log.ts'
import { openOriginSecret } from '../service/origin-secret.ts'
import { Health } from './health.ts'
import { type AwsLiveStore, openLiveStore } from './live-store.ts'
import { RememberingDomainService } from './remembering-domain-service.ts'
import { openValkeyStore } from './valkey-store.ts'

const REQUIRED = [...SERVICE_SETTINGS, 'originSecretArn', 'stackName'] as const
const OPTIONAL = [...OPTIONAL_SETTINGS, 'mailStreamArn', 'valkeyUrl', 'port', 'streamPollMs'] as const
const DEFAULT_PORT = '8080'
/** Longer than the load balancer keeps an idle connection (lib/sse-service.ts): it must be the one that closes it. */
const KEEP_ALIVE_MS = 130_000

/** While nobody follows: reads of the stream are the dearest thing about an idle service (docs/aws.md). */
const IDLE_POLL_MS = 1000

/**
 * A stream asks DynamoDB before it is open, so that 0.25 vCPU open 112 of them a second (docs/performance.md). CloudFront
 * waits a minute for the first byte (lib/edge.ts) and says 504 then, after which an EventSource never comes back.
 */
const RECONNECTS_PER_SECOND = 100

/** Bindings of a request: Node's own, which streams write to, and who asks. */
interface Bindings extends Caller {
  incoming: IncomingMessage
  outgoing: ServerResponse
}

export interface SseService {
  port: number
  /** Ends streams and requests; whatever is open after `graceMs` is cut off. */
  stop(graceMs: number): Promise<void>
}

/**
 * Resolves when it listens, and nothing that happens from then on can be missed.
 * @throws SettingsError; Error when the origin secret cannot be read
 */
export async function startSseService(env: Record<string, string | undefined>): Promise<SseService> {
  const settings = readSettings(env, REQUIRED, OPTIONAL)
  const port = numberOf('port', settings.port ?? DEFAULT_PORT, 0, 65_535)
  const pollMs = numberOf('streamPollMs', settings.streamPollMs ?? String(POLL_MS), 10, 10_000)
  const originSecret = await openOriginSecret(settings.originSecretArn)
  let live: Live | undefined
  const common = {
    ...settings,
    configured: parsed(settings).configured,
    follows: (domain: string) => live?.follows(domain) ?? false,
  }
  const store: AwsLiveStore =
    settings.valkeyUrl === undefined
      ? openLiveStore({
          ...common,
          mailStreamArn: readSettings(env, ['mailStreamArn']).mailStreamArn,
          report: ({ type, ...fields }) =>
            log(type === 'fault' ? 'warn' : 'error', `stream reader: ${type}`, fields),
          pollMs: () => (live?.count ? pollMs : Math.max(pollMs, IDLE_POLL_MS)),
        })
      : openValkeyStore({
          ...common,
          valkeyUrl: settings.valkeyUrl,
          followed: () => live?.followed() ?? new Set(),
          broken: () => live?.endAll(),
          report: ({ type, ...fields }) => log('warn', `Valkey: ${type}`, fields),
        })
  await store.changeFeed.start()
  const turns = new ByTurns()
  live = new Live(store.changeFeed, store.emails, Date.now, {
    reconnectsPerSecond: RECONNECTS_PER_SECOND,
    pause: (client) => turns.next(client),
  })
  const health = new Health({ reader: store.changeFeed, live, stackName: settings.stackName })
  const wrongKeys = joinWrongKeys(store)
  const service: LiveService = { ...joinService(settings, store, wrongKeys), live }
  const app = createApp({
    service,
    endpoints: LIVE_ENDPOINTS,
    clientAddress: (c) => (c.env as Bindings).address,
    answered: logFailed,
  })

  const fetch = async (request: Request, bindings: unknown) => {
    if (new URL(request.url).pathname === '/healthz') return health.answer()
    const caller = await callerOf((name) => request.headers.get(name) ?? undefined, originSecret)
    if (caller === undefined) return refusal(crypto.randomUUID())
    return app.fetch(request, { ...(bindings as object), ...caller } as Bindings)
  }
  const domains = store.hearing(rememberedDomains(store.domains, store.changeFeed, Date.now))
  const streams = streamRequests({
    service: {
      ...service,
      domainService: new RememberingDomainService(
        { domains, wrongKeys, clock: Date.now },
        service.domainService,
      ),
    },
    clientAddress: ({ headers }) =>
      knownCallerOf((name) => headers[name.toLowerCase()] as string | undefined, originSecret)?.address,
    answered: logFailed,
  })
  const http = await listenHttp(fetch, { host: '0.0.0.0', port, keepAliveMs: KEEP_ALIVE_MS, streams, turns })
  return {
    port: http.port,
    async stop(graceMs) {
      health.stop()
      const stopped = http.stop(graceMs)
      live?.stop()
      await stopped
      await store.changeFeed.stop()
    },
  }
}
