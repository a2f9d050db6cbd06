import type { IncomingMessage } from 'node:http'
import { Activity } from '../adapters/http/activity.ts'
import { createApp, type RequestRecord } from '../adapters/http/app.ts'
import type { Endpoint } from '../adapters/http/endpoint.ts'
import { type ActivityService, inboxActivity } from '../adapters/http/endpoints/activity.ts'
import { ALL_MAIL_ENDPOINTS, type AllMailService } from '../adapters/http/endpoints/all-mail.ts'
import { mcp } from '../adapters/http/endpoints/mcp.ts'
import { type MetricsService, metrics as metricsEndpoint } from '../adapters/http/endpoints/metrics.ts'
import { openApi } from '../adapters/http/endpoints/openapi.ts'
import { type TestMailService, testMail } from '../adapters/http/endpoints/test-mail.ts'
import { LIVE_ENDPOINTS, REST_ENDPOINTS } from '../adapters/http/endpoints.ts'
import type { NodeBindings } from '../adapters/http/head.ts'
import { type HttpListener, listenHttp } from '../adapters/http/node-server.ts'
import { type OriginPolicy, originPolicyOf } from '../adapters/http/origin-policy.ts'
import { loadPages } from '../adapters/http/pages.ts'
import type { RequestScheduler } from '../adapters/http/request-scheduler.ts'
import { basePathOf, type LiveService } from '../adapters/http/service.ts'
import { streamRequests } from '../adapters/http/stream-requests.ts'
import type { Metrics } from '../adapters/metrics/metrics.ts'
import { loadMcp } from '../service/mcp.ts'
import type { CatcherApiRequests } from './catcher-apis.ts'
import type { Config } from './config.ts'
import { isLoopbackHost, listenAddresses } from './config-values.ts'
import { type Logger, shownMs } from './log.ts'
import type { SendApiRequests } from './send-apis.ts'
import { SITE } from './site.ts'

type LocalHttpService = LiveService & TestMailService & ActivityService & AllMailService & MetricsService

interface HttpParts extends Pick<AllMailService, 'allMailbox' | 'refusals'> {
  config: Config
  log: Logger
  service: LiveService
  /** The same for streams. */
  streamService: LiveService
  /** Sends a test mail to an address. @throws Problem */
  sendTestMail: (address: string) => Promise<void>
  sendApis: SendApiRequests
  catcherApis: CatcherApiRequests
  metrics: Metrics
  /** The client's IP address. */
  clientAddress: (incoming: IncomingMessage) => string
  scheduler: RequestScheduler
}

/** Serves the API, the streams, the send APIs and the pages. Rejects if the port is not free. */
export async function listenLocalHttp(parts: HttpParts): Promise<HttpListener> {
  const { config, streamService, scheduler } = parts
  const originPolicy = originPolicyOf({
    origins: config.corsOrigins,
    names: [...config.domains.map(({ name }) => name), config.mxHost],
    baseUrl: config.baseUrl,
  })
  const streams = streamRequests({
    service: streamService,
    clientAddress: parts.clientAddress,
    answered: (record) => answered(parts, record),
    originPolicy,
  })
  return listenHttp(await requestHandler(parts, originPolicy), {
    scheduler,
    hosts: listenAddresses(config.host),
    port: config.httpPort,
    trusted: config.trustProxy,
    streams,
  })
}

async function requestHandler(parts: HttpParts, originPolicy: OriginPolicy) {
  const { config, sendTestMail, sendApis, catcherApis, allMailbox, refusals, metrics } = parts
  const isLoopback = isLoopbackHost(config.host)
  const activity = new Activity(() => Date.now())
  const service = { ...parts.service, sendTestMail, allMailbox, refusals, metrics }
  const app = createApp<LocalHttpService>({
    // Off loopback no endpoint needs the activity, and none may record it.
    service: { ...service, ...(isLoopback && { activity }) } as LocalHttpService,
    endpoints: endpointsOn(isLoopback),
    clientAddress: (c) => parts.clientAddress((c.env as NodeBindings).incoming),
    answered: (record) => answered(parts, record),
    originPolicy,
  })
  const pages = await loadPages({ ...SITE, basePath: basePathOf(config.baseUrl) })
  return (request: Request, env?: unknown): Response | Promise<Response> => {
    const isAllowedHost =
      originPolicy.allowsHost(request.headers.get('Host') ?? undefined) &&
      originPolicy.allowsHost(new URL(request.url).host)
    const page = isAllowedHost
      ? (pages.serve(request) ??
        sendApis(request, env, originPolicy) ??
        catcherApis(request, env, originPolicy))
      : undefined
    if (page !== undefined) {
      const count = ({ status }: Response) => metrics.answered(status)
      Promise.resolve(page).then(count, () => metrics.answered(500))
      return page
    }
    const answerOf = () => app.fetch(request, env as object)
    const answer = isLoopback ? activity.track(request, answerOf) : answerOf()
    return isAllowedHost ? pages.explain(request, answer) : answer
  }
}

function endpointsOn(isLoopback: boolean): Endpoint<LocalHttpService>[] {
  const rest = [...ALL_MAIL_ENDPOINTS, ...LIVE_ENDPOINTS, ...REST_ENDPOINTS]
  const endpoints: Endpoint<LocalHttpService>[] = [...rest, mcp(rest, loadMcp)]
  if (isLoopback) endpoints.push(testMail, inboxActivity)
  endpoints.push(metricsEndpoint)
  return [openApi(endpoints), ...endpoints]
}

function answered({ log, metrics }: Pick<HttpParts, 'log' | 'metrics'>, record: RequestRecord): void {
  metrics.answered(record.status)
  logRequest(log, record)
}

function logRequest(log: Logger, { error, ms, ...record }: RequestRecord): void {
  if (record.status < 500 && !log.isLevelEnabled('debug')) return
  const fields = { ...record, ms: shownMs(ms) }
  if (record.status >= 500) log.error({ ...fields, err: error }, 'request')
  else log.debug(fields, 'request')
}
