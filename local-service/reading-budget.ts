import { SECOND_MS } from '../core/limits.ts'

/**
 * CPU time that reading a message may take without counting: several times what plain mail takes on a slow machine.
 */
const FREE_MS = 2
const FREE_MS_PER_KB = 0.03
/**
 * What a message that takes less pays of its client's debt at most. Linux counts the time of a
 * running thread only at its ticks, so a message of 0.2 ms may seem to take 4 ms, and the next
 * nineteen nothing. With a larger payment, some cheap mails would pay for an expensive one.
 */
const PAID_MAX_MS = 0.5
/**
 * Messages that cost nothing when the service has just started: reading them also compiles the code,
 * and a reader thread would compile all of it once more.
 */
export const FIRST_MESSAGES = 20
/** A client that owes more than this has its messages read by reader threads. */
const DEBT_MAX_MS = 50
/** How fast a debt is forgiven. */
const FORGIVEN_MS_PER_SECOND = 50
/** Clients with a debt that are kept. */
const CLIENTS_MAX = 10_000

/** The CPU time that clients may take from the thread that also speaks SMTP and commits. */
export class ReadingBudget {
  readonly #now: () => number
  readonly #debts = new Map<string, { ms: number; at: number }>()
  /** Messages that cost nothing yet. */
  #free = FIRST_MESSAGES

  /** @param now monotonic, in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Whether a message of this client is read on the ingest thread. */
  allows(client: string): boolean {
    return this.#debtOf(client) <= DEBT_MAX_MS
  }

  /** Records the CPU time that reading a message of this client took. */
  spend(client: string, bytes: number, ms: number): void {
    if (this.#free > 0) {
      this.#free--
      return
    }
    const excess = ms - FREE_MS - (bytes / 1024) * FREE_MS_PER_KB
    const debt = this.#debtOf(client) + Math.max(excess, -PAID_MAX_MS)
    if (debt <= 0) {
      this.#debts.delete(client)
      return
    }
    if (this.#debts.size >= CLIENTS_MAX) this.#debts.clear()
    this.#debts.set(client, { ms: debt, at: this.#now() })
  }

  #debtOf(client: string): number {
    const debt = this.#debts.get(client)
    if (debt === undefined) return 0
    const left = debt.ms - ((this.#now() - debt.at) / SECOND_MS) * FORGIVEN_MS_PER_SECOND
    if (left > 0) return left
    this.#debts.delete(client)
    return 0
  }
}
