import type { Limits, Quota } from '../../core/access/ports.ts'
import type { Database } from './database.ts'
import type { CommandSet, Committed, Transaction } from './transaction.ts'

type Commands = Committed<typeof limitCommands>

export class SqliteLimits implements Limits {
  readonly #db: Database
  readonly #commands: Commands

  constructor(db: Database, commands: Commands) {
    this.#db = db
    this.#commands = commands
  }

  take(name: string, subject: string, limit: number, windowMs: number, now: number): Promise<Quota> {
    return this.#commands.takeUse(name, subject, limit, windowMs, now)
  }

  async peek(name: string, subject: string, limit: number, windowMs: number, now: number): Promise<Quota> {
    return quota(usesOf(this.#db, name, subject, windowMs, now), limit, windowMs, now)
  }

  lease(name: string, count: number, secret: string): Promise<{ first: number; secret: string }> {
    return this.#commands.leaseNumbers(name, count, secret)
  }
}

/** Commands that change limits. */
export const limitCommands = {
  takeUse(
    { db }: Transaction,
    name: string,
    subject: string,
    limit: number,
    windowMs: number,
    now: number,
  ): Quota {
    const uses = usesOf(db, name, subject, windowMs, now)
    if (uses.count >= limit) return quota(uses, limit, windowMs, now)
    db.run(
      'INSERT INTO uses (name, subject, at, expires_at) VALUES (?, ?, ?, ?)',
      name,
      subject,
      now,
      now + windowMs,
    )
    const after = { count: uses.count + 1, oldest: Math.min(uses.oldest ?? now, now) }
    return { ...quota(after, limit, windowMs, now), allowed: true }
  },

  leaseNumbers(
    { db }: Transaction,
    name: string,
    count: number,
    secret: string,
  ): { first: number; secret: string } {
    const { next, secret: kept } = db.get<{ next: number; secret: string }>(
      `INSERT INTO sequences (name, next, secret) VALUES (?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET next = next + ? RETURNING next, secret`,
      name,
      count,
      secret,
      count,
    )!
    return { first: next - count, secret: kept }
  },
} satisfies CommandSet

interface Uses {
  count: number
  /** Null if no use counts. */
  oldest: number | null
}

/**
 * Returns the uses in the window that ends at `now`. Later uses, from before the clock stepped
 * back, count too.
 */
function usesOf(db: Database, name: string, subject: string, windowMs: number, now: number): Uses {
  return db.get<Uses>(
    'SELECT count(*) AS count, min(at) AS oldest FROM uses WHERE name = ? AND subject = ? AND at > ?',
    name,
    subject,
    now - windowMs,
  )!
}

function quota({ count, oldest }: Uses, limit: number, windowMs: number, now: number): Quota {
  return {
    allowed: count < limit,
    remaining: Math.max(0, limit - count),
    resetsAt: oldest === null ? now : oldest + windowMs,
  }
}
