import { randomBytes } from 'node:crypto'
import { dnsResolver } from '../adapters/dns/resolver.ts'
import { Activity } from '../adapters/http/activity.ts'
import { createApp, type RequestRecord } from '../adapters/http/app.ts'
import { nodeClientAddress } from '../adapters/http/client-address.ts'
import type { Endpoint } from '../adapters/http/endpoint.ts'
import { type ActivityService, inboxActivity } from '../adapters/http/endpoints/activity.ts'
import { type McpHandler, mcp } from '../adapters/http/endpoints/mcp.ts'
import { openApi } from '../adapters/http/endpoints/openapi.ts'
import { type TestMailService, testMail } from '../adapters/http/endpoints/test-mail.ts'
import { LIVE_ENDPOINTS, REST_ENDPOINTS } from '../adapters/http/endpoints.ts'
import type { NodeBindings } from '../adapters/http/head.ts'
import { listenHttp } from '../adapters/http/node-server.ts'
import { originPolicyOf } from '../adapters/http/origin-policy.ts'
import { loadPages } from '../adapters/http/pages.ts'
import { RequestScheduler } from '../adapters/http/request-scheduler.ts'
import type { LiveService } from '../adapters/http/service.ts'
import { streamRequests } from '../adapters/http/stream-requests.ts'
import { ApiKeyService, OperatorKeys } from '../core/access/api-keys.ts'
import {
  CATCH_ALL,
  catchAllDomains,
  configurableDomains,
  registeredDomains,
} from '../core/access/catch-all.ts'
import { ClientRate } from '../core/access/client-rate.ts'
import { DomainService } from '../core/access/domain-service.ts'
import { PageSessions } from '../core/access/page-sessions.ts'
import type { MailProvider } from '../core/access/ports.ts'
import { Usernames } from '../core/access/usernames.ts'
import { DomainVerifier } from '../core/access/verifier.ts'
import { WrongKeys } from '../core/access/wrong-keys.ts'
import { cachedDomains } from '../core/events/cached-domains.ts'
import { Live } from '../core/events/live.ts'
import { Mailbox } from '../core/inbox/mailbox.ts'
import { DAY_MS, KEYLESS_REQUESTS_PER_MINUTE, SECOND_MS } from '../core/limits.ts'
import manifest from '../package.json' with { type: 'json' }
import type { Config } from './config.ts'
import { isLoopbackHost, isWildcard } from './config-values.ts'
import { type Ingest, openIngest } from './ingest.ts'
import type { Logger } from './log.ts'
import { sendApiRequests } from './send-apis.ts'
import { SITE } from './site.ts'
import { sendTestMail } from './test-mail.ts'
import { startWebhooks } from './webhooks.ts'

/**
 * Connections that are open this long after the stop began are closed; the contract allows 10 s in
 * total.
 */
const STOP_GRACE_MS = 5 * SECOND_MS

/** One machine accepts mail for every domain that points at it, so no provider confirms domains. */
const NO_PROVIDER: MailProvider = {
  claim: async () => ({ confirmed: true, records: [] }),
  release: async () => {},
}

export interface LocalService {
  /** Base URL. */
  http: string
  /**
   * A key of the operator, which has no limits; undefined if none is configured on a public host.
   */
  operatorKey: string | undefined
  /** `host:port`. */
  smtp: string
  /** Finishes accepted mail, ends the streams, and closes the store. */
  stop(): Promise<void>
}

/** Loaded by the first request, because it would take half of the start. */
async function loadMcp(): Promise<McpHandler> {
  const { mcpOverHttp } = await import('../adapters/mcp/http.ts')
  return mcpOverHttp(manifest.version)
}

/**
 * Assembles the one-machine service. Resolves when both listeners accept connections.
 * @param failed called if the store stops by itself; then no request can be served
 */
export async function startLocalService(
  config: Config,
  log: Logger,
  failed: (error: Error) => void,
): Promise<LocalService> {
  const ingest = await openIngest(config, failed)
  try {
    return await listen(config, log, ingest)
  } catch (error) {
    await ingest.store.close()
    throw error
  }
}

async function listen(config: Config, log: Logger, ingest: Ingest): Promise<LocalService> {
  const { store } = ingest
  const { clock, emails, keys, limits } = store
  const registered = registeredDomains(store.domains, clock)
  const domains = config.catchAll ? catchAllDomains(store.domains) : store.domains
  const wrongKeys = new WrongKeys(limits, clock)
  const operatorKeys = operatorKeysOf(config)
  const apiKeyService = new ApiKeyService(
    keys,
    limits,
    clock,
    randomBytes,
    new OperatorKeys(operatorKeys, clock()),
  )
  const domainService = new DomainService({ domains, wrongKeys, clock })
  const mailbox = new Mailbox(emails, store.blobs)
  const verifier = new DomainVerifier({
    domains: registered,
    limits,
    dns: dnsResolver(config.dnsServers),
    provider: NO_PROVIDER,
    mxHost: config.mxHost,
    clock,
    publicNamesOnly: !isLoopbackHost(config.host),
    purge: (domain, upTo) => mailbox.purge(domain, upTo),
  })
  const catchAll = config.catchAll ? [{ name: CATCH_ALL, key: null }] : []
  const configuration = new DomainService({
    domains: configurableDomains(store.domains, clock),
    wrongKeys,
    clock,
  })
  await configuration.configure([...catchAll, ...config.domains], 'verified')
  const scheduler = new RequestScheduler()
  const live = new Live(store.changeFeed, emails, clock, { pause: (client) => scheduler.next(client) })
  const smtp = await ingest.listen()
  const hooks = startWebhooks(store, domains, apiKeyService, isLoopbackHost(config.host))
  const service: LiveService & TestMailService & ActivityService = {
    mailbox,
    domainService,
    verifier,
    apiKeyService,
    keylessRate: new ClientRate(KEYLESS_REQUESTS_PER_MINUTE, clock),
    pageSessions: new PageSessions(keys, limits, clock, randomBytes),
    usernames: new Usernames(limits, randomBytes),
    live,
    webhooks: hooks.service,
    info: {
      version: manifest.version,
      baseUrl: config.baseUrl,
      smtp: { host: isWildcard(smtp.host) ? config.mxHost : smtp.host, port: smtp.port },
      mxHost: config.mxHost,
      retentionMs: config.retentionMs,
      maxMessageBytes: config.maxMessageBytes,
    },
    check: () => emails.check(),
    sendTestMail: (address) => sendTestMail(smtp, address),
    activity: new Activity(() => Date.now()),
  }
  const rest = [...LIVE_ENDPOINTS, ...REST_ENDPOINTS]
  const endpoints: Endpoint<typeof service>[] = [...rest, mcp(rest, loadMcp)]
  const isLoopback = isLoopbackHost(config.host)
  if (isLoopback) endpoints.push(testMail, inboxActivity)
  const originPolicy = originPolicyOf({
    isLoopback: isLoopbackHost(config.host),
    origins: config.corsOrigins,
    names: [...config.domains.map(({ name }) => name), config.mxHost],
    baseUrl: config.baseUrl,
  })
  const clientAddress = nodeClientAddress(config.trustProxy)
  const answered = (record: RequestRecord) => logRequest(log, record)
  const app = createApp({
    service,
    endpoints: [openApi(endpoints), ...endpoints],
    clientAddress: (c) => clientAddress((c.env as NodeBindings).incoming),
    answered,
    originPolicy,
  })
  const streamDomains = cachedDomains(domains, store.changeFeed, clock)
  const streams = streamRequests({
    service: {
      ...service,
      domainService: new DomainService({ domains: streamDomains, stored: domains, wrongKeys, clock }),
    },
    clientAddress,
    answered,
    originPolicy,
  })

  const pages = await loadPages(SITE)
  const sendApis = sendApiRequests({ config, ingest, store, domains, log, clientAddress })
  const fetch = (request: Request, env?: unknown) => {
    const isAllowedHost = originPolicy.allowsHost(request.headers.get('Host') ?? 'localhost')
    const page = isAllowedHost ? (pages.serve(request) ?? sendApis(request, env)) : undefined
    if (page !== undefined) return page
    const answered = app.fetch(request, env as object)
    const answer = isLoopback ? service.activity.track(request, answered) : answered
    return isAllowedHost ? pages.explain(request, answer) : answer
  }
  const http = await listenHttp(fetch, {
    scheduler,
    host: config.host,
    port: config.httpPort,
    trusted: config.trustProxy,
    streams,
  }).catch(async (error: unknown) => {
    await ingest.stop(0)
    throw error
  })
  const daily = setInterval(
    () =>
      verifier.verifyAll((domain, error) => log.warn({ domain, err: error }, 'the domain was not verified')),
    DAY_MS,
  )

  return {
    http: `http://${hostPort(http)}`,
    smtp: hostPort(smtp),
    operatorKey: operatorKeys[0],
    async stop() {
      clearInterval(daily)
      live.stop()
      await Promise.all([ingest.stop(STOP_GRACE_MS), http.stop(STOP_GRACE_MS)])
      await hooks.stop()
      await store.close()
    },
  }
}

/**
 * On loopback every caller is a program of this machine, so its user gets a key without configuring
 * one.
 */
function operatorKeysOf({ apiKeys, host }: Config): string[] {
  return apiKeys.length > 0 || !isLoopbackHost(host)
    ? apiKeys
    : [`mfo_${randomBytes(32).toString('base64url')}`]
}

function hostPort({ host, port }: { host: string; port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

function logRequest(log: Logger, { error, ms, ...record }: RequestRecord): void {
  if (record.status < 500 && !log.isLevelEnabled('debug')) return
  const fields = { ...record, ms: Math.round(ms * 10) / 10 }
  if (record.status >= 500) log.error({ ...fields, err: error }, 'request')
  else log.debug(fields, 'request')
}
