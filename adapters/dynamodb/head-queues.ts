import { Problem } from '../../core/errors.ts'
import type { Email } from '../../core/inbox/email.ts'
import { COPIES_PER_TRANSACTION, type Copy } from './copy.ts'
import type { CopyWriter } from './copy-writer.ts'
import type { Heads } from './heads.ts'

/** A copy that waits for its head. */
interface Queued {
  copy: Copy
  resolve: (email: Email | undefined) => void
  reject: (error: unknown) => void
}

/** Copies that wait for the next transaction on their head in this process. */
export class HeadQueues {
  readonly #heads: Pick<Heads, 'of'>
  readonly #writer: Pick<CopyWriter, 'store'>
  /** By head; a head without a transaction in flight has none. */
  readonly #queues = new Map<string, Queued[]>()

  constructor(heads: Pick<Heads, 'of'>, writer: Pick<CopyWriter, 'store'>) {
    this.#heads = heads
    this.#writer = writer
  }

  /**
   * Stores a copy at once, or together with others when the transaction in flight on its head has
   * ended.
   */
  store(copy: Copy): Promise<Email | undefined> {
    const { promise, ...queued } = { copy, ...Promise.withResolvers<Email | undefined>() }
    const head = this.#heads.of(copy.address)
    const queue = this.#queues.get(head)
    if (queue === undefined) {
      this.#queues.set(head, [])
      void this.#drain(head, [queued])
    } else {
      // Another process may advance the head while the copy waits, which would make its id too low.
      copy.minted = undefined
      queue.push(queued)
    }
    return promise
  }

  async #drain(head: string, first: Queued[]): Promise<void> {
    const queue = this.#queues.get(head) ?? []
    for (let group = first; group.length > 0; group = takeGroup(queue))
      await this.#storeGroup(head, group, queue)
    this.#queues.delete(head)
  }

  /**
   * @param queue after a conflict with another process, more copies from it join the group, so that
   * contention makes groups larger
   */
  async #storeGroup(head: string, group: Queued[], queue: Queued[]): Promise<void> {
    const join = () => {
      const joining = takeGroup(queue, group)
      group.push(...joining)
      return joining.map(({ copy }) => copy)
    }
    try {
      const emails = await this.#writer.store(
        group.map(({ copy }) => copy),
        { head, join },
      )
      for (const { copy, resolve } of group) resolve(emails.get(copy))
    } catch (error) {
      const isStoreAway = error instanceof Problem && error.code === 'unavailable'
      // A copy that can never be stored must not make the others fail.
      if (group.length > 1 && !isStoreAway)
        for (const queued of group) await this.#storeGroup(head, [queued], [])
      else for (const { reject } of group) reject(error)
    }
  }
}

/**
 * Takes copies for one transaction from a queue. A transaction can write to the item of a message
 * only once.
 * @param group the copies that the transaction has already
 */
function takeGroup(queue: Queued[], group: Queued[] = []): Queued[] {
  const taken: Queued[] = []
  const messages = new Set(group.map(messageOf))
  for (let i = 0; i < queue.length && group.length + taken.length < COPIES_PER_TRANSACTION; ) {
    const queued = queue[i]
    if (queued === undefined || messages.has(messageOf(queued))) i++
    else {
      messages.add(messageOf(queued))
      taken.push(queued)
      queue.splice(i, 1)
    }
  }
  return taken
}

function messageOf({ copy }: Queued): string {
  return copy.state.mail.messageId
}
