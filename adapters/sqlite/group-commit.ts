import type { Change } from '../../core/events/ports.ts'
import { type Database, LOCK_WAIT_MS } from './database.ts'
import { translated } from './errors.ts'

interface Command {
  run(): unknown
  result: unknown
  committed(result: unknown): void
  failed(error: unknown): void
}

/** A commit that waits for more commands waits so long for the next one, */
const GATHER_MS = 2
/** and so long in all. */
const GATHER_MAX_MS = 10
/** Where it waited for nothing, none waits for so long: whoever is expected is slow. */
const IMPATIENT_MS = 50

export interface GroupCommitOptions {
  /** Called in the transaction before each commit. */
  beforeCommit?: () => void
  /** Called after each commit that has changes to tell of, in the order of the commands. */
  announce: (changes: Change[]) => void
}

/**
 * Puts all commands that come in one turn of the event loop into one transaction with one sync, and answers them
 * together. While the sync lasts the next ones gather, so the more there is to do, the less each one costs. Where
 * more commands are expected, the commit waits for them some milliseconds (as PostgreSQL does by commit_delay and
 * commit_siblings): ten senders at once are then served by one sync and not by three.
 *
 * A command runs at once. When it fails, everything is undone, and those before it run again, between savepoints
 * as all that follow in this transaction: so only it fails. (Savepoints cost every command a copy of each page
 * that it changes, so they are not there from the beginning.) When the transaction fails as a whole, all that are in
 * it do.
 */
export class GroupCommit {
  readonly #db: Database
  readonly #options: GroupCommitOptions
  #commands: Command[] = []
  #changes: Change[] = []
  #open = false
  #openedAt = 0
  #scheduled: NodeJS.Immediate | undefined
  /** Runs out when the expected commands do not come. */
  #gathering: NodeJS.Timeout | undefined
  #impatientUntil = 0
  /** How many commands will come in all, in this transaction and soon after, as far as is known. */
  expected: () => number = () => 0
  /** Whether commands run between savepoints, since one failed in this transaction. */
  #careful = false
  #patient = true

  constructor(db: Database, options: GroupCommitOptions) {
    this.#db = db
    this.#options = options
  }

  /** Says what is to be announced when the running command is committed. */
  announce(change: Change): void {
    this.#changes.push(change)
  }

  /** Resolves when the command is committed. It may run more than once, each time as if it were the first. */
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

  /** Commits what is open now. */
  flush(): void {
    if (!this.#open) return
    let failure: unknown
    try {
      this.#options.beforeCommit?.()
      this.#db.run('COMMIT')
    } catch (error) {
      failure = error
      if (this.#db.raw.isTransaction) this.#db.run('ROLLBACK')
    }
    const { commands, changes } = this.#end()
    if (failure !== undefined) {
      for (const command of commands) command.failed(failure)
      return
    }
    if (changes.length > 0) this.#options.announce(changes)
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
    if (this.#db.raw.isTransaction) this.#db.run('ROLLBACK')
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

  /** Undoes the command that failed with `reason`, or everything, when SQLite has done so already or can only that. */
  #undo(reason: unknown): void {
    if (this.#db.raw.isTransaction) {
      try {
        this.#db.run('ROLLBACK TO command')
        this.#db.run('RELEASE command')
        return
      } catch {
        if (this.#db.raw.isTransaction) this.#db.run('ROLLBACK')
      }
    }
    for (const command of this.#end().commands) command.failed(translated(reason))
  }

  /**
   * Waits for a lock once: while it is still held all others are refused at once. Each of a thousand that waited
   * for itself would make the last one wait for a quarter of an hour.
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
    if (this.expected() > this.#commands.length) {
      const now = performance.now()
      if (now > this.#impatientUntil && now - this.#openedAt < GATHER_MAX_MS) {
        this.#gathering ??= setTimeout(() => this.#gathered(), GATHER_MS)
        this.#gathering.refresh()
        return
      }
    }
    this.#scheduled = setImmediate(() => this.flush())
  }

  /** Commits, unless what was waited for has come meanwhile, and only the thread was too busy to see it. */
  #gathered(): void {
    const { length } = this.#commands
    setImmediate(() => {
      if (!this.#open || this.#scheduled !== undefined || this.#commands.length > length) return
      this.#impatientUntil = performance.now() + IMPATIENT_MS
      this.flush()
    })
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
