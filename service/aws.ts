import { randomBytes } from 'node:crypto'
import { numberOf, type readSettings, STORE_SETTINGS } from '../adapters/aws/settings.ts'
import { dnsResolver } from '../adapters/dns/resolver.ts'
import type { RequestRecord } from '../adapters/http/app.ts'
import type { Service } from '../adapters/http/service.ts'
import { summary } from '../adapters/http/wire/email.ts'
import { Queue } from '../adapters/sqs/queue.ts'
import { HttpWebhookSender } from '../adapters/webhooks/sender.ts'
import { ApiKeyService } from '../core/access/api-keys.ts'
import { DomainService } from '../core/access/domain-service.ts'
import { PageSessions } from '../core/access/page-sessions.ts'
import { Usernames } from '../core/access/usernames.ts'
import { DomainVerifier } from '../core/access/verifier.ts'
import { WrongKeys } from '../core/access/wrong-keys.ts'
import { WebhookDelivery } from '../core/events/webhooks/delivery.ts'
import type { WebhookJob } from '../core/events/webhooks/ports.ts'
import { WebhookService } from '../core/events/webhooks/service.ts'
import { Mailbox } from '../core/inbox/mailbox.ts'
import { HOUR_MS } from '../core/limits.ts'
import manifest from '../package.json' with { type: 'json' }
import { log } from './aws-log.ts'
import type { AwsStore } from './aws-store.ts'
import { enqueue } from './webhook-jobs.ts'

/** docs.aws.amazon.com/ses/latest/dg/quotas.html, for mail that is stored in S3. */
const SES_MESSAGE_BYTES = 40 * 1024 * 1024

/** What the use cases of every program on AWS need; a program adds its own. */
export const SERVICE_SETTINGS = [...STORE_SETTINGS, 'mxHost', 'retentionHours'] as const
export const OPTIONAL_SETTINGS = ['domains', 'dnsServer', 'mailProvider', 'webhookQueueUrl'] as const

type ServiceSettings = ReturnType<
  typeof readSettings<(typeof SERVICE_SETTINGS)[number], (typeof OPTIONAL_SETTINGS)[number]>
>

/** The settings as the adapters take them. @throws SettingsError */
export function parsed(settings: ServiceSettings) {
  return {
    configured: list(settings.domains),
    dnsServers: list(settings.dnsServer),
    retentionMs: numberOf('retentionHours', settings.retentionHours, 1, 8760) * HOUR_MS,
  }
}

export function joinWrongKeys({ limits }: AwsStore): WrongKeys {
  return new WrongKeys(limits, Date.now)
}

export function joinDomainService(store: AwsStore, wrongKeys = joinWrongKeys(store)): DomainService {
  return new DomainService({ domains: store.domains, wrongKeys, clock: Date.now })
}

export function joinVerifier(settings: ServiceSettings, store: AwsStore): DomainVerifier {
  const { domains, limits, provider, emails, blobs } = store
  const mailbox = new Mailbox(emails, blobs)
  return new DomainVerifier({
    domains,
    limits,
    dns: dnsResolver(parsed(settings).dnsServers),
    provider,
    // A load balancer's name, as CloudFormation tells it, has upper case too.
    mxHost: settings.mxHost.toLowerCase(),
    clock: Date.now,
    purge: (domain, upTo) => mailbox.purge(domain, upTo),
  })
}

/**
 * Targets are on the public internet only: anyone can have an API key.
 * @param queueUrl of the webhook jobs; without it the first ping of a webhook is sent once, within its request
 */
export function joinWebhooks(
  store: AwsStore,
  queueUrl?: string,
): { service: WebhookService; delivery: WebhookDelivery } {
  const { webhooks, emails, domains, keys } = store
  const sender = new HttpWebhookSender({ loopback: false }, manifest.version)
  const delivery = new WebhookDelivery({
    webhooks,
    emails,
    domains,
    keys,
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

/** @param wrongKeys those of whoever else compares keys in this process, if anybody does */
export function joinService(settings: ServiceSettings, store: AwsStore, wrongKeys?: WrongKeys): Service {
  const { emails, blobs, keys, limits } = store
  return {
    mailbox: new Mailbox(emails, blobs),
    domainService: joinDomainService(store, wrongKeys),
    verifier: joinVerifier(settings, store),
    pageSessions: new PageSessions(keys, limits, Date.now, randomBytes),
    apiKeyService: new ApiKeyService(keys, limits, Date.now, randomBytes),
    webhooks: joinWebhooks(store, settings.webhookQueueUrl).service,
    usernames: new Usernames(limits, randomBytes),
    info: {
      version: manifest.version,
      baseUrl: undefined,
      smtp: null,
      mxHost: settings.mxHost,
      retentionMs: parsed(settings).retentionMs,
      maxMessageBytes: SES_MESSAGE_BYTES,
    },
    check: () => emails.check(),
  }
}

/** Failures only: an HTTP API and a load balancer count the rest. */
export function logFailed({ error, ms, ...record }: RequestRecord): void {
  if (record.status >= 500) log('error', 'request', { ...record, ms: Math.round(ms), error })
}

function list(text: string | undefined): string[] {
  return (text ?? '').split(',').filter((item) => item !== '')
}
