import type { Email } from '../inbox/email.ts'
import type { Change } from './ports.ts'

export interface NewEmail {
  domain: string
  email: Email
}

export type EndReason = 'access changed' | 'failed' | 'stopping'

/** The changes that a stream can follow besides new emails. */
export type InboxChange = Extract<Change, { type: 'email-read' | 'email-deleted' | 'inbox-cleared' }>

/** Receives the events of a subscription. No method may throw. */
export interface Sink {
  email(event: NewEmail): void
  /** Only for subscriptions to changes. */
  change?(event: InboxChange): void
  /** Emails before this id are not replayed, because there are too many. */
  gap(missedBefore: string): void
  /**
   * Undefined if more can be sent now; otherwise resolves when that is possible, or when the client
   * has disconnected.
   */
  ready(): Promise<void> | undefined
  /**
   * The subscription has ended for this reason.
   * @param withinMs the time over which clients should spread their reconnects, if many streams end
   *   at once
   */
  end(reason: EndReason, withinMs?: number): void
}
