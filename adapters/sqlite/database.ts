import { accessSync, chmodSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { isBusy, StoreError, translated } from './errors.ts'
import { MIGRATIONS, migrate } from './migrations.ts'

const DATABASE_FILE = 'mayfly.db'
const LOCK_FILE = 'lock.db'

/**
 * How long a statement waits for a lock of another process, such as a backup, before it gives up.
 */
export const LOCK_WAIT_MS = 1000
/** A commit writes every page that it touches, most of them for one entry of an index. */
const PAGE_BYTES = 4096
/**
 * The cache of the connection that writes. SQLite examines its pages at the end of each commit: those of 8 MB took a
 * seventh of the CPU time of a commit without its sync. Other pages come from the cache of the operating system.
 */
const WRITER_CACHE_KIB = 1024
/**
 * How many pages of one transaction SQLite keeps in memory, although the cache is smaller, before it writes some of
 * them to the log. SQLite reads the last byte of this number as a switch: a multiple of 256 would mean that it never
 * writes them early.
 */
const SPILL_PAGES = 2000
/** Pages in the log before they are copied into the database. Each copy costs two syncs. */
const CHECKPOINT_PAGES = 4000
/** The log file shrinks to this size after a burst. */
const LOG_BYTES = 64 * 1024 * 1024

/**
 * One connection with its prepared statements. Throws Problem `unavailable` for a fault of the
 * machine.
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

  /** Yields the rows one by one; rows that the consumer does not request are not read. */
  *iterate<Row>(sql: string, ...values: SQLInputValue[]): Generator<Row, void> {
    try {
      yield* this.#prepared(sql).iterate(...values) as Iterable<Row>
    } catch (error) {
      throw translated(error)
    }
  }

  /** Returns the number of changed rows, and the id of the last inserted row. */
  run(sql: string, ...values: SQLInputValue[]): { changes: number; id: number } {
    try {
      const { changes, lastInsertRowid } = this.#prepared(sql).run(...values)
      return { changes: Number(changes), id: Number(lastInsertRowid) }
    } catch (error) {
      throw translated(error)
    }
  }

  /** Runs several reads on the same state of the database. */
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
 * Creates the directory if it does not exist and locks it for this process. The operating system
 * releases the file lock when the process ends in any way.
 *
 * @returns a function that releases the lock
 * @throws StoreError
 */
export function takeDirectory(dir: string): () => void {
  let lock: DatabaseSync | undefined
  try {
    // For the owner only, because the files contain mail and secrets. The folder may have existed
    // before.
    makeFolder(dir)
    for (const name of [LOCK_FILE, DATABASE_FILE]) protect(join(dir, name))
    lock = new DatabaseSync(join(dir, LOCK_FILE))
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    if (isBusy(error)) {
      throw new StoreError(
        `The data directory ${dir} is in use by another process. Stop that process, or use another directory.`,
        { cause: error },
      )
    }
    throw cannotOpen(dir, error)
  }
  return () => lock.close()
}

/**
 * Creates a folder and those around it. The recursive call of Node never returns where the system says that there is no
 * such folder although the one around it exists, as in /proc.
 */
function makeFolder(dir: string): void {
  if (existsSync(dir)) return
  const around = dirname(dir)
  if (around !== dir) makeFolder(around)
  try {
    mkdirSync(dir, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!existsSync(dir)) throw error
  }
}

/**
 * Opens the only connection that writes, and migrates the schema.
 * @throws StoreError
 */
export function openForWriting(dir: string): Database {
  let raw: DatabaseSync | undefined
  try {
    raw = new DatabaseSync(join(dir, DATABASE_FILE), { timeout: LOCK_WAIT_MS })
    // FULL: a commit is on the disk before it is answered, so that it survives a power failure.
    raw.exec(`
      PRAGMA page_size = ${PAGE_BYTES};
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
      PRAGMA journal_size_limit = ${LOG_BYTES};
      PRAGMA cache_size = -${WRITER_CACHE_KIB};
      PRAGMA cache_spill = ${SPILL_PAGES};
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
 * Opens a connection that only reads. Readers and the writer never wait for each other.
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

/**
 * Creates the file if it does not exist, and lets only its owner read it. SQLite copies the mode to
 * its log.
 *
 * SQLite opens a file that this user may only read without an error, locks nothing in it, and fails
 * at the first write: the service would start and refuse all mail. A file that exists is not opened
 * here, because closing it would release the locks that this process holds on it.
 *
 * @throws Error if this user may not write to the file or its log
 */
function protect(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  for (const name of [file, `${file}-wal`, `${file}-shm`].filter((name) => existsSync(name))) {
    accessSync(name, constants.W_OK)
    try {
      chmodSync(name, 0o600)
    } catch {
      // Another user owns the file, and lets this one write to it.
    }
  }
}

function cannotOpen(dir: string, error: unknown): StoreError {
  return new StoreError(
    `The store in ${dir} cannot be opened (${(error as Error).message}). Check that this user may write to the directory, ` +
      'that the disk has free space, and that its files are undamaged files of Mayfly.',
    { cause: error },
  )
}
