import type { Clock } from '../../core/clock.ts'

/**
 * The time in every thread of one store: the system's, moved by the ms that stand in `offset` (one
 * BigInt64). Threads share no functions, but they do share memory, so a test that moves the offset moves the
 * time of the whole store at once. Without an offset it is the system's time.
 */
export function clockWith(offset: SharedArrayBuffer | undefined): Clock {
  if (offset === undefined) return Date.now
  const moved = new BigInt64Array(offset)
  return () => Date.now() + Number(Atomics.load(moved, 0))
}
