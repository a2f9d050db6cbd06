import type { Domain } from '../access/ports.ts'
import type { Email } from '../inbox/email.ts'

export type Change =
  /** A new email. */
  | {
      type: 'email'
      domain: string
      address: string
      email: Email
      /**
       * The key of its domain when it was stored, null where it had none; only of stores that may announce a change
       * of the domain later than mail that came after it.
       */
      keyHash?: string | null
    }
  /** The first time only. */
  | { type: 'email-read'; domain: string; address: string; id: string }
  /** Removed by a caller; what expires is not announced. */
  | { type: 'email-deleted'; domain: string; address: string; id: string }
  /** Every email of the address was removed by a caller, and there was at least one. */
  | { type: 'inbox-cleared'; domain: string; address: string }
  /** The domain as it is now; undefined when it was unregistered. */
  | { type: 'domain'; name: string; domain: Domain | undefined }

/**
 * What the stores announce of themselves, each once, after it is durable and visible to reads; those of one
 * address in the order of their ids.
 */
export interface ChangeFeed {
  /**
   * A listener must not throw. Returns the end of the subscription, which may be called again.
   * @param options.mail false where only changes of domains matter: others may be left out then, or come as well
   */
  subscribe(listener: (announcement: Change) => void, options?: { mail?: boolean }): () => void
}
