import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Clock } from '../../core/clock.ts'
import type { NewMessage } from '../../core/inbox/ports.ts'
import { MINUTE_MS } from '../../core/limits.ts'
import { inParallel } from '../../core/parallel.ts'
import { type Item, s, text, ttl } from './attributes.ts'
import { COPIES_PER_TRANSACTION, type Copy } from './copy.ts'
import type { Table } from './table.ts'

const WAITING = 'waiting#'
/** Longer than a function runs. A copy whose function ended is stored when it is handled again. */
const KEPT_MS = 15 * MINUTE_MS
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Whether a partition of the mail table holds copies that wait. */
export function isWaiting(partition: string): boolean {
  return partition.startsWith(WAITING)
}

/**
 * Copies of all processes that wait for one head, in the mail table. Transactions on a head exclude
 * each other, so many processes with one copy each would store less than 100 a second, and most of
 * their transactions would conflict. After conflicts a process therefore puts its copies here, and
 * the next transaction of any process stores all of them:
 *
 *   A, B, C: store x, y, z                   conflicts: another transaction is in flight
 *   A, B, C: put x, y, z here
 *   B: reads x, y, z; stores all three       done, and removed from here by the same transaction
 *   A, C: read that x and z are not here     the items of their messages have the ids
 */
export class WaitingCopies {
  readonly #table: Table
  readonly #clock: Clock

  constructor(table: Table, clock: Clock) {
    this.#table = table
    this.#clock = clock
  }

  /** Puts copies with one recipient each, which wait for this head. */
  async put(head: string, copies: Copy[]): Promise<void> {
    await inParallel(copies, COPIES_PER_TRANSACTION, (copy) => this.#table.put(this.#itemOf(head, copy)))
  }

  /** Returns the copies that wait for this head, at most as many as one transaction stores. */
  async list(head: string): Promise<Copy[]> {
    const { items } = await this.#table.query({
      key: '#pk = :pk',
      values: { ':pk': s(WAITING + head) },
      limit: COPIES_PER_TRANSACTION,
    })
    return items.map(copyFrom)
  }

  /** Returns the write that removes a copy, for the transaction that stores it. */
  removing(head: string, copy: Copy) {
    return this.#table.deleting(keyOf(head, copy))
  }

  /** Removes copies that are not stored. */
  async remove(head: string, copies: Copy[]): Promise<void> {
    await inParallel(copies, COPIES_PER_TRANSACTION, (copy) => this.#table.delete(keyOf(head, copy)))
  }

  #itemOf(head: string, copy: Copy): Item {
    return {
      ...keyOf(head, copy),
      address: s(copy.address),
      message: { B: brotliCompressSync(JSON.stringify(copy.state.mail), COMPRESSION) },
      ttl: ttl(this.#clock() + KEPT_MS),
    }
  }
}

function keyOf(head: string, { state }: Copy): Item {
  return { pk: s(WAITING + head), sk: s(state.mail.messageId) }
}

function copyFrom(item: Item): Copy {
  const address = text(item, 'address')
  const mail = JSON.parse(brotliDecompressSync(item.message!.B!).toString()) as NewMessage
  return { state: { mail, recipients: [address], known: undefined }, address, minted: undefined }
}
