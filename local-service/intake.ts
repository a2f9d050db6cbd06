import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Message } from '../adapters/smtp/listener.ts'
import { RemoteWriting } from '../adapters/sqlite/calls.ts'
import { StoreError } from '../adapters/sqlite/errors.ts'
import { openStore, type Store, type StoreOptions } from '../adapters/sqlite/store.ts'
import type { Envelope } from '../core/inbox/receive.ts'
import type { ReaderData } from './intake-reader.ts'
import type { SmallMessage } from './intake-writer.ts'

/** The service has 10 s to stop, and its connections take 5 of these. */
const CLOSE_GRACE_MS = 2000

export interface Intake {
  /**
   * Resolves when the message is durably stored for its recipients and announced, with the ids of the emails;
   * [] when none of the recipients is on a domain that is registered here.
   */
  deliver(envelope: Envelope, message: Message): Promise<string[]>
  /** Finishes what was handed over, as far as that takes no longer than some seconds, then closes the store. */
  close(): Promise<void>
}

/** Opens the store with what reads incoming mail: small mail in the thread that writes, large mail beside it. */
export async function openStoreWithIntake(
  options: StoreOptions & { retentionMs: number },
): Promise<{ store: Store; intake: Intake }> {
  const retention_ms = options.retentionMs
  const store = await openStore({
    ...options,
    intake: { module: new URL('./intake-writer.ts', import.meta.url), data: { retention_ms } },
  })
  const connection = store.connection()
  const reader = new Worker(new URL('./intake-reader.ts', import.meta.url), {
    workerData: { connection, retention_ms } satisfies ReaderData,
    transferList: [connection.port],
    execArgv: [],
  })
  const large = new RemoteWriting(reader)
  let over = false
  const failed = (cause: unknown) => {
    if (over) return
    over = true
    const error = new StoreError('The thread that reads large mail has failed.', { cause })
    large.end(error)
    options.onFailure?.(error)
  }
  reader.once('error', failed)
  // A thread can end without an error too; whoever waits for it would wait for ever.
  reader.once('exit', () => failed(new Error('it ended')))
  const pending = new Set<Promise<unknown>>()

  async function deliver(envelope: Envelope, message: Message): Promise<string[]> {
    if ('bytes' in message) {
      const small: SmallMessage = { envelope, raw: message.bytes }
      return (await store.receive(small, [message.bytes.buffer])) as string[]
    }
    await store.blobs.put(envelope.message_key, 'raw', message.stream)
    return (await large.call('receive', [envelope])) as string[]
  }

  return {
    store,
    intake: {
      deliver(envelope, message) {
        const delivered = deliver(envelope, message)
        const settled = delivered.catch(() => {}).finally(() => pending.delete(settled))
        pending.add(settled)
        return delivered
      },
      async close() {
        // Large messages may be waiting for their turn. Their senders are gone, without a 250, and send them again.
        await Promise.race([Promise.all(pending), sleep(CLOSE_GRACE_MS, undefined, { ref: false })])
        over = true
        await reader.terminate()
        large.end(new Error('the store was closed'))
        await store.close()
      },
    },
  }
}
