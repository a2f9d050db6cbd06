import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
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
const BATCH_MAX_BYTES = 4 * 1024 * 1024
/** Shares of the store's limit for its log, before the log is copied into the database, and for a batch. */
const LOG_SHARE = 0.1
const BATCH_SHARE = 0.05

/**
 * Limits what the store takes of its disk: above the limit mail is refused, before a write fails. A
 * file holds some space in reserve for the sweep, which needs space before it frees any: it writes
 * to the log, and the log can be used again only when the database has grown by what is in it.
 */
export class Space {
  readonly maxBytes: number
  readonly #db: Database
  readonly #reserve: string
  readonly #batchBytes: number
  readonly #reserveBytes: number
  #isHeld = false
  #measured = { used: 0, file: 0 }
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
    this.#batchBytes = Math.min(BATCH_MAX_BYTES, Math.floor(BATCH_SHARE * this.maxBytes))
    this.#reserveBytes = Math.min(most, Number(pages)) * page + this.#batchBytes
    this.hold()
  }

  /**
   * Whether there is room for a message of this size. Without a reserve the file must not grow, or the
   * log could not be copied; other writes use the rest of its free pages.
   */
  hasRoom(bytes: number): boolean {
    const { used, file } = this.#recent()
    const max = this.#isHeld ? this.maxBytes : file - this.#batchBytes
    return used + bytes * SIZE_FACTOR < max
  }

  /** The bytes that the database uses. */
  used(): number {
    return this.#recent().used
  }

  /** Holds space in reserve, if there is enough. */
  hold(): void {
    const size = this.#reserveBytes
    this.#isHeld = statSync(this.#reserve, { throwIfNoEntry: false })?.size === size
    if (this.#isHeld) return
    try {
      // Of another size if the limit was changed, or a process was killed here.
      rmSync(this.#reserve, { force: true })
      const file = openSync(this.#reserve, 'wx', 0o600)
      try {
        // Written, because a file that is only extended takes no space.
        const zeros = Buffer.alloc(65_536)
        for (let at = 0; at < size; ) at += writeSync(file, zeros, 0, Math.min(size - at, zeros.length))
      } finally {
        closeSync(file)
      }
      this.#isHeld = true
    } catch {
      // The disk is full, and a partial reserve would take the last of it.
      rmSync(this.#reserve, { force: true })
    }
  }

  /**
   * Copies the log into the database, so that the log can be written again from its start.
   * @throws Problem `unavailable` if the disk has no room for the pages by which the database grows
   */
  copyLog(): void {
    this.#db.run('PRAGMA wal_checkpoint(PASSIVE)')
  }

  /** Gives the reserve back to the disk. */
  release(): void {
    rmSync(this.#reserve, { force: true })
    this.#isHeld = false
  }

  /** What was measured at most MEASURED_MS ago. */
  #recent(): { used: number; file: number } {
    const now = performance.now()
    if (now - this.#measuredAt > MEASURED_MS) {
      this.#measured = this.#measure()
      this.#measuredAt = now
    }
    return this.#measured
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
