import type { KeyDesk } from '../../core/access/api-keys.ts'
import type { Live } from '../../core/events/live.ts'
import type { Mailbox } from '../../core/inbox/mailbox.ts'
import type { Registry } from '../../core/access/domain-service.ts'
import type { Usernames } from '../../core/access/usernames.ts'

/** The use cases that the endpoints call. */
export interface Service {
  mailbox: Mailbox
  registry: Registry
  keyDesk: KeyDesk
  usernames: Usernames
  /** Rejects when the store does not answer. */
  check(): Promise<void>
}

/** What the streams and `wait` need besides; a host that has no announcements (a Lambda) cannot serve them. */
export interface LiveService extends Service {
  live: Live
}
