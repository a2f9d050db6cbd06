import type { Clock } from '../../core/clock.ts'
import type { Change } from '../../core/events/ports.ts'
import type { Database } from './database.ts'

/**
 * The context of a command. Commands share transactions (group-commit.ts), so none begins or ends
 * one itself.
 */
export interface Transaction {
  db: Database
  clock: Clock
  /** Returns a new id that is greater than all earlier ones of this store. */
  newId(): string
  /** Publishes the change when the command is committed. */
  publish(change: Change): void
  /**
   * Messages whose parts were removed before their emails were stored; they must not be stored any
   * more.
   */
  abandoned: Set<string>
  /** What every mail needs of the store, so that it is read once. */
  remembered: Remembered
  /** Whether there may be webhooks. Most stores have none, so no mail has to look for them. */
  hasWebhooks: boolean
  /** Whether the store has reached its limit. */
  isFull(): boolean
}

/**
 * What commands have read. A command that changes such a row forgets it here, and when a command is undone, everything
 * is forgotten.
 */
export class Remembered {
  /** `visible_after` of the row that counts for a domain; null if there is none. */
  readonly visibleAfter = new Map<string, string | null>()
  /** The newest message whose retention was noted, and that retention. */
  newest: { message: number; retentionMs: number } | undefined

  forget(): void {
    this.visibleAfter.clear()
    this.newest = undefined
  }
}

/** Commands by name: plain functions inside a transaction. */
export type CommandSet = Readonly<Record<string, (transaction: Transaction, ...args: never[]) => unknown>>

/**
 * Commands as other code calls them, from any thread: each resolves when it is committed. Bytes
 * among the arguments are transferred, so the caller loses them.
 */
export type Committed<Commands> = {
  [Name in keyof Commands]: Commands[Name] extends (
    transaction: Transaction,
    ...args: infer Args
  ) => infer Result
    ? (...args: Args) => Promise<Result>
    : never
}
