import type { Domain } from '../access/ports.ts'
import type { Email } from '../inbox/email.ts'

export type Change =
  | { type: 'email'; domain: string; email: Email }
  /** The domain as it is now; undefined when it was unregistered. */
  | { type: 'domain'; name: string; domain: Domain | undefined }

/**
 * What the stores announce of themselves, each once, after it is durable and visible to reads; those of one
 * address in the order of their ids.
 */
export interface ChangeFeed {
  /** A listener must not throw. Returns the end of the subscription. */
  subscribe(listener: (announcement: Change) => void): () => void
}
