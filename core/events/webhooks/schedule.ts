import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../limits.ts'

/** Delays between attempts (Standard Webhooks). No attempt follows after the last one. */
const DELAYS_MS = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS]
/** Jitter, so that deliveries that failed together are not retried together. */
const JITTER = 0.2

/**
 * Returns the delay before the next attempt after `attempts` failures; undefined for no further
 * attempt.
 * @param retryAfterMs what the target requested; the attempt is not sooner
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
