import { SECOND_MS } from '../../core/limits.ts'
import type { Database } from './database.ts'
import type { Space } from './space.ts'

/** The part of the store that one sender, one client or one domain may fill. */
const SHARE = 0.5
/** How long a sum is used again. It takes some ms for 100,000 messages. */
const CACHED_MS = SECOND_MS
const CACHED_MAX = 1000

/** Whose bytes are summed up: columns of the table `origins`. */
export type OriginKind = 'client' | 'sender' | 'domain'

/**
 * The bytes of the store by the client, the envelope sender and the domain of the messages. None of
 * them may fill more than half of the store, so that one stranger cannot stop the mail of all
 * others.
 */
export class Shares {
  readonly #db: Database
  readonly #space: Space
  readonly #cached = new Map<string, { bytes: number; at: number }>()

  constructor(db: Database, space: Space) {
    this.#db = db
    this.#space = space
  }

  /** Whether messages of this origin may take these bytes more. */
  allows(kind: OriginKind, name: string, bytes: number): boolean {
    const most = this.#space.maxBytes * SHARE
    // A store that is less than half full cannot hold more than half of one origin.
    if (this.#space.used() + bytes <= most) return true
    return this.#bytesOf(kind, name) + bytes <= most
  }

  #bytesOf(kind: OriginKind, name: string): number {
    const key = `${kind} ${name}`
    const now = performance.now()
    const cached = this.#cached.get(key)
    if (cached !== undefined && now - cached.at < CACHED_MS) return cached.bytes
    const { bytes } = this.#db.get<{ bytes: number }>(SUM[kind], name)!
    if (this.#cached.size >= CACHED_MAX) this.#cached.clear()
    this.#cached.set(key, { bytes, at: now })
    return bytes
  }
}

const SUM: Record<OriginKind, string> = {
  client: 'SELECT coalesce(sum(bytes), 0) AS bytes FROM origins WHERE client = ?',
  sender: 'SELECT coalesce(sum(bytes), 0) AS bytes FROM origins WHERE sender = ?',
  domain: 'SELECT coalesce(sum(bytes), 0) AS bytes FROM origins WHERE domain = ?',
}
