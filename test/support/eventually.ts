import { clearTimeout, setTimeout as startTimer } from 'node:timers'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'

/** Half of the time that Jest gives a test, so that this error is the one that is shown. */
const WITHIN_MS = 60_000
const FIRST_PAUSE_MS = 1
const PAUSE_MS = 50

/**
 * Calls `look` until `isEnough` accepts its value, and returns that value. The time is long, because it is only used
 * up by a test that fails.
 * @param what what the test waits for, for the message of a failure
 * @param look one that never ends fails as well
 * @param isEnough by default accepts every truthy value
 * @throws Error that names `what` and the last value or error of `look`
 * @example const emails = await eventually('two emails', () => inbox(), ({ length }) => length === 2)
 */
export async function eventually<T>(
  what: string,
  look: () => T | Promise<T>,
  isEnough: (seen: T) => unknown = (seen) => seen,
): Promise<NonNullable<T>> {
  let last: unknown = 'nothing'
  let isOver = false
  const poll = async (): Promise<{ seen: T } | undefined> => {
    for (let pauseMs = FIRST_PAUSE_MS; !isOver; pauseMs = Math.min(pauseMs * 2, PAUSE_MS)) {
      try {
        const seen = await look()
        if (isEnough(seen)) return { seen }
        last = seen
      } catch (error) {
        last = error
      }
      await sleep(pauseMs)
    }
    return undefined
  }
  const over = Promise.withResolvers<undefined>()
  const timer = startTimer(() => over.resolve(undefined), WITHIN_MS)
  const found = await Promise.race([poll(), over.promise])
  clearTimeout(timer)
  isOver = true
  if (found === undefined) throw new Error(`waited ${WITHIN_MS} ms for: ${what}; last seen: ${shown(last)}`)
  return found.seen as NonNullable<T>
}

function shown(value: unknown): string {
  return inspect(value, { depth: 3, maxArrayLength: 20, maxStringLength: 1000 })
}
