import { DAY_MS } from '../../core/limits.ts'
import { ulidTime } from '../../core/ulid.ts'
import { type Item, n, number, s, ttl } from './attributes.ts'
import type { Table } from './table.ts'

/** A queue gives a message back for at most 14 days (SQS, MessageRetentionPeriod), its dead letters too. */
const REMEMBERED_MS = 15 * DAY_MS

/** Each recipient's email id, or null when that copy was removed. */
export type Copies = Map<string, string | null>

/**
 * One item for each delivery, which says what became of it:
 *
 * - `copies`: for each recipient the id of its email; once that is removed, the number of copies that were left
 *   just before, so that 1 marks the copy that was removed last
 * - `left`: copies that are not removed
 *
 * All that must happen once for several processes is decided by a condition on this item.
 */
export class Deliveries {
  readonly #table: Table

  constructor(table: Table) {
    this.#table = table
  }

  /**
   * Gives a new delivery these ids. Of several processes that handle one delivery the first one's ids count:
   * the others, and every later attempt, get them returned.
   */
  async begin(
    delivery: string,
    ids: Map<string, string>,
    retentionMs: number,
    now: number,
  ): Promise<Copies | undefined> {
    const copies = Object.fromEntries(Array.from(ids, ([address, id]) => [address, s(id)]))
    const written = await this.#table.put(
      {
        ...keyOf(delivery),
        copies: { M: copies },
        left: n(ids.size),
        retention_ms: n(retentionMs),
        expires_at: ttl(now + retentionMs + REMEMBERED_MS),
      },
      { condition: 'attribute_not_exists(#pk)' },
    )
    return written.done ? undefined : copiesOf(written.item)
  }

  /** Gives a recipient that the delivery did not have yet this id; returns the id that counts. */
  join(delivery: string, address: string, id: string): Promise<string | null> {
    return this.#set(delivery, address, id, {
      update: 'SET #copies.#address = :id, #left = #left + :one',
      condition: 'attribute_exists(#pk) AND attribute_not_exists(#copies.#address)',
      values: { ':one': n(1) },
    })
  }

  /** Gives a recipient this id instead of the one that it has; returns the id that counts, null for removed. */
  replace(delivery: string, address: string, old: string, id: string): Promise<string | null> {
    return this.#set(delivery, address, id, {
      update: 'SET #copies.#address = :id',
      condition: '#copies.#address = :old',
      values: { ':old': s(old) },
    })
  }

  /** The id of a recipient's email; null when it was removed. */
  async copy(delivery: string, address: string): Promise<string | null> {
    return copiesOf(await this.#table.get(keyOf(delivery))).get(address) ?? null
  }

  /**
   * Counts a copy as removed, once, however often it is called; whether it was the last one. Others that
   * have expired count as removed as well.
   */
  async release(delivery: string, address: string, id: string, now: number): Promise<boolean> {
    const written = await this.#table.update(
      keyOf(delivery),
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
    return allExpired(item, now) && this.#releaseRest(delivery, address, left)
  }

  /** Only expired copies are left: this one becomes the last, unless another removal was faster. */
  async #releaseRest(delivery: string, address: string, left: number): Promise<boolean> {
    const { done } = await this.#table.update(keyOf(delivery), 'SET #copies.#address = :one, #left = :none', {
      condition: '#left = :left',
      names: { '#address': address },
      values: { ':one': n(1), ':none': n(0), ':left': n(left) },
    })
    return done
  }

  async #set(
    delivery: string,
    address: string,
    id: string,
    write: { update: string; condition: string; values: Item },
  ): Promise<string | null> {
    const { item } = await this.#table.update(keyOf(delivery), write.update, {
      condition: write.condition,
      names: { '#address': address },
      values: { ':id': s(id), ...write.values },
    })
    return copiesOf(item).get(address) ?? null
  }
}

function keyOf(delivery: string): Item {
  return { pk: s(`delivery#${delivery}`) }
}

function copiesOf(item: Item | undefined): Copies {
  const copies = Object.entries(item?.copies?.M ?? {})
  return new Map(copies.map(([address, { S }]) => [address, S ?? null]))
}

function allExpired(item: Item, now: number): boolean {
  const retention = number(item, 'retention_ms')
  return [...copiesOf(item).values()].every((id) => id === null || ulidTime(id) + retention <= now)
}
