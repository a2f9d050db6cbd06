import type { Clock } from '../../clock.ts'
import type { Change } from '../ports.ts'
import type { WebhookEmails } from './delivery.ts'

type NewEmailChange = Extract<Change, { type: 'email' }>

/**
 * Finds the emails that the change feed has just published without a read of the store. The worker
 * makes the first attempts for them in the same turn of the event loop; later attempts read the
 * store.
 */
export class PublishedEmails implements WebhookEmails {
  readonly #stored: WebhookEmails
  readonly #clock: Clock
  /** The emails of this turn of the event loop, by address. */
  readonly #published = new Map<string, NewEmailChange[]>()

  constructor(stored: WebhookEmails, clock: Clock) {
    this.#stored = stored
    this.#clock = clock
  }

  /** Must be called with each change of the store: another one may remove or change an email. */
  changed(change: Change): void {
    if (change.type !== 'email') {
      this.#published.clear()
      return
    }
    if (this.#published.size === 0) setImmediate(() => this.#published.clear())
    const changes = this.#published.get(change.address)
    if (changes === undefined) this.#published.set(change.address, [change])
    else changes.push(change)
  }

  /** Returns the email, unless it was deleted or has expired. */
  async find(address: string, id: string): ReturnType<WebhookEmails['find']> {
    const published = this.#published.get(address)?.find(({ email }) => email.id === id)
    if (published !== undefined && published.email.expiresAt > this.#clock())
      return { email: published.email }
    return this.#stored.find(address, id)
  }
}
