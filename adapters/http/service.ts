import type { ApiKeyService } from '../../core/access/api-keys.ts'
import type { ClientRate } from '../../core/access/client-rate.ts'
import type { DomainService } from '../../core/access/domain-service.ts'
import type { PageSessions } from '../../core/access/page-sessions.ts'
import type { Usernames } from '../../core/access/usernames.ts'
import type { DomainVerifier } from '../../core/access/verifier.ts'
import type { Live } from '../../core/events/live.ts'
import type { WebhookService } from '../../core/events/webhooks/service.ts'
import type { LinkChecker } from '../../core/inbox/link-check.ts'
import type { Mailbox } from '../../core/inbox/mailbox.ts'

/** The properties of the service that clients and the pages show. */
export interface ServiceInfo {
  version: string
  /** The public URL; undefined for the URL of each request. */
  baseUrl: string | undefined
  /** The SMTP listener; null if the service does not have one. */
  smtp: { host: string; port: number } | null
  mxHost: string
  retentionMs: number
  maxMessageBytes: number
}

/** The use cases that the endpoints call. */
export interface Service {
  mailbox: Mailbox
  domainService: DomainService
  verifier: DomainVerifier
  apiKeyService: ApiKeyService
  pageSessions: PageSessions
  /** Of the endpoints with `isKeyless`. */
  keylessRate: ClientRate
  usernames: Usernames
  webhooks: WebhookService
  linkChecker: LinkChecker
  info: ServiceInfo
  /** Rejects when the store does not answer. */
  check(): Promise<void>
}

/** A service with streams and `wait`; a host without a change feed (a Lambda) cannot serve them. */
export interface LiveService extends Service {
  live: Live
}
