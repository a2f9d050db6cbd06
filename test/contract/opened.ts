import type { Clock } from '../../core/clock.ts'

/** A store under test, with its clock. */
export type Opened<Ports> = Ports & {
  clock: Clock
  /** Moves the clock of the store forward. */
  advance(ms: number): void
  close(): Promise<void>
}

/** Opens a store, empty or not. */
export type Open<Ports> = () => Promise<Opened<Ports>>
