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
import type { Activity } from './activity.ts'

/** The path of a base URL, without a slash at its end; empty for a URL without a path. */
export function basePathOf(baseUrl: string | undefined): string {
  return baseUrl === undefined ? '' : new URL(baseUrl).pathname.replace(/\/$/, '')
}

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
  /** Whether the operator can read the mail of all addresses. */
  hasAllMail: boolean
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
  /**
   * Whether only programs of this machine can call. Then the pages and every caller are the
   * operator's.
   */
  isForThisMachine: boolean
  info: ServiceInfo
  /** Rejects when the store does not answer. */
  check(): Promise<void>
}

/** A service with streams and `wait`; a host without a change feed (a Lambda) cannot serve them. */
export interface LiveService extends Service {
  live: Live
  /** On loopback, where the pages show what tests wait for. */
  activity?: Activity
}
