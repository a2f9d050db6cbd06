import type { Change } from '../../core/events/ports.ts'
import { type Database, LOCK_WAIT_MS } from './database.ts'
import { translated } from './errors.ts'

interface Waiting {
  committed(): void
  failed(error: unknown): void
}

/**
 * Puts all writes that come in one turn of the event loop into one transaction with one sync, and answers them
 * together. While the sync lasts the next ones gather, so the more there is to do, the less each one costs.
 *
 * A job runs at once, between savepoints: when it fails, its own changes are undone and only it fails. When
 * the transaction fails as a whole, all that are in it do: SQLite gives it up so when the disk is full.
 */
export class GroupCommit {
  readonly #db: Database
  readonly #announced: (announcements: Change[]) => void
  #waiting: Waiting[] = []
  #announcements: Change[] = []
  #scheduled: NodeJS.Immediate | undefined
  #patient = true

  /** @param announced is called after each commit that has announcements, in the order of the jobs */
  constructor(db: Database, announced: (announcements: Change[]) => void) {
    this.#db = db
    this.#announced = announced
  }

  /** Says what is to be announced when the running job is committed. */
  announce(announcement: Change): void {
    this.#announcements.push(announcement)
  }

  /** Resolves when the job is committed. */
  async run<T>(job: () => T): Promise<T> {
    const result = this.#execute(job)
    await new Promise<void>((committed, failed) => this.#waiting.push({ committed, failed }))
    return result
  }

  /** Commits what is open now. */
  flush(): void {
    if (this.#scheduled === undefined) return
    const { waiting, announcements } = this.#end()
    try {
      this.#db.run('COMMIT')
    } catch (error) {
      if (this.#db.raw.isTransaction) this.#db.run('ROLLBACK')
      for (const one of waiting) one.failed(error)
      return
    }
    if (announcements.length > 0) this.#announced(announcements)
    for (const one of waiting) one.committed()
  }

  #execute<T>(job: () => T): T {
    if (this.#scheduled === undefined) {
      this.#begin()
      this.#scheduled = setImmediate(() => this.flush())
    }
    const announced = this.#announcements.length
    try {
      this.#db.run('SAVEPOINT job')
      const result = job()
      this.#db.run('RELEASE job')
      return result
    } catch (error) {
      this.#announcements.length = announced
      this.#undo(error)
      throw translated(error)
    }
  }

  /**
   * Waits for a lock once: while it is still held all others are refused at once. Each of a thousand that waited
   * for itself would make the last one wait for a quarter of an hour.
   */
  #begin(): void {
    try {
      this.#db.run('BEGIN IMMEDIATE')
    } catch (error) {
      if (this.#patient) this.#waitForLocks(false)
      throw error
    }
    if (!this.#patient) this.#waitForLocks(true)
  }

  #waitForLocks(patient: boolean): void {
    this.#patient = patient
    this.#db.raw.exec(`PRAGMA busy_timeout = ${patient ? LOCK_WAIT_MS : 0}`)
  }

  /** Undoes the job that failed with `reason`, or everything, when SQLite has done so already or can only that. */
  #undo(reason: unknown): void {
    if (this.#db.raw.isTransaction) {
      try {
        this.#db.run('ROLLBACK TO job')
        this.#db.run('RELEASE job')
        return
      } catch {
        if (this.#db.raw.isTransaction) this.#db.run('ROLLBACK')
      }
    }
    for (const one of this.#end().waiting) one.failed(translated(reason))
  }

  #end(): { waiting: Waiting[]; announcements: Change[] } {
    const ended = { waiting: this.#waiting, announcements: this.#announcements }
    clearImmediate(this.#scheduled)
    this.#scheduled = undefined
    this.#waiting = []
    this.#announcements = []
    return ended
  }
}
