import { closeSync, existsSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from './database.ts'

/**
 * The share of the free disk space that the store may take by default. The rest is for its log and
 * for other programs.
 */
const SHARE = 0.8
/** A message takes at most this many times its size: raw, its text, its attachments decoded. */
export const SIZE_FACTOR = 2.5
/** How long a measurement is used again. */
const MEASURED_MS = 50

const RESERVE_FILE = 'reserve'
/** The most bytes that removing one batch of expired mail writes to the log. */
const RESERVE_MAX_BYTES = 4 * 1024 * 1024
/**
 * Shares of the store's limit for its log, before the log is copied into the database, and for the
 * reserve.
 */
const LOG_SHARE = 0.1
const RESERVE_SHARE = 0.05

/**
 * Limits what the store takes of its disk: above the limit mail is refused, before a write fails. A
 * file holds some space in reserve for the sweep, which needs space before it frees any.
 */
export class Space {
  readonly maxBytes: number
  readonly #db: Database
  readonly #reserve: string
  #used = 0
  #measuredAt = Number.NEGATIVE_INFINITY

  /** @param maxBytes limit for the database; a share of the free space if undefined */
  constructor(db: Database, dir: string, maxBytes: number | undefined) {
    this.#db = db
    this.#reserve = join(dir, RESERVE_FILE)
    this.maxBytes = maxBytes ?? Math.floor(SHARE * (freeBytes(dir) + this.#measure().file))
    const page = Number(db.get<{ page_size: number }>('PRAGMA page_size')!.page_size)
    const { wal_autocheckpoint: pages } = db.get<{ wal_autocheckpoint: number }>('PRAGMA wal_autocheckpoint')!
    const most = Math.max(10, Math.floor((LOG_SHARE * this.maxBytes) / page))
    if (most < pages) {
      db.raw.exec(`PRAGMA wal_autocheckpoint = ${most}; PRAGMA journal_size_limit = ${most * page};`)
    }
    this.hold()
  }

  /** Whether there is room for a message of this size. */
  hasRoom(bytes: number): boolean {
    return this.used() + bytes * SIZE_FACTOR < this.maxBytes
  }

  /** The bytes that the database uses. */
  used(): number {
    const now = performance.now()
    if (now - this.#measuredAt > MEASURED_MS) {
      this.#used = this.#measure().used
      this.#measuredAt = now
    }
    return this.#used
  }

  /** Holds space in reserve, if there is enough. */
  hold(): void {
    if (existsSync(this.#reserve)) return
    const size = Math.min(RESERVE_MAX_BYTES, Math.floor(RESERVE_SHARE * this.maxBytes))
    try {
      const file = openSync(this.#reserve, 'wx', 0o600)
      try {
        // Written, because a file that is only extended takes no space.
        for (let at = 0; at < size; ) at += writeSync(file, Buffer.alloc(Math.min(size - at, 65_536)))
      } finally {
        closeSync(file)
      }
    } catch {
      // The disk is full, and a partial reserve would take the last of it.
      this.release()
    }
  }

  /** Gives the reserve back to the disk. */
  release(): void {
    rmSync(this.#reserve, { force: true })
  }

  /** Free pages are used again, but the file never shrinks. */
  #measure(): { used: number; file: number } {
    const { pages, free, size } = this.#db.get<{ pages: number; free: number; size: number }>(
      `SELECT page_count AS pages, freelist_count AS free, page_size AS size
       FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
    )!
    return { used: (pages - free) * size, file: pages * size }
  }
}

function freeBytes(dir: string): number {
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize
}
