import type { ApiKeyService } from '../../core/access/api-keys.ts'
import type { ClientRate } from '../../core/access/client-rate.ts'
import type { DomainService } from '../../core/access/domain-service.ts'
import type { PageSessions } from '../../core/access/page-sessions.ts'
import type { Usernames } from '../../core/access/usernames.ts'
import type { DomainVerifier } from '../../core/access/verifier.ts'
import type { Live } from '../../core/events/live.ts'
import type { WebhookService } from '../../core/events/webhooks/service.ts'
import type { Mailbox } from '../../core/inbox/mailbox.ts'

/** What a client or a first page must know. */
export interface ServiceInfo {
  version: string
  /** Undefined: that which a request was sent to. */
  baseUrl: string | undefined
  /** Where it takes mail by SMTP; null where that is not this service's own. */
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
  info: ServiceInfo
  /** Rejects when the store does not answer. */
  check(): Promise<void>
}

/** What the streams and `wait` need besides; a host that has no announcements (a Lambda) cannot serve them. */
export interface LiveService extends Service {
  live: Live
}
