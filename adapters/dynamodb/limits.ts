import type { Limits, Quota } from '../../core/access/ports.ts'
import { type Item, n, number, s, text, ttl } from './attributes.ts'
import type { Table } from './table.ts'

/** Quotas, one item each with the times of its uses, and sequences of numbers. */
export class DynamoLimits implements Limits {
  readonly #table: Table

  constructor(table: Table) {
    this.#table = table
  }

  /**
   * Writes the list of times if it has not changed since it was read. Two callers that want the
   * last use:
   *
   *   A, B: read the list [t1, t2, t3, t4]
   *   A: list = [t1, t2, t3, t4, a] if it is [t1, t2, t3, t4]    done
   *   B: list = [t1, t2, t3, t4, b] if it is [t1, t2, t3, t4]    rejected with A's list: used up
   *
   * Each rejection means that another caller got a use, so the loop ends after at most `limit` of
   * them.
   */
  async take(name: string, subject: string, limit: number, windowMs: number, now: number): Promise<Quota> {
    const key = quotaKey(name, subject)
    let known = await this.#table.get(key)
    for (;;) {
      const counted = countedUses(known, windowMs, now)
      if (counted.length >= limit) return quota(counted, limit, windowMs, now)
      const uses = [...counted, now]
      const last = Math.max(...uses)
      const written = await this.#table.update(key, 'SET #uses = :uses, #ttl = :ttl', {
        condition: known === undefined ? 'attribute_not_exists(#pk)' : '#uses = :known',
        values: {
          ':uses': { L: uses.map(n) },
          ':ttl': ttl(last + windowMs),
          ...(known === undefined ? {} : { ':known': known.uses! }),
        },
      })
      if (written.done) return { ...quota(uses, limit, windowMs, now), allowed: true }
      known = written.item
    }
  }

  async peek(name: string, subject: string, limit: number, windowMs: number, now: number): Promise<Quota> {
    const known = await this.#table.get(quotaKey(name, subject))
    return quota(countedUses(known, windowMs, now), limit, windowMs, now)
  }

  /** If the response is lost, the leased numbers stay unused. */
  async lease(name: string, count: number, secret: string): Promise<{ first: number; secret: string }> {
    const { item } = await this.#table.update(
      { pk: s(`sequence#${name}`) },
      'SET #secret = if_not_exists(#secret, :secret) ADD #next :count',
      { values: { ':secret': s(secret), ':count': n(count) } },
    )
    return { first: number(item!, 'next') - count, secret: text(item!, 'secret') }
  }
}

function quotaKey(name: string, subject: string): Item {
  return { pk: s(`quota#${name}#${subject}`) }
}

/**
 * Returns the uses in the window that ends at `now`. Uses after `now`, by a faster clock, count
 * too.
 */
function countedUses(item: Item | undefined, windowMs: number, now: number): number[] {
  const uses = item?.uses?.L ?? []
  return uses.map((use) => number({ use }, 'use')).filter((use) => use > now - windowMs)
}

function quota(uses: number[], limit: number, windowMs: number, now: number): Quota {
  return {
    allowed: uses.length < limit,
    remaining: Math.max(0, limit - uses.length),
    resetsAt: uses.length === 0 ? now : Math.min(...uses) + windowMs,
  }
}
