import { randomBytes } from 'node:crypto'
import { nodeClientAddress } from '../adapters/http/client-address.ts'
import { RequestScheduler } from '../adapters/http/request-scheduler.ts'
import { createMetrics, type MetricValues } from '../adapters/metrics/metrics.ts'
import { isLoopbackName } from '../core/access/loopback.ts'
import type { DomainVerifier } from '../core/access/verifier.ts'
import type { Live } from '../core/events/live.ts'
import { AllMailbox } from '../core/inbox/all-mailbox.ts'
import { latestRefusals, Refusals } from '../core/inbox/refusals.ts'
import { DAY_MS, SECOND_MS } from '../core/limits.ts'
import { assembleSqliteService, configureDomains, type SqliteSettings } from '../service/sqlite.ts'
import { catcherApiRequests } from './catcher-apis.ts'
import type { Config } from './config.ts'
import { isLoopbackHost, isWildcard } from './config-values.ts'
import { listenLocalHttp } from './http.ts'
import { type Ingest, type IngestCounts, openIngest } from './ingest.ts'
import type { Logger } from './log.ts'
import { MailLog } from './mail-log.ts'
import { sendApiRequests } from './send-apis.ts'
import { sendTestMail } from './test-mail.ts'

/**
 * Connections that are open this long after the stop began are closed; the contract allows 10 s in
 * total.
 */
const STOP_GRACE_MS = 5 * SECOND_MS

export interface LocalService {
  /** Base URL. */
  http: string
  /** Its URLs by all of its addresses. */
  httpUrls: string[]
  /**
   * A key of the operator, which has no limits; undefined if none is configured on a public host.
   */
  operatorKey: string | undefined
  /** `host:port`. */
  smtp: string
  /** Finishes accepted mail, ends the streams, and closes the store. */
  stop(): Promise<void>
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
  const operatorKeys = operatorKeysOf(config)
  await configureDomains(store, config)
  const smtp = await ingest.listen()
  const scheduler = new RequestScheduler()
  const sendRefusals = new Refusals()
  const mailLog = new MailLog(log, store.clock)
  const clientAddress = nodeClientAddress(config.trustProxy)
  const { service, streamService, stopWebhooks } = assembleSqliteService(store, {
    ...settingsOf(config, smtp),
    operatorKeys,
    pause: (client) => scheduler.next(client),
  })
  const allMailbox = new AllMailbox(store.allMail)
  const stats = async () => ({ version: service.info.version, ...(await ingest.counts()) })
  const sendApis = sendApiRequests({
    config,
    ingest,
    log,
    clientAddress,
    refused(refusal) {
      sendRefusals.add(refusal)
      mailLog.refused(refusal)
    },
  })
  const http = await listenLocalHttp({
    config,
    log,
    service,
    streamService,
    allMailbox,
    refusals: async () => latestRefusals(await ingest.refusals(), sendRefusals.list()),
    sendTestMail: (address) => sendTestMail(smtp, config.smtpAuth, address),
    sendApis: sendApis.handle,
    metrics: createMetrics(async () => metricValues(await ingest.counts(), sendRefusals.count, service.live)),
    catcherApis: catcherApiRequests({ config, store, service, allMailbox, stats, log, clientAddress }),
    clientAddress,
    scheduler,
  })
  const httpUrls = http.hosts.map((host) => `http://${hostPort({ ...http, host })}`)
  const daily = verifyDaily(service.verifier, log)
  return {
    http: httpUrls[0]!,
    httpUrls,
    smtp: hostPort(smtp),
    operatorKey: operatorKeys[0],
    async stop() {
      clearInterval(daily)
      service.live.stop()
      await Promise.all([ingest.stop(STOP_GRACE_MS), http.stop(STOP_GRACE_MS)])
      await sendApis.stop()
      await stopWebhooks()
      await store.close()
    },
  }
}

function metricValues(
  { refused, ...counts }: IngestCounts,
  send_api: number,
  { count, waits }: Live,
): MetricValues {
  return { ...counts, refused: { smtp: refused, send_api }, streams: count - waits, waits }
}

/** @param smtp where the service listens */
function settingsOf(
  config: Config,
  smtp: { host: string; port: number },
): Omit<SqliteSettings, 'operatorKeys' | 'pause'> {
  const { host, catchAll, mxHost, dnsServers, baseUrl, retentionMs, maxMessageBytes } = config
  return {
    catchAll,
    mxHost,
    dnsServers,
    // Strangers who call by a public URL could reach the programs of this machine with webhooks.
    isLoopback: isLoopbackHost(host) && isLocalUrl(baseUrl),
    isForThisMachine: isLoopbackHost(host) && !isPublished(config),
    linkCheckHosts: config.linkCheckHosts,
    info: {
      baseUrl,
      smtp: { host: isWildcard(smtp.host) ? mxHost : smtp.host, port: smtp.port },
      retentionMs,
      maxMessageBytes,
      hasAllMail: true,
    },
  }
}

/**
 * Whether a service on loopback is meant for others too: by a proxy on this machine, or for the
 * pages of every site.
 */
function isPublished({ baseUrl, trustProxy, corsOrigins = [] }: Config): boolean {
  return !isLocalUrl(baseUrl) || trustProxy.rules.length > 0 || corsOrigins.includes('*')
}

function isLocalUrl(baseUrl: string | undefined): boolean {
  return baseUrl === undefined || isLoopbackName(new URL(baseUrl).hostname)
}

function verifyDaily(verifier: DomainVerifier, log: Logger): NodeJS.Timeout {
  const failed = (domain: string, error: unknown) =>
    log.warn({ domain, err: error }, 'the domain was not verified')
  return setInterval(() => verifier.verifyAll(failed), DAY_MS)
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
