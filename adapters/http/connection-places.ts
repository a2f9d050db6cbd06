import { readFileSync } from 'node:fs'
import {
  FILES_RESERVED,
  HTTP_CONNECTIONS_PER_CLIENT,
  HTTP_CONNECTIONS_RESERVED,
  STREAMS_MAX,
} from '../../core/limits.ts'
import { siteOf } from '../../core/network.ts'
import { Quota } from '../../core/quota.ts'

/** Streams, and connections of other requests. */
const CONNECTIONS_MAX = STREAMS_MAX + 2000
/** Going through all connections takes a millisecond, and newcomers may arrive much faster. */
const SEARCH_EVERY_MS = 50

/** A connection that holds a place. */
export interface Holder {
  /** The client's network. */
  client: string
  /** Whether an answer has begun or ended on it. */
  hasAnswered: boolean
  /** Closes it. */
  end(): void
}

/**
 * The places for connections. The last ones are kept for clients that hold few. If none is free, the
 * connection ends whose site (core/network.ts) holds the most and that got no answer yet.
 */
export class ConnectionPlaces {
  readonly #quota: Quota
  readonly #holders = new Set<Holder>()
  #candidates: Holder[] = []
  #searchedAt = -Infinity

  /** @param places by default as many as the process may have, besides the files that it needs */
  constructor(places = placesOf(openFilesMax())) {
    this.#quota = new Quota(places, {
      perClient: HTTP_CONNECTIONS_PER_CLIENT,
      usual: Math.min(HTTP_CONNECTIONS_PER_CLIENT, Math.floor(places / 4)),
      reserved: Math.min(HTTP_CONNECTIONS_RESERVED, Math.floor(places / 10)),
    })
  }

  /** Takes a place; false if the client may have no more. */
  enter(holder: Holder): boolean {
    if (!this.#quota.has(holder.client) && !this.#endOneFor(holder.client)) return false
    this.#quota.enter(holder.client)
    this.#holders.add(holder)
    return true
  }

  /** Gives the place back. May be called more than once. */
  leave(holder: Holder): void {
    if (this.#holders.delete(holder)) this.#quota.leave(holder.client)
  }

  #endOneFor(newcomer: string): boolean {
    // The last free place is for a site that holds none.
    if (this.#quota.heldBy(siteOf(newcomer)) > 0) return false
    for (let holder = this.#next(); holder !== undefined; holder = this.#next()) {
      if (holder.hasAnswered || !this.#holders.has(holder)) continue
      if (this.#quota.heldBy(siteOf(holder.client)) <= 1) return false
      this.leave(holder)
      holder.end()
      return this.#quota.has(newcomer)
    }
    return false
  }

  /** The next connection to end; those of the fullest sites come first. */
  #next(): Holder | undefined {
    const now = performance.now()
    if (this.#candidates.length === 0 && now - this.#searchedAt > SEARCH_EVERY_MS) {
      this.#searchedAt = now
      const held = (holder: Holder) => this.#quota.heldBy(siteOf(holder.client))
      const fresh = [...this.#holders].filter(({ hasAnswered }) => !hasAnswered)
      const most = fresh.reduce((max, holder) => Math.max(max, held(holder)), 0)
      this.#candidates = fresh.filter((holder) => held(holder) > most / 2)
    }
    return this.#candidates.pop()
  }
}

/** The connections of a process that may have this many open files. */
export function placesOf(files: number): number {
  return Math.max(1, Math.min(CONNECTIONS_MAX, files - FILES_RESERVED))
}

/** The most open files of this process, where the system tells it. */
export function openFilesMax(): number {
  try {
    return openFilesIn(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return Infinity
  }
}

/** The most open files that Linux' text about the limits of a process names. */
export function openFilesIn(limits: string): number {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
  return Number(soft ?? Infinity)
}
