import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../limits.ts'

/** From one attempt to the next (Standard Webhooks); after the last one there is none. */
const DELAYS_MS = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS]
/** So that what failed together does not come back together. */
const JITTER = 0.2

/**
 * When to try again after `attempts` failures; undefined for never.
 * @param retryAfterMs what the target asked for: never sooner than that
 * @param random from 0 to 1
 */
export function nextAttempt(
  attempts: number,
  now: number,
  retryAfterMs: number | undefined,
  random: () => number,
): number | undefined {
  const delay = DELAYS_MS[attempts - 1]
  if (delay === undefined) return undefined
  return Math.round(now + Math.max(delay * (1 + JITTER * random()), retryAfterMs ?? 0))
}
