import { randomBytes } from 'node:crypto'
import { numberOf, type readSettings, STORE_SETTINGS } from '../adapters/aws/settings.ts'
import { dnsResolver } from '../adapters/dns/resolver.ts'
import type { RequestRecord } from '../adapters/http/app.ts'
import type { Service } from '../adapters/http/service.ts'
import { summary } from '../adapters/http/wire/email.ts'
import { Queue } from '../adapters/sqs/queue.ts'
import { HttpWebhookSender } from '../adapters/webhooks/sender.ts'
import { ApiKeyService, type OperatorKeys } from '../core/access/api-keys.ts'
import { ClientRate } from '../core/access/client-rate.ts'
import { DomainService } from '../core/access/domain-service.ts'
import { PageSessions } from '../core/access/page-sessions.ts'
import type { MailProvider } from '../core/access/ports.ts'
import { Usernames } from '../core/access/usernames.ts'
import { DomainVerifier } from '../core/access/verifier.ts'
import { WrongKeys } from '../core/access/wrong-keys.ts'
import { WebhookDelivery } from '../core/events/webhooks/delivery.ts'
import type { WebhookJob } from '../core/events/webhooks/ports.ts'
import { WebhookService } from '../core/events/webhooks/service.ts'
import { Mailbox } from '../core/inbox/mailbox.ts'
import { HOUR_MS, KEYLESS_REQUESTS_PER_MINUTE, MESSAGE_BYTES } from '../core/limits.ts'
import manifest from '../package.json' with { type: 'json' }
import { log } from './aws-log.ts'
import type { AwsStore } from './aws-store.ts'
import { enqueue } from './webhook-jobs.ts'

/** Settings of every program that answers requests or verifies domains; a program adds its own. */
export const SERVICE_SETTINGS = [...STORE_SETTINGS, 'mxHost', 'retentionHours'] as const
export const OPTIONAL_SETTINGS = [
  'dnsServer',
  'mailProvider',
  'identityOwner',
  'identityArn',
  'operatorKeysArn',
  'webhookQueueUrl',
] as const

export type ServiceSettings = ReturnType<
  typeof readSettings<(typeof SERVICE_SETTINGS)[number], (typeof OPTIONAL_SETTINGS)[number]>
>

/** Returns the settings in the types of the adapters. @throws SettingsError */
export function parsed(settings: ServiceSettings) {
  return {
    dnsServers: list(settings.dnsServer),
    retentionMs: numberOf('retentionHours', settings.retentionHours, 1, 8760) * HOUR_MS,
  }
}

export function assembleWrongKeys({ limits }: AwsStore): WrongKeys {
  return new WrongKeys(limits, Date.now)
}

export function assembleDomainService(store: AwsStore, wrongKeys = assembleWrongKeys(store)): DomainService {
  return new DomainService({ domains: store.domains, wrongKeys, clock: Date.now })
}

export function assembleVerifier(
  settings: ServiceSettings,
  store: AwsStore,
  provider: MailProvider,
): DomainVerifier {
  const { domains, limits, emails, blobs } = store
  const mailbox = new Mailbox(emails, blobs)
  return new DomainVerifier({
    domains,
    limits,
    dns: dnsResolver(parsed(settings).dnsServers),
    provider,
    // CloudFormation returns a load balancer's name with upper-case letters.
    mxHost: settings.mxHost.toLowerCase(),
    clock: Date.now,
    purge: (domain, upTo) => mailbox.purge(domain, upTo),
  })
}

/**
 * Returns the webhooks. Targets must be on the public internet, because anyone can have an API key.
 * @param operatorKeys own webhooks too, and are in no store
 * @param queueUrl of the webhook jobs; without it the first ping of a webhook is sent once, within
 *   its request
 */
export function assembleWebhooks(
  store: AwsStore,
  operatorKeys: OperatorKeys | undefined,
  queueUrl?: string,
): { service: WebhookService; delivery: WebhookDelivery } {
  const { webhooks, emails, domains, keys } = store
  const sender = new HttpWebhookSender({ loopback: false }, manifest.version)
  const delivery = new WebhookDelivery({
    webhooks,
    emails,
    domains,
    keys: { find: async (hash) => operatorKeys?.find(hash) ?? keys.find(hash) },
    sender,
    wire: summary,
    clock: Date.now,
    random: Math.random,
  })
  const begin = async (ping: WebhookJob): Promise<void> => {
    if (queueUrl !== undefined) return enqueue(new Queue(queueUrl), ping)
    const { attempt } = await delivery.attempt(ping)
    if (attempt !== undefined) await webhooks.record(ping.webhook, attempt)
  }
  const service = new WebhookService({
    webhooks,
    delivery,
    sender,
    begin,
    clock: Date.now,
    random: randomBytes,
  })
  return { service, delivery }
}

export interface ServiceOptions {
  /** Shared with other users of domain keys in this process. */
  wrongKeys?: WrongKeys
  operatorKeys?: OperatorKeys | undefined
  /** Only in a program that verifies domains. */
  provider?: MailProvider
}

/** For programs without SES: they have no endpoint that verifies. */
const UNUSED_PROVIDER: MailProvider = {
  claim: () => Promise.reject(new Error('this program verifies no domains')),
  release: () => Promise.reject(new Error('this program verifies no domains')),
}

/** Returns the use cases behind the endpoints. */
export function assembleService(
  settings: ServiceSettings,
  store: AwsStore,
  { wrongKeys, operatorKeys, provider = UNUSED_PROVIDER }: ServiceOptions = {},
): Service {
  const { emails, blobs, keys, limits } = store
  return {
    mailbox: new Mailbox(emails, blobs),
    domainService: assembleDomainService(store, wrongKeys),
    verifier: assembleVerifier(settings, store, provider),
    keylessRate: new ClientRate(KEYLESS_REQUESTS_PER_MINUTE, Date.now),
    pageSessions: new PageSessions(keys, limits, Date.now, randomBytes),
    apiKeyService: new ApiKeyService(keys, limits, Date.now, randomBytes, operatorKeys),
    webhooks: assembleWebhooks(store, operatorKeys, settings.webhookQueueUrl).service,
    usernames: new Usernames(limits, randomBytes),
    info: {
      version: manifest.version,
      baseUrl: undefined,
      smtp: null,
      mxHost: settings.mxHost,
      retentionMs: parsed(settings).retentionMs,
      maxMessageBytes: MESSAGE_BYTES,
    },
    check: () => emails.check(),
  }
}

/** Logs failures only: the HTTP API and the load balancer count all requests. */
export function logFailed({ error, ms, ...record }: RequestRecord): void {
  if (record.status >= 500) log('error', 'request', { ...record, ms: Math.round(ms), error })
}

function list(text: string | undefined): string[] {
  return (text ?? '').split(',').filter((item) => item !== '')
}
