import { unavailable } from '../aws/errors.ts'

/**
 * The wait after a conflict: of concurrent writes to one item, DynamoDB rejects all but one. A
 * write takes about 10 ms, so the wait stays near that; longer waits leave the item idle while
 * writers wait. It grows slowly, so that a writer that lost several times is not far behind new
 * ones. All attempts together take about three seconds.
 */
const CONFLICT_TRIES = 50
const CONFLICT_PAUSE_MS = 25
const CONFLICT_PAUSE_GROWTH = 1.1
const CONFLICT_PAUSE_MAX_MS = 100

/**
 * Waits for a random time after a conflict, so that the same writers do not conflict again.
 * @throws Problem `unavailable` after the last attempt
 */
export function conflictPause(tries: number, conflict: Error): Promise<void> {
  if (tries >= CONFLICT_TRIES) throw unavailable(conflict)
  const most = Math.min(CONFLICT_PAUSE_MAX_MS, CONFLICT_PAUSE_MS * CONFLICT_PAUSE_GROWTH ** tries)
  return pause(most * (0.25 + 0.75 * Math.random()))
}

/** On the global timer, which tests replace. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
