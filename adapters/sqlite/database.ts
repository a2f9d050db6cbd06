import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { isBusy, StoreError, translated } from './errors.ts'
import { MIGRATIONS, migrate } from './migrations.ts'

const DATABASE_FILE = 'mayfly.db'
const LOCK_FILE = 'lock.db'

/** How long a statement waits for a lock of another process, such as a backup, before it gives up. */
export const LOCK_WAIT_MS = 1000
/** Two small mails to a page, with all that is stored of them. Older databases keep the 4 KiB that they have. */
const PAGE_BYTES = 8192
/** Pages in the log before they are copied into the database: each copy costs two syncs. */
const CHECKPOINT_PAGES = 2000
/** The log file shrinks to this after a burst. */
const LOG_BYTES = 64 * 1024 * 1024

/**
 * One connection and its prepared statements, each prepared once. A fault of the machine is thrown as Problem
 * `unavailable`.
 */
export class Database {
  readonly raw: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(raw: DatabaseSync) {
    this.raw = raw
  }

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    try {
      return this.#prepared(sql).get(...values) as Row | undefined
    } catch (error) {
      throw translated(error)
    }
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    try {
      return this.#prepared(sql).all(...values) as Row[]
    } catch (error) {
      throw translated(error)
    }
  }

  /** How many rows were changed, and the id of the last one inserted. */
  run(sql: string, ...values: SQLInputValue[]): { changes: number; id: number } {
    try {
      const { changes, lastInsertRowid } = this.#prepared(sql).run(...values)
      return { changes: Number(changes), id: Number(lastInsertRowid) }
    } catch (error) {
      throw translated(error)
    }
  }

  /** Runs several reads on one state of the database. */
  snapshot<T>(reads: () => T): T {
    if (this.raw.isTransaction) return reads()
    this.run('BEGIN')
    try {
      return reads()
    } finally {
      this.run('COMMIT')
    }
  }

  close(): void {
    this.#statements.clear()
    this.raw.close()
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.raw.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

/**
 * Makes the directory if it is absent and takes it for this process: the lock is a file lock, so the system
 * releases it however the process ends.
 *
 * @returns the release
 * @throws StoreError
 */
export function takeDirectory(dir: string): () => void {
  let lock: DatabaseSync | undefined
  try {
    // For the owner alone: what is inside is other people's mail.
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    lock = new DatabaseSync(join(dir, LOCK_FILE))
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    if (isBusy(error)) {
      throw new StoreError(
        `The data directory ${dir} is in use by another process. Stop that one, or give this one a directory of its own.`,
        { cause: error },
      )
    }
    throw cannotOpen(dir, error)
  }
  return () => lock.close()
}

/**
 * The one connection that writes, with the schema brought up to date.
 * @throws StoreError
 */
export function openForWriting(dir: string): Database {
  let raw: DatabaseSync | undefined
  try {
    raw = new DatabaseSync(join(dir, DATABASE_FILE), { timeout: LOCK_WAIT_MS })
    // FULL: a commit is on the disk before it is answered, also when the power fails.
    raw.exec(`
      PRAGMA page_size = ${PAGE_BYTES};
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
      PRAGMA journal_size_limit = ${LOG_BYTES};
      PRAGMA cache_size = -16384;
      PRAGMA temp_store = MEMORY;
    `)
    migrate(raw, MIGRATIONS)
    return new Database(raw)
  } catch (error) {
    raw?.close()
    throw error instanceof StoreError ? error : cannotOpen(dir, error)
  }
}

/**
 * A connection that only reads. Readers never wait for the writer, nor it for them.
 * @throws StoreError
 */
export function openForReading(dir: string): Database {
  try {
    const raw = new DatabaseSync(join(dir, DATABASE_FILE), { readOnly: true, timeout: LOCK_WAIT_MS })
    raw.exec('PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY;')
    return new Database(raw)
  } catch (error) {
    throw cannotOpen(dir, error)
  }
}

function cannotOpen(dir: string, error: unknown): StoreError {
  return new StoreError(
    `The store in ${dir} cannot be opened (${(error as Error).message}). Check that it is a directory that this user may write to, ` +
      'with space left, and that its files are those of Mayfly and undamaged.',
    { cause: error },
  )
}
