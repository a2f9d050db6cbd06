import { test } from '@jest/globals'

/** MAYFLY_FAULT_ROUNDS: how often a test repeats what depends on chance. `npm run test:faults` sets it. */
export const ROUNDS = Number(process.env.MAYFLY_FAULT_ROUNDS ?? 1)
export const LONG = ROUNDS > 1

/** A test that takes seconds and hundreds of megabytes: only `npm run test:faults` runs it. */
export function inTheLongRun(name: string, run: () => Promise<void>, timeoutMs?: number): void {
  if (LONG) test(name, run, timeoutMs)
  else process.stderr.write(`LEFT OUT: "${name}" takes long; npm run test:faults runs it\n`)
}
