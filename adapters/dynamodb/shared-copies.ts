import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { COPIES_PER_TRANSACTION, type Copy } from './copy.ts'
import type { MessageRecords } from './message-records.ts'
import type { WaitingCopies } from './waiting-copies.ts'

/** The copies that one call shares with other processes, and theirs (waiting-copies.ts). */
export class SharedCopies {
  /** The copies of other processes that the next transaction stores too. */
  others: Copy[] = []
  readonly #waiting: WaitingCopies
  readonly #records: Pick<MessageRecords, 'find'>
  readonly #head: string
  /** The copies that other processes may store. */
  readonly #put = new Set<Copy>()
  #isSeparate = false

  constructor(parts: { waiting: WaitingCopies; records: Pick<MessageRecords, 'find'> }, head: string) {
    this.#waiting = parts.waiting
    this.#records = parts.records
    this.#head = head
  }

  /**
   * Shares these copies of this process, and takes those of the others. If another process has
   * stored a copy, the copy's message is known to be stored afterwards.
   */
  async exchange(own: Copy[]): Promise<void> {
    const put = own.filter((copy) => this.#put.has(copy))
    const added = own.filter((copy) => !this.#put.has(copy))
    await this.#waiting.put(this.#head, added)
    for (const copy of added) this.#put.add(copy)
    const listed = await this.#waiting.list(this.#head)
    const ids = new Set(listed.map(messageOf))
    const stored = put.filter((copy) => !ids.has(messageOf(copy)))
    await Promise.all(
      stored.map(async (copy) => {
        copy.state.known = await this.#records.find(messageOf(copy))
      }),
    )
    const ownIds = new Set(own.map(messageOf))
    const room = this.#isSeparate ? 0 : Math.max(0, COPIES_PER_TRANSACTION - own.length)
    this.others = listed.filter((copy) => !ownIds.has(messageOf(copy))).slice(0, room)
  }

  /** Returns the write that ends the sharing of a copy, for the transaction that stores it. */
  removing(copy: Copy): TransactWriteItem[] {
    const isShared = this.#put.has(copy) || this.others.includes(copy)
    return isShared ? [this.#waiting.removing(this.#head, copy)] : []
  }

  /** Must be called with the copies of a transaction, which has ended their sharing. */
  stored(copies: Copy[]): void {
    this.others = this.others.filter((copy) => !copies.includes(copy))
  }

  /** Ends the sharing of the others' copies that need not be stored any more. */
  async forget(isResolved: (copy: Copy) => boolean): Promise<void> {
    const resolved = this.others.filter(isResolved)
    this.others = this.others.filter((copy) => !isResolved(copy))
    await this.#waiting.remove(this.#head, resolved)
  }

  /** Continues without the copies of other processes. Returns whether there were any. */
  separate(): boolean {
    this.#isSeparate = true
    return this.others.splice(0).length > 0
  }

  /** Ends the sharing of the own copies that no transaction has stored. */
  async leave(): Promise<void> {
    await this.#waiting.remove(
      this.#head,
      [...this.#put].filter(({ state }) => state.known === undefined),
    )
  }
}

function messageOf({ state }: Copy): string {
  return state.mail.messageId
}
