import type { Email } from '../inbox/email.ts'
import type { Change } from './ports.ts'

export interface NewEmail {
  domain: string
  email: Email
}

export type EndReason = 'access changed' | 'failed' | 'stopping'

/** What can be followed beside new emails. */
export type InboxChange = Extract<Change, { type: 'email-read' | 'email-deleted' | 'inbox-cleared' }>

/** Where a subscription's events go. None of these may throw. */
export interface Sink {
  email(event: NewEmail): void
  /** For a subscription that wants changes. */
  change?(event: InboxChange): void
  /** Emails before this id were left out of the replay, for there are too many. */
  gap(missedBefore: string): void
  /** Set while more should not be sent just now; it resolves when it may, or when nobody reads any more. */
  ready(): Promise<void> | undefined
  /**
   * The subscription has ended by itself, and why.
   * @param withinMs where many end at once: their clients are to come back spread over this time
   */
  end(reason: EndReason, withinMs?: number): void
}
