import type { Admission, ApiKey, Keys } from '../../core/access/ports.ts'
import { MINUTE_MS } from '../../core/limits.ts'
import type { Database } from './database.ts'
import type { CommandSet, Committed, Transaction } from './transaction.ts'
import { removeWebhooksOf } from './webhooks.ts'

/**
 * API keys in the database. Their requests are counted in memory, in one thread of one process,
 * because each other thread would count for itself.
 */
const KEY =
  'SELECT hash, purpose, created_at AS createdAt, expires_at AS expiresAt FROM api_keys WHERE hash = ?'

type Commands = Committed<typeof keyCommands>

export class SqliteKeys implements Keys {
  readonly #db: Database
  readonly #commands: Commands
  /** Requests by clock minute and key. */
  readonly #counts = new Map<number, Map<string, number>>()

  constructor(db: Database, commands: Commands) {
    this.#db = db
    this.#commands = commands
  }

  add(key: ApiKey): Promise<void> {
    return this.#commands.addKey(key)
  }

  async admit(hash: string, limit: number, now: number): Promise<Admission> {
    const key = this.#db.get<ApiKey>(KEY, hash)
    if (key === undefined) return { outcome: 'unknown' }
    if (key.expiresAt <= now) return { outcome: 'expired' }

    const counts = this.#countsOf(Math.floor(now / MINUTE_MS))
    const count = (counts.get(hash) ?? 0) + 1
    if (count > limit) return { outcome: 'limited', key }
    counts.set(hash, count)
    return { outcome: 'admitted', key, remaining: limit - count }
  }

  async find(hash: string): Promise<ApiKey | undefined> {
    return this.#db.get<ApiKey>(KEY, hash)
  }

  revoke(hash: string): Promise<boolean> {
    return this.#commands.revokeKey(hash)
  }

  /** Keeps the previous minute too, because a request of it may be counted late. */
  #countsOf(minute: number): Map<string, number> {
    let counts = this.#counts.get(minute)
    if (counts === undefined) {
      for (const other of this.#counts.keys()) if (other < minute - 1) this.#counts.delete(other)
      counts = new Map()
      this.#counts.set(minute, counts)
    }
    return counts
  }
}

/** Commands that change keys. */
export const keyCommands = {
  addKey({ db }: Transaction, { hash, purpose, createdAt, expiresAt }: ApiKey): void {
    db.run(
      'INSERT OR REPLACE INTO api_keys (hash, purpose, created_at, expires_at) VALUES (?, ?, ?, ?)',
      hash,
      purpose,
      createdAt,
      expiresAt,
    )
  },

  revokeKey({ db }: Transaction, hash: string): boolean {
    removeWebhooksOf(db, hash)
    return db.run('DELETE FROM api_keys WHERE hash = ?', hash).changes > 0
  },
} satisfies CommandSet
