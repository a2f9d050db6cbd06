/**
 * Assembles the use cases of a service from the ports of a store, the same for both hosts. A host
 * (sqlite.ts, aws.ts) adds its own parts.
 */
import { randomBytes } from 'node:crypto'
import { dnsResolver } from '../adapters/dns/resolver.ts'
import type { Service, ServiceInfo } from '../adapters/http/service.ts'
import { summary } from '../adapters/http/wire/email.ts'
import { HttpLinkChecker } from '../adapters/webhooks/link-checker.ts'
import { HttpWebhookSender } from '../adapters/webhooks/sender.ts'
import { ApiKeyService, type OperatorKeys } from '../core/access/api-keys.ts'
import { ClientRate } from '../core/access/client-rate.ts'
import { DomainService } from '../core/access/domain-service.ts'
import { nestedLimits } from '../core/access/nested-limits.ts'
import { PageSessions } from '../core/access/page-sessions.ts'
import type { Domains, Keys, Limits, MailProvider } from '../core/access/ports.ts'
import { Usernames } from '../core/access/usernames.ts'
import { DomainVerifier } from '../core/access/verifier.ts'
import { WrongKeys } from '../core/access/wrong-keys.ts'
import type { Clock } from '../core/clock.ts'
import { WebhookDelivery, type WebhookEmails } from '../core/events/webhooks/delivery.ts'
import type { WebhookJob, WebhookStore } from '../core/events/webhooks/ports.ts'
import { WebhookService } from '../core/events/webhooks/service.ts'
import { Mailbox } from '../core/inbox/mailbox.ts'
import type { BlobStore, MessageStore } from '../core/inbox/ports.ts'
import { KEYLESS_REQUESTS_PER_MINUTE } from '../core/limits.ts'
import manifest from '../package.json' with { type: 'json' }

/** The ports of a store. */
export interface ServicePorts {
  emails: MessageStore
  blobs: BlobStore
  /** The domains that callers read and that receive mail. */
  domains: Domains
  /** The same for verifications, which register domains. @default domains */
  registrations?: Domains
  keys: Keys
  limits: Limits
  webhooks: WebhookStore
  clock: Clock
}

export interface VerifierSettings {
  /** The MX target that a verified domain must name. */
  mxHost: string
  /** Empty for the system's servers. */
  dnsServers: string[]
  /** Confirms domains, and receives mail for them. */
  provider: MailProvider
  /** See VerifierParts. */
  publicNamesOnly?: boolean
}

export interface WebhookSettings {
  operatorKeys: OperatorKeys | undefined
  /** Whether targets on this machine may be called, because only its user can create webhooks. */
  isLoopback: boolean
  /** Where webhooks find their emails. @default emails of the store */
  webhookEmails?: WebhookEmails
  /** Sends the first ping of a webhook by the schedule. */
  beginPing: (ping: WebhookJob) => Promise<void>
}

export interface ServiceSettings extends VerifierSettings, WebhookSettings {
  info: Omit<ServiceInfo, 'version' | 'mxHost'>
  /** See Service. @default false */
  isForThisMachine?: boolean
  /** See HttpLinkChecker. */
  linkCheckHosts?: readonly string[]
}

/** A service, and the parts of it that its host uses too. */
export interface Assembled {
  service: Service
  webhookDelivery: WebhookDelivery
  /** For every other comparison of domain keys in this process. */
  wrongKeys: WrongKeys
}

/** Returns the use cases behind the endpoints. */
export function assembleService(given: ServicePorts, settings: ServiceSettings): Assembled {
  const ports = { ...given, limits: nestedLimits(given.limits) }
  const { emails, blobs, keys, limits, clock } = ports
  const { webhooks, delivery, apiKeyService } = assembleWebhooks(ports, settings)
  const wrongKeys = new WrongKeys(limits, clock)
  const service: Service = {
    mailbox: new Mailbox(emails, blobs),
    domainService: assembleDomainService(ports, wrongKeys),
    verifier: assembleVerifier(ports, settings),
    apiKeyService,
    pageSessions: new PageSessions(keys, limits, clock, randomBytes),
    keylessRate: new ClientRate(KEYLESS_REQUESTS_PER_MINUTE, clock),
    usernames: new Usernames(limits, randomBytes),
    webhooks,
    linkChecker: new HttpLinkChecker({
      isForEveryone: settings.isForThisMachine ?? false,
      privateHosts: settings.linkCheckHosts ?? [],
      version: manifest.version,
    }),
    isForThisMachine: settings.isForThisMachine ?? false,
    info: { ...settings.info, version: manifest.version, mxHost: settings.mxHost },
    check: () => emails.check(),
  }
  return { service, webhookDelivery: delivery, wrongKeys }
}

export function assembleDomainService(
  { domains, limits, clock }: Pick<ServicePorts, 'domains' | 'limits' | 'clock'>,
  wrongKeys = new WrongKeys(limits, clock),
): DomainService {
  return new DomainService({ domains, wrongKeys, clock })
}

export function assembleVerifier(
  { emails, blobs, domains, registrations = domains, limits, clock }: ServicePorts,
  { mxHost, dnsServers, provider, publicNamesOnly = false }: VerifierSettings,
): DomainVerifier {
  const mailbox = new Mailbox(emails, blobs)
  return new DomainVerifier({
    domains: registrations,
    limits,
    dns: dnsResolver(dnsServers),
    provider,
    mxHost,
    clock,
    publicNamesOnly,
    purge: (domain, upTo) => mailbox.purge(domain, upTo),
  })
}

/** Returns the webhooks, and the API keys that they belong to. */
export function assembleWebhooks(
  { webhooks, emails, domains, keys, limits, clock }: ServicePorts,
  { operatorKeys, isLoopback, webhookEmails = emails, beginPing }: WebhookSettings,
): { webhooks: WebhookService; delivery: WebhookDelivery; apiKeyService: ApiKeyService } {
  const apiKeyService = new ApiKeyService(keys, limits, clock, randomBytes, operatorKeys)
  const sender = new HttpWebhookSender({ loopback: isLoopback }, manifest.version)
  const delivery = new WebhookDelivery({
    webhooks,
    emails: webhookEmails,
    domains,
    keys: apiKeyService,
    sender,
    wire: summary,
    clock,
    random: Math.random,
  })
  const service = new WebhookService({
    webhooks,
    delivery,
    sender,
    begin: beginPing,
    clock,
    random: randomBytes,
  })
  return { webhooks: service, delivery, apiKeyService }
}
