import type { Change } from '../../core/events/ports.ts'
import { type Database, LOCK_WAIT_MS } from './database.ts'
import { translated } from './errors.ts'

interface Command {
  run(): unknown
  result: unknown
  committed(result: unknown): void
  failed(error: unknown): void
}

/** A commit that expects more commands waits this long for the next one, */
const GATHER_MS = 2
/** and this long in total. */
const GATHER_MAX_MS = 10
/**
 * After a wait without a command no commit waits for this time, because the expected clients are
 * slow.
 */
const IMPATIENT_MS = 50

export interface GroupCommitOptions {
  /** Called in the transaction before each commit. */
  beforeCommit?: () => void
  /** Called after each commit. */
  committed?: () => void
  /** Called when what a command has done is undone. It may run again then. */
  undone?: () => void
  /** Receives the changes of each commit, in the order of the commands. */
  publish: (changes: Change[]) => void
}

/**
 * Runs all commands of one turn of the event loop in one transaction with one sync, and answers
 * them together. Commands that arrive during the sync form the next transaction, so each command
 * costs less under load. If more commands are expected, the commit waits some milliseconds for them
 * (like commit_delay and commit_siblings of PostgreSQL), so that one sync serves ten simultaneous
 * senders instead of three syncs. When all expected commands have arrived, it commits at once.
 *
 * A command runs at once. If it fails, the transaction is rolled back, and the earlier commands run
 * again between savepoints, as do later ones of this transaction, so that only the failed command
 * is lost. (Savepoints copy each page that a command changes, so they are not used from the
 * beginning.) If the transaction itself fails, all its commands fail.
 */
export class GroupCommit {
  readonly #db: Database
  readonly #options: GroupCommitOptions
  #commands: Command[] = []
  #changes: Change[] = []
  #open = false
  #openedAt = 0
  #scheduled: NodeJS.Immediate | undefined
  /** Fires when the expected commands do not arrive. */
  #gathering: NodeJS.Timeout | undefined
  #impatientUntil = 0
  /** The number of commands in this transaction and soon after it, as far as is known. */
  expected: () => number = () => 0
  /** Whether commands run between savepoints, because one failed in this transaction. */
  #careful = false
  #patient = true

  constructor(db: Database, options: GroupCommitOptions) {
    this.#db = db
    this.#options = options
  }

  /** Adds a change that is published when the running command is committed. */
  publish(change: Change): void {
    this.#changes.push(change)
  }

  /**
   * Resolves when the command is committed. The command may run more than once, each time in the
   * state before its first run.
   */
  run<T>(command: () => T): Promise<T> {
    return new Promise((committed, failed) => {
      this.#execute({
        run: command,
        result: undefined,
        committed: committed as (result: unknown) => void,
        failed,
      })
      this.#schedule()
    })
  }

  /** Commits the open transaction now. */
  flush(): void {
    if (!this.#open) return
    let failure: unknown
    try {
      this.#options.beforeCommit?.()
      this.#db.run('COMMIT')
    } catch (error) {
      failure = error
      this.#rollBack()
    }
    const { commands, changes } = this.#end()
    if (failure !== undefined) {
      for (const command of commands) command.failed(failure)
      return
    }
    this.#options.committed?.()
    if (changes.length > 0) this.#options.publish(changes)
    for (const command of commands) command.committed(command.result)
  }

  #execute(command: Command): void {
    try {
      this.#begin()
    } catch (error) {
      command.failed(error)
      return
    }
    if (this.#careful) {
      this.#executeBetweenSavepoints(command)
      return
    }
    try {
      command.result = command.run()
      this.#commands.push(command)
    } catch (error) {
      command.failed(translated(error))
      this.#startOver()
    }
  }

  #startOver(): void {
    const { commands } = this.#end()
    this.#rollBack()
    this.#careful = true
    for (const command of commands) this.#execute(command)
  }

  #executeBetweenSavepoints(command: Command): void {
    const changes = this.#changes.length
    try {
      this.#db.run('SAVEPOINT command')
      command.result = command.run()
      this.#db.run('RELEASE command')
      this.#commands.push(command)
    } catch (error) {
      command.failed(translated(error))
      this.#changes.length = changes
      this.#undo(error)
    }
  }

  /**
   * Rolls back the failed command, or the whole transaction if SQLite has done so or can only do
   * that.
   */
  #undo(reason: unknown): void {
    if (this.#db.raw.isTransaction) {
      try {
        this.#db.run('ROLLBACK TO command')
        this.#db.run('RELEASE command')
        this.#options.undone?.()
        return
      } catch {
        // The whole transaction is rolled back.
      }
    }
    this.#rollBack()
    for (const command of this.#end().commands) command.failed(translated(reason))
  }

  /**
   * Waits for a lock once; while the lock is still held, all other commands are refused at once.
   * Otherwise the last of a thousand commands would wait for a quarter of an hour.
   */
  #begin(): void {
    if (this.#open) return
    try {
      this.#db.run('BEGIN IMMEDIATE')
    } catch (error) {
      if (this.#patient) this.#waitForLocks(false)
      throw error
    }
    if (!this.#patient) this.#waitForLocks(true)
    this.#open = true
    this.#openedAt = performance.now()
  }

  #schedule(): void {
    if (!this.#open || this.#scheduled !== undefined) return
    const expected = this.expected()
    if (expected > 0 && expected === this.#commands.length) {
      this.flush()
      return
    }
    if (expected > this.#commands.length) {
      const now = performance.now()
      if (now > this.#impatientUntil && now - this.#openedAt < GATHER_MAX_MS) {
        this.#gathering ??= setTimeout(() => this.#gathered(), GATHER_MS)
        this.#gathering.refresh()
        return
      }
    }
    this.#scheduled = setImmediate(() => this.flush())
  }

  /**
   * Commits, unless the expected commands have arrived and the thread was only too busy to run
   * them.
   */
  #gathered(): void {
    const { length } = this.#commands
    setImmediate(() => {
      if (!this.#open || this.#scheduled !== undefined || this.#commands.length > length) return
      this.#impatientUntil = performance.now() + IMPATIENT_MS
      this.flush()
    })
  }

  /** Rolls the transaction back, unless SQLite has done so. */
  #rollBack(): void {
    if (this.#db.raw.isTransaction) this.#db.run('ROLLBACK')
    this.#options.undone?.()
  }

  #waitForLocks(patient: boolean): void {
    this.#patient = patient
    this.#db.raw.exec(`PRAGMA busy_timeout = ${patient ? LOCK_WAIT_MS : 0}`)
  }

  #end(): { commands: Command[]; changes: Change[] } {
    const ended = { commands: this.#commands, changes: this.#changes }
    clearImmediate(this.#scheduled)
    this.#scheduled = undefined
    this.#open = false
    this.#commands = []
    this.#changes = []
    this.#careful = false
    return ended
  }
}
