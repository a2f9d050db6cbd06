import type { IncomingMessage } from 'node:http'
import { Activity } from '../adapters/http/activity.ts'
import { createApp, type RequestRecord } from '../adapters/http/app.ts'
import type { Endpoint } from '../adapters/http/endpoint.ts'
import { type ActivityService, inboxActivity } from '../adapters/http/endpoints/activity.ts'
import { mcp } from '../adapters/http/endpoints/mcp.ts'
import { openApi } from '../adapters/http/endpoints/openapi.ts'
import { type TestMailService, testMail } from '../adapters/http/endpoints/test-mail.ts'
import { LIVE_ENDPOINTS, REST_ENDPOINTS } from '../adapters/http/endpoints.ts'
import type { NodeBindings } from '../adapters/http/head.ts'
import { type HttpListener, listenHttp } from '../adapters/http/node-server.ts'
import { type OriginPolicy, originPolicyOf } from '../adapters/http/origin-policy.ts'
import { loadPages } from '../adapters/http/pages.ts'
import type { RequestScheduler } from '../adapters/http/request-scheduler.ts'
import type { LiveService } from '../adapters/http/service.ts'
import { streamRequests } from '../adapters/http/stream-requests.ts'
import { loadMcp } from '../service/mcp.ts'
import type { Config } from './config.ts'
import { isLoopbackHost } from './config-values.ts'
import type { Logger } from './log.ts'
import type { SendApiRequests } from './send-apis.ts'
import { SITE } from './site.ts'

type LocalHttpService = LiveService & TestMailService & ActivityService

interface HttpParts {
  config: Config
  log: Logger
  service: LiveService
  /** The same for streams. */
  streamService: LiveService
  /** Sends a test mail to an address. @throws Problem */
  sendTestMail: (address: string) => Promise<void>
  sendApis: SendApiRequests
  /** The client's IP address. */
  clientAddress: (incoming: IncomingMessage) => string
  scheduler: RequestScheduler
}

/** Serves the API, the streams, the send APIs and the pages. Rejects if the port is not free. */
export async function listenLocalHttp(parts: HttpParts): Promise<HttpListener> {
  const { config, log, streamService, scheduler } = parts
  const originPolicy = originPolicyOf({
    isLoopback: isLoopbackHost(config.host),
    origins: config.corsOrigins,
    names: [...config.domains.map(({ name }) => name), config.mxHost],
    baseUrl: config.baseUrl,
  })
  const streams = streamRequests({
    service: streamService,
    clientAddress: parts.clientAddress,
    answered: (record) => logRequest(log, record),
    originPolicy,
  })
  return listenHttp(await requestHandler(parts, originPolicy), {
    scheduler,
    host: config.host,
    port: config.httpPort,
    trusted: config.trustProxy,
    streams,
  })
}

async function requestHandler(parts: HttpParts, originPolicy: OriginPolicy) {
  const { config, log, sendTestMail, sendApis } = parts
  const isLoopback = isLoopbackHost(config.host)
  const activity = new Activity(() => Date.now())
  const app = createApp({
    service: { ...parts.service, sendTestMail, activity },
    endpoints: endpointsOn(isLoopback),
    clientAddress: (c) => parts.clientAddress((c.env as NodeBindings).incoming),
    answered: (record) => logRequest(log, record),
    originPolicy,
  })
  const pages = await loadPages(SITE)
  return (request: Request, env?: unknown): Response | Promise<Response> => {
    const isAllowedHost = originPolicy.allowsHost(request.headers.get('Host') ?? 'localhost')
    const page = isAllowedHost ? (pages.serve(request) ?? sendApis(request, env)) : undefined
    if (page !== undefined) return page
    const answered = app.fetch(request, env as object)
    const answer = isLoopback ? activity.track(request, answered) : answered
    return isAllowedHost ? pages.explain(request, answer) : answer
  }
}

function endpointsOn(isLoopback: boolean): Endpoint<LocalHttpService>[] {
  const rest = [...LIVE_ENDPOINTS, ...REST_ENDPOINTS]
  const endpoints: Endpoint<LocalHttpService>[] = [...rest, mcp(rest, loadMcp)]
  if (isLoopback) endpoints.push(testMail, inboxActivity)
  return [openApi(endpoints), ...endpoints]
}

function logRequest(log: Logger, { error, ms, ...record }: RequestRecord): void {
  if (record.status < 500 && !log.isLevelEnabled('debug')) return
  const fields = { ...record, ms: Math.round(ms * 10) / 10 }
  if (record.status >= 500) log.error({ ...fields, err: error }, 'request')
  else log.debug(fields, 'request')
}
