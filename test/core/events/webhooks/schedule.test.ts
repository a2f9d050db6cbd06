import { expect, test } from '@jest/globals'
import { nextAttempt } from '../../../../core/events/webhooks/schedule.ts'

const NOW = 1000

test('there are six more attempts, each later than the one before', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7].map((attempts) => nextAttempt(attempts, 0, undefined, () => 0))
  const minutes = 60_000
  expect(waits).toEqual([
    5000,
    5 * minutes,
    30 * minutes,
    120 * minutes,
    300 * minutes,
    600 * minutes,
    undefined,
  ])
})

test('jitter adds up to a fifth', () => {
  expect(nextAttempt(1, NOW, undefined, () => 0.5)).toBe(NOW + 5500)
  expect(nextAttempt(1, NOW, undefined, () => 1)).toBe(NOW + 6000)
})

test('an attempt is never earlier than Retry-After', () => {
  expect(nextAttempt(1, NOW, 60_000, () => 0)).toBe(NOW + 60_000)
  expect(nextAttempt(1, NOW, 1, () => 0)).toBe(NOW + 5000)
})
