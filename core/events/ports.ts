import type { Domain } from '../access/ports.ts'
import type { Email } from '../inbox/email.ts'

/** A new email. */
export type EmailChange = Extract<Change, { type: 'email' }>

export type Change =
  /** A new email. */
  | {
      type: 'email'
      domain: string
      address: string
      email: Email
      /**
       * The hash of the domain's key when the email was stored, null if the domain had none. Set
       * only by stores that may publish a change of the domain after mail that is newer than the
       * change.
       */
      keyHash?: string | null
    }
  /** Published when an email is read for the first time. */
  | { type: 'email-read'; domain: string; address: string; id: string }
  /** Removed by a caller. Expiry is not published. */
  | { type: 'email-deleted'; domain: string; address: string; id: string }
  /** Every email of the address was removed by a caller, and there was at least one. */
  | { type: 'inbox-cleared'; domain: string; address: string }
  /** The domain as it is now; undefined if it was unregistered. */
  | { type: 'domain'; name: string; domain: Domain | undefined }

/**
 * The changes of a store, each once, after it is durable and visible to reads. Emails of one
 * address are published in the order of their ids.
 */
export interface ChangeFeed {
  /**
   * A listener must not throw. Returns a function that unsubscribes, which may be called more than
   * once.
   * @param options.mail false if only changes of domains matter; the feed may then omit other
   *   changes
   */
  subscribe(listener: (change: Change) => void, options?: { mail?: boolean }): () => void
  /**
   * Resolves when every later change of these addresses, or of these domains as a whole, arrives. A
   * feed without it has the changes of all mail.
   * @throws Problem `unavailable`
   */
  cover?(topic: { addresses: readonly string[] } | { domains: readonly { name: string }[] }): Promise<void>
}
