import { closeSync, existsSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from './database.ts'

/** Of the free disk, what the store takes where nobody said how much. The rest is for its log, and for others. */
const SHARE = 0.8
/** A message takes this many times its size: as it came, its text, its attachments decoded. */
const SIZE_FACTOR = 2.5
/** For so long a measurement is good. */
const MEASURED_MS = 50

const RESERVE_FILE = 'reserve'
/** What removing one batch of what has expired writes to the log, at most. */
const RESERVE_MAX_BYTES = 4 * 1024 * 1024
/** Of what the store may take: its log before it is copied into the database, and what is held in reserve. */
const LOG_SHARE = 0.1
const RESERVE_SHARE = 0.05

/**
 * What the store may take of its disk: above that, mail is refused before anything fails. A file holds some space
 * in reserve for the sweep, which needs some before it gives any.
 */
export class Space {
  readonly maxBytes: number
  readonly #db: Database
  readonly #reserve: string
  #used = 0
  #measuredAt = Number.NEGATIVE_INFINITY

  /** @param maxBytes of the database; a share of the free space when it is undefined */
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

  /** Whether a message of so many bytes may come in. */
  hasRoom(bytes: number): boolean {
    const now = performance.now()
    if (now - this.#measuredAt > MEASURED_MS) {
      this.#used = this.#measure().used
      this.#measuredAt = now
    }
    return this.#used + bytes * SIZE_FACTOR < this.maxBytes
  }

  /** Holds space in reserve, if there is any. */
  hold(): void {
    if (existsSync(this.#reserve)) return
    const size = Math.min(RESERVE_MAX_BYTES, Math.floor(RESERVE_SHARE * this.maxBytes))
    try {
      const file = openSync(this.#reserve, 'wx', 0o600)
      try {
        // Written, since a file that is only made longer takes no space.
        for (let at = 0; at < size; ) at += writeSync(file, Buffer.alloc(Math.min(size - at, 65_536)))
      } finally {
        closeSync(file)
      }
    } catch {
      // The disk is full, and this would only take of what is left.
      this.release()
    }
  }

  /** Gives the reserve back to the disk. */
  release(): void {
    rmSync(this.#reserve, { force: true })
  }

  /** Pages that hold nothing any more are used again, but the file never becomes smaller. */
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
