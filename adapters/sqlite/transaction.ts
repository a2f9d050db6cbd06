import type { Clock } from '../../core/clock.ts'
import type { Change } from '../../core/events/ports.ts'
import type { Database } from './database.ts'

/** What a command works with. Commands share transactions (group-commit.ts), so none begins or ends one itself. */
export interface Transaction {
  db: Database
  clock: Clock
  /** A new id, greater than all before it in this store. */
  newId(): string
  /** Tells the change feed when the command is committed. */
  announce(change: Change): void
  /** Deliveries whose parts were given up before their emails were stored, which they must not be any more. */
  abandoned: Set<string>
  /** Whether the store takes no more mail. */
  isFull(): boolean
}

/**
 * Commands as they are called, in whichever thread: each resolves when it is committed. Bytes among the arguments
 * are given away: the caller has them no longer.
 */
export type Committed<Commands> = {
  [Name in keyof Commands]: Commands[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Result>
    : never
}
