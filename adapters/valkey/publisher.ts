import { Valkey } from 'iovalkey'
import type { Change } from '../../core/events/ports.ts'
import { SECOND_MS } from '../../core/limits.ts'
import { channelsOfChange } from './channels.ts'

/** A connection that takes longer to answer is dead. */
const ANSWER_MS = 3 * SECOND_MS

/** Publishes changes to all subscribers by pub/sub of Valkey, which keeps nothing. */
export class ValkeyPublisher {
  readonly #client: Valkey

  /** @param url `redis://host:port`, `rediss://` for TLS */
  constructor(url: string) {
    this.#client = new Valkey(url, {
      connectTimeout: ANSWER_MS,
      commandTimeout: ANSWER_MS,
      maxRetriesPerRequest: 1,
      retryStrategy: (times) => Math.min(100 * times, SECOND_MS),
    })
    // A failed command rejects by itself.
    this.#client.on('error', () => {})
  }

  /**
   * Resolves when Valkey has passed it on; rejects when that is uncertain: it may be published
   * again then.
   */
  async publish(change: Change): Promise<void> {
    const message = JSON.stringify(change)
    await Promise.all(channelsOfChange(change).map((channel) => this.#client.publish(channel, message)))
  }

  close(): void {
    this.#client.disconnect()
  }
}
