import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'

const WITHIN_MS = 60_000
const FIRST_PAUSE_MS = 1
const PAUSE_MS = 50

/**
 * Calls `look` until it returns a truthy value, and returns that value. The default time is long, because it is
 * only used up by a test that fails.
 * @param what what the test waits for, for the message of a failure
 * @throws Error that names `what` and the last value or error of `look`
 * @example await eventually('the email is in the inbox', async () => (await inbox()).length === 1)
 */
export async function eventually<T>(
  what: string,
  look: () => T | Promise<T>,
  withinMs = WITHIN_MS,
): Promise<NonNullable<T>> {
  const end = performance.now() + withinMs
  let pauseMs = FIRST_PAUSE_MS
  for (;;) {
    const seen = await Promise.resolve()
      .then(look)
      .catch((error: unknown) => new Failed(error))
    if (seen && !(seen instanceof Failed)) return seen
    if (performance.now() > end) {
      const last = seen instanceof Failed ? seen.error : seen
      throw new Error(`waited ${withinMs} ms for: ${what}; last seen: ${inspect(last)}`)
    }
    await sleep(pauseMs)
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS)
  }
}

class Failed {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}
