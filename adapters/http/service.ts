import type { ApiKeyService } from '../../core/access/api-keys.ts'
import type { DomainService } from '../../core/access/domain-service.ts'
import type { Usernames } from '../../core/access/usernames.ts'
import type { DomainVerifier } from '../../core/access/verifier.ts'
import type { Live } from '../../core/events/live.ts'
import type { Mailbox } from '../../core/inbox/mailbox.ts'

/** The use cases that the endpoints call. */
export interface Service {
  mailbox: Mailbox
  domainService: DomainService
  verifier: DomainVerifier
  apiKeyService: ApiKeyService
  usernames: Usernames
  /** Rejects when the store does not answer. */
  check(): Promise<void>
}

/** What the streams and `wait` need besides; a host that has no announcements (a Lambda) cannot serve them. */
export interface LiveService extends Service {
  live: Live
}
