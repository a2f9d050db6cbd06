import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { DAY_MS } from '../../core/limits.ts'
import { ulidTime } from '../../core/ulid.ts'
import { type Item, n, number, s, ttl } from './attributes.ts'
import type { Table } from './table.ts'

/**
 * A queue gives a message back for at most 14 days (SQS, MessageRetentionPeriod), its dead letters
 * too.
 */
const REMEMBERED_MS = 15 * DAY_MS

/** What became of the copy of one recipient. */
export type Copy =
  | { state: 'pending' }
  | { state: 'stored'; id: string }
  /** Removed by a caller. */
  | { state: 'removed' }

export type Copies = ReadonlyMap<string, Copy>

/**
 * One item for each delivery, which says what became of it:
 *
 * - `copies`: for each recipient '' until its email is stored, then its id; once that is removed,
 *   the number of copies that were left just before, so that 1 marks the copy that was removed last
 * - `left`: copies that are not removed, pending ones too: their bytes are still wanted
 *
 * All that must happen once for several processes is decided by a condition on this item.
 */
export class Deliveries {
  readonly #table: Table

  constructor(table: Table) {
    this.#table = table
  }

  /** Undefined when nothing of the delivery was stored yet. */
  async find(messageId: string): Promise<Copies | undefined> {
    const item = await this.#table.get(keyOf(messageId))
    return item && copiesOf(item)
  }

  /**
   * Returns the delivery's part of a transaction that stores emails of it. It is refused if the
   * delivery is not as `known` says; the refusal then returns the item.
   *
   * @param copies the copies to store, by address
   * @param delivery with all recipients: those of a new delivery that are not in `copies` are
   *   pending
   */
  storing(
    copies: ReadonlyMap<string, string>,
    delivery: { messageId: string; recipients: string[]; retentionMs: number; now: number },
    known: Copies | undefined,
  ): TransactWriteItem {
    const { messageId } = delivery
    if (known === undefined)
      return this.#table.putting(newItem(copies, delivery), { condition: 'attribute_not_exists(#pk)' })
    const sets: string[] = []
    const conditions: string[] = ['attribute_exists(#pk)']
    const names: Record<string, string> = {}
    const values: Item = {}
    let added = 0
    for (const [i, [address, id]] of [...copies].entries()) {
      names[`#address${i}`] = address
      values[`:id${i}`] = s(id)
      sets.push(`#copies.#address${i} = :id${i}`)
      if (known.has(address)) {
        values[':pending'] = s(PENDING)
        conditions.push(`#copies.#address${i} = :pending`)
      } else {
        added++
        conditions.push(`attribute_not_exists(#copies.#address${i})`)
      }
    }
    if (added > 0) {
      values[':added'] = n(added)
      sets.push('#left = #left + :added')
    }
    const condition = conditions.join(' AND ')
    return this.#table.updating(keyOf(messageId), `SET ${sets.join(', ')}`, { condition, names, values })
  }

  /**
   * Counts a copy as removed, once, however often it is called; whether it was the last one. Others
   * that have expired count as removed as well.
   */
  async release(messageId: string, address: string, id: string, now: number): Promise<boolean> {
    const written = await this.#table.update(
      keyOf(messageId),
      // A value on the right is the one from before the update.
      'SET #copies.#address = #left, #left = #left - :one',
      {
        condition: '#copies.#address = :id',
        names: { '#address': address },
        values: { ':id': s(id), ':one': n(1) },
      },
    )
    const { item } = written
    if (!written.done || item === undefined) return item?.copies?.M?.[address]?.N === '1'
    const left = number(item, 'left')
    if (left === 0) return true
    return allExpired(item, now) && this.#releaseRest(messageId, address, left)
  }

  /** Only expired copies are left: this one becomes the last, unless another removal was faster. */
  async #releaseRest(messageId: string, address: string, left: number): Promise<boolean> {
    const { done } = await this.#table.update(
      keyOf(messageId),
      'SET #copies.#address = :one, #left = :none',
      {
        condition: '#left = :left',
        names: { '#address': address },
        values: { ':one': n(1), ':none': n(0), ':left': n(left) },
      },
    )
    return done
  }
}

/** The item of a delivery of which nothing was stored before. */
function newItem(
  copies: ReadonlyMap<string, string>,
  delivery: { messageId: string; recipients: string[]; retentionMs: number; now: number },
): Item {
  const { messageId, recipients, retentionMs, now } = delivery
  const entries = recipients.map((recipient) => [recipient, s(copies.get(recipient) ?? PENDING)])
  return {
    ...keyOf(messageId),
    copies: { M: Object.fromEntries(entries) },
    left: n(recipients.length),
    retention_ms: n(retentionMs),
    expires_at: ttl(now + retentionMs + REMEMBERED_MS),
  }
}

const PENDING = ''

function keyOf(messageId: string): Item {
  return { pk: s(`delivery#${messageId}`) }
}

/** The copies in a delivery's item. */
export function copiesOf(item: Item): Copies {
  const copies = Object.entries(item.copies?.M ?? {})
  return new Map(
    copies.map(([address, { S: id }]): [string, Copy] => {
      if (id === undefined) return [address, { state: 'removed' }]
      return [address, id === PENDING ? { state: 'pending' } : { state: 'stored', id }]
    }),
  )
}

function allExpired(item: Item, now: number): boolean {
  const retention = number(item, 'retention_ms')
  return [...copiesOf(item).values()].every(
    (copy) => copy.state === 'removed' || (copy.state === 'stored' && ulidTime(copy.id) + retention <= now),
  )
}
