import { test } from '@jest/globals'

/** MAYFLY_FAULT_ROUNDS: how often what depends on chance is tried. `npm run test:faults` sets it. */
export const ROUNDS = Number(process.env.MAYFLY_FAULT_ROUNDS ?? 1)
export const LONG = ROUNDS > 1

/** A test of seconds and hundreds of megabytes: `npm test` leaves it out and says so. */
export function inTheLongRun(name: string, run: () => Promise<void>, timeoutMs: number): void {
  if (LONG) {
    test(name, run, timeoutMs)
    return
  }
  process.stderr.write(`LEFT OUT: "${name}" takes long; npm run test:faults runs it\n`)
  test.skip(name, run, timeoutMs)
}
