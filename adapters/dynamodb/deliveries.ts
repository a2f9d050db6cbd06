import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { DAY_MS } from '../../core/limits.ts'
import { ulidTime } from '../../core/ulid.ts'
import { type Item, n, number, s, ttl } from './attributes.ts'
import type { Table } from './table.ts'

/** A queue gives a message back for at most 14 days (SQS, MessageRetentionPeriod), its dead letters too. */
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
 * - `copies`: for each recipient '' until its email is stored, then its id; once that is removed, the number of
 *   copies that were left just before, so that 1 marks the copy that was removed last
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
   * The delivery's part of the transaction that stores the email of one recipient. Refused when the delivery is
   * not as `known` says; then the refusal brings it.
   *
   * @param recipients all of them; those that a new delivery has beside this one are pending
   */
  storing(
    messageId: string,
    copy: { address: string; id: string; recipients: string[]; retentionMs: number; now: number },
    known: Copies | undefined,
  ): TransactWriteItem {
    const { address, id, recipients } = copy
    if (known === undefined) {
      const copies = recipients.map((recipient) => [recipient, s(recipient === address ? id : PENDING)])
      const item = {
        ...keyOf(messageId),
        copies: { M: Object.fromEntries(copies) },
        left: n(recipients.length),
        retention_ms: n(copy.retentionMs),
        expires_at: ttl(copy.now + copy.retentionMs + REMEMBERED_MS),
      }
      return this.#table.putting(item, { condition: 'attribute_not_exists(#pk)' })
    }
    const names = { '#address': address }
    if (known.has(address)) {
      return this.#table.updating(keyOf(messageId), 'SET #copies.#address = :id', {
        condition: '#copies.#address = :pending',
        names,
        values: { ':id': s(id), ':pending': s(PENDING) },
      })
    }
    return this.#table.updating(keyOf(messageId), 'SET #copies.#address = :id, #left = #left + :one', {
      condition: 'attribute_exists(#pk) AND attribute_not_exists(#copies.#address)',
      names,
      values: { ':id': s(id), ':one': n(1) },
    })
  }

  /**
   * Counts a copy as removed, once, however often it is called; whether it was the last one. Others that
   * have expired count as removed as well.
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
