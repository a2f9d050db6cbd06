import { expect, test } from '@jest/globals'
import { ByteBudget } from '../../../adapters/send-apis/byte-budget.ts'
import { SEND_REQUESTS_WAITING } from '../../../core/limits.ts'

/** Whether the promise has settled after all pending callbacks. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  promise.then(
    () => {
      settled = true
    },
    () => {},
  )
  await new Promise(setImmediate)
  return settled
}

test('requests wait in the order of arrival until enough bytes are free', async () => {
  const budget = new ByteBudget(10)
  const freeFirst = await budget.take(8)
  const large = budget.take(5)
  const small = budget.take(1)
  // The small request would fit, but would keep the large one waiting forever.
  expect(await isSettled(small)).toBe(false)
  freeFirst()
  // Freeing twice adds nothing.
  freeFirst()
  const freeLarge = await large
  await small
  const whole = budget.take(10)
  expect(await isSettled(whole)).toBe(false)
  freeLarge()
  expect(await isSettled(whole)).toBe(false)
  ;(await small)()
  await whole
})

test('too many waiting requests are throttled', async () => {
  const budget = new ByteBudget(1)
  const free = await budget.take(1)
  const waiting = Array.from({ length: SEND_REQUESTS_WAITING }, () => budget.take(1))
  await expect(budget.take(1)).rejects.toMatchObject({ kind: 'throttled' })
  free()
  for (const taken of waiting) (await taken)()
})
