import type { Clock } from '../../core/clock.ts'

/**
 * Returns the clock for every thread of a store: the system time plus the ms in `offset` (one
 * BigInt64). Threads share memory but no functions, so a test that changes the offset changes the
 * time of the whole store.
 */
export function clockWith(offset: SharedArrayBuffer | undefined): Clock {
  if (offset === undefined) return Date.now
  const moved = new BigInt64Array(offset)
  return () => Date.now() + Number(Atomics.load(moved, 0))
}
