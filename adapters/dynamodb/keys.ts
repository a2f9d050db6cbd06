import type { Admission, ApiKey, Keys } from '../../core/access/ports.ts'
import { DAY_MS, MINUTE_MS } from '../../core/limits.ts'
import { type Item, n, number, s, text, ttl } from './attributes.ts'
import type { Table } from './table.ts'

/** For this long an expired key is reported as expired, and later as unknown. */
const EXPIRED_KEY_MS = 7 * DAY_MS

/**
 * API keys, one item each, with counters for the last two minutes: `n` counts the requests of
 * `minute`, `before` those of the preceding minute, which a process uses if its clock is slightly
 * behind.
 */
export class DynamoKeys implements Keys {
  readonly #table: Table

  constructor(table: Table) {
    this.#table = table
  }

  async add({ hash, purpose, createdAt, expiresAt }: ApiKey): Promise<void> {
    await this.#table.put({
      ...keyOf(hash),
      purpose: s(purpose),
      created_at: n(createdAt),
      expires_at: n(expiresAt),
      ttl: ttl(expiresAt + EXPIRED_KEY_MS),
      minute: n(0),
      n: n(0),
      before: n(0),
    })
  }

  /**
   * Takes one conditional write, and two for the first request of a minute. Two requests of one key
   * at the start of minute 8, with the item at minute 7:
   *
   *   A: n + 1 if minute = 8                 rejected, the item has minute 7
   *   B: n + 1 if minute = 8                 rejected, the item has minute 7
   *   A: minute = 8, n = 1 if minute = 7     done
   *   B: minute = 8, n = 1 if minute = 7     rejected, the item has minute 8
   *   B: n + 1 if minute = 8                 done, n = 2
   *
   * DynamoDB serializes the writes of one item, so none is lost and n never exceeds the limit.
   */
  async admit(hash: string, limit: number, now: number): Promise<Admission> {
    const minute = Math.floor(now / MINUTE_MS)
    let step = countIn(minute, 'n', limit)
    for (;;) {
      const written = await this.#table.update(keyOf(hash), step.update, {
        // Without an item `expires_at` does not exist, and every comparison with it is false.
        condition: `${step.condition} AND #expires_at > :now`,
        values: { ...step.values, ':now': n(now), ':one': n(1) },
      })
      if (written.item === undefined) return { outcome: 'unknown' }
      const key = apiKey(hash, written.item)
      if (written.done) {
        return { outcome: 'admitted', key, remaining: limit - number(written.item, step.counter) }
      }
      if (key.expiresAt <= now) return { outcome: 'expired' }
      const next = stepFor(written.item, minute, limit)
      if (next === undefined) return { outcome: 'limited', key }
      step = next
    }
  }

  async find(hash: string): Promise<ApiKey | undefined> {
    const item = await this.#table.get(keyOf(hash))
    return item && apiKey(hash, item)
  }

  async revoke(hash: string): Promise<boolean> {
    const { done } = await this.#table.delete(keyOf(hash), { condition: 'attribute_exists(#pk)' })
    return done
  }
}

/** One attempt to count a request. */
interface Step {
  update: string
  condition: string
  values: Item
  /** The attribute that holds the count of the minute afterwards. */
  counter: 'n' | 'before'
}

/**
 * Returns the next attempt after a rejection, from the item that caused it; undefined if the minute
 * is used up.
 */
function stepFor(item: Item, minute: number, limit: number): Step | undefined {
  const seen = number(item, 'minute')
  if (seen === minute) return number(item, 'n') < limit ? countIn(seen, 'n', limit) : undefined
  if (seen === minute + 1) {
    return number(item, 'before') < limit ? countIn(seen, 'before', limit) : undefined
  }
  return {
    update: `SET #before = ${seen === minute - 1 ? '#n' : ':zero'}, #minute = :minute, #n = :one`,
    condition: '#minute = :seen',
    values: {
      ':minute': n(minute),
      ':seen': n(seen),
      ...(seen === minute - 1 ? {} : { ':zero': n(0) }),
    },
    counter: 'n',
  }
}

/** Adds one to a counter if the item is at the minute `seen`. */
function countIn(seen: number, counter: Step['counter'], limit: number): Step {
  return {
    update: `SET #${counter} = #${counter} + :one`,
    condition: `#minute = :seen AND #${counter} < :limit`,
    values: { ':seen': n(seen), ':limit': n(limit) },
    counter,
  }
}

function keyOf(hash: string): Item {
  return { pk: s(`key#${hash}`) }
}

function apiKey(hash: string, item: Item): ApiKey {
  return {
    hash,
    purpose: text(item, 'purpose'),
    createdAt: number(item, 'created_at'),
    expiresAt: number(item, 'expires_at'),
  }
}
