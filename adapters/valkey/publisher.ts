import { Valkey } from 'iovalkey'
import type { Change } from '../../core/events/ports.ts'
import { SECOND_MS } from '../../core/limits.ts'
import { channelOfChange } from './channels.ts'

/** An answer that takes longer is that of a dead connection. */
const ANSWER_MS = 3 * SECOND_MS

/** Publishes changes to whoever listens: pub/sub of Valkey, which keeps nothing. */
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
    // Each command that fails says so itself.
    this.#client.on('error', () => {})
  }

  /** Resolves when Valkey has handed it on; rejects when that is not certain: it may be published again then. */
  async publish(change: Change): Promise<void> {
    await this.#client.publish(channelOfChange(change), JSON.stringify(change))
  }

  close(): void {
    this.#client.disconnect()
  }
}
