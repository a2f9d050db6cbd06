import { Problem } from '../../core/errors.ts'

/** Why the store cannot be opened, or why it stopped, in words for the operator. */
export class StoreError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'StoreError'
  }
}

/**
 * The error that node:sqlite throws. `errcode` is SQLite's extended result code
 * (sqlite.org/rescode.html).
 */
interface SqliteError extends Error {
  code: 'ERR_SQLITE_ERROR'
  errcode: number
}

const BUSY = 5
/**
 * Faults of the machine, which end when it is fixed. Every other code is a mistake of this program.
 */
const FAULTS: ReadonlySet<number> = new Set([
  BUSY,
  6, // LOCKED
  7, // NOMEM
  8, // READONLY
  10, // IOERR
  11, // CORRUPT
  13, // FULL
  14, // CANTOPEN
  15, // PROTOCOL
  26, // NOTADB
])

/** The primary result code of SQLite, or 0 (OK) if the error is not SQLite's. */
function resultCode(error: unknown): number {
  const { code, errcode = 0 } = error as Partial<SqliteError>
  return code === 'ERR_SQLITE_ERROR' ? errcode & 0xff : 0
}

export function isBusy(error: unknown): boolean {
  return resultCode(error) === BUSY
}

/** The error if the store cannot answer. `cause` is for the log only. */
export function unavailable(cause: unknown): Problem {
  return new Problem('unavailable', 'The service cannot reach its store just now. Try again in a moment.', {
    cause,
  })
}

/** The error if the store has reached its limit. */
export function storeFull(): Problem {
  return new Problem('unavailable', 'The store is full. Mail is refused until some of it has expired.')
}

/**
 * Turns a fault of the machine into Problem `unavailable`, and returns any other error unchanged.
 */
export function translated(error: unknown): unknown {
  return FAULTS.has(resultCode(error)) ? unavailable(error) : error
}
