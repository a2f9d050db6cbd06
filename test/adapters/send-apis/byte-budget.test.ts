import { expect, test } from '@jest/globals'
import { ByteBudget } from '../../../adapters/send-apis/byte-budget.ts'
import { SEND_BODY_STARTS_BYTES, SEND_REQUESTS_WAITING, SEND_SMALL_BODY_BYTES } from '../../../core/limits.ts'

const SMALL = SEND_SMALL_BODY_BYTES
/** Three times the largest body: the oldest one has room for itself. */
const LARGEST = 10 * SMALL
const TOTAL = 3 * LARGEST

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

test('a small body never waits, however much others hold', async () => {
  const budget = new ByteBudget(TOTAL, LARGEST)
  for (const client of ['a', 'b', 'c', 'd']) {
    const body = budget.open(client)
    for (let taken = 0; taken < LARGEST; taken += SMALL + 1) void body.take(SMALL + 1)
  }
  expect(budget.isShort).toBe(true)
  for (const client of ['a', 'e']) expect(await isSettled(budget.open(client).take(SMALL))).toBe(true)
})

test('a small body never waits because of small bodies that have ended', async () => {
  const budget = new ByteBudget(TOTAL, LARGEST)
  for (let taken = 0; taken <= SEND_BODY_STARTS_BYTES; taken += SMALL) {
    const body = budget.open('a')
    await body.take(SMALL)
    body.free()
  }
  for (const client of ['b', 'c', 'd']) {
    const body = budget.open(client)
    for (let taken = 0; taken < LARGEST; taken += SMALL + 1) void body.take(SMALL + 1)
  }
  expect(budget.isShort).toBe(true)
  expect(await isSettled(budget.open('a').take(SMALL))).toBe(true)
})

test('one client holds at most half', async () => {
  const budget = new ByteBudget(TOTAL, LARGEST)
  const bodies = [budget.open('a'), budget.open('a')]
  await bodies[0]!.take(LARGEST)
  expect(await isSettled(bodies[1]!.take(TOTAL / 2 - LARGEST))).toBe(true)
  const more = budget.open('a').take(SMALL + 1)
  expect(await isSettled(more)).toBe(false)
  expect(await isSettled(budget.open('b').take(SMALL + 1))).toBe(true)
  bodies[0]!.free()
  await more
})

test('room for one largest body is kept for the oldest one', async () => {
  const budget = new ByteBudget(TOTAL, LARGEST)
  const oldest = budget.open('a')
  await oldest.take(SMALL + 1)
  for (const client of ['b', 'c']) await budget.open(client).take(LARGEST)
  expect(await isSettled(budget.open('d').take(SMALL + 1))).toBe(false)
  expect(await isSettled(oldest.take(LARGEST - SMALL - 1))).toBe(true)
})

test('bodies that together need more than there is end one after the other', async () => {
  const budget = new ByteBudget(TOTAL, LARGEST)
  const ended: number[] = []
  const upload = async (n: number) => {
    const body = budget.open(`client ${n % 5}`)
    for (let taken = 0; taken < LARGEST; taken += LARGEST / 5) await body.take(LARGEST / 5)
    await new Promise(setImmediate)
    body.free()
    // Freeing twice adds nothing.
    body.free()
    ended.push(n)
  }
  await Promise.all(Array.from({ length: 30 }, (_, n) => upload(n)))
  expect(ended).toHaveLength(30)
  expect(budget.isShort).toBe(false)
})

test('beginnings of bodies beyond their room wait like the rest', async () => {
  const budget = new ByteBudget(TOTAL, LARGEST)
  const small = Array.from({ length: SEND_BODY_STARTS_BYTES / SMALL / 2 }, () => budget.open('a').take(SMALL))
  await Promise.all(small)
  await budget.open('b').take(LARGEST)
  await budget.open('a').take(TOTAL / 2)
  expect(await isSettled(budget.open('a').take(SMALL))).toBe(false)
  expect(await isSettled(budget.open('c').take(SMALL))).toBe(true)
})

test('too many waiting requests are throttled', async () => {
  const budget = new ByteBudget(2 * LARGEST, LARGEST)
  const oldest = budget.open('a')
  await oldest.take(LARGEST)
  const waiting = Array.from({ length: SEND_REQUESTS_WAITING }, () => {
    const body = budget.open('a')
    return { body, taken: body.take(SMALL + 1) }
  })
  await expect(budget.open('a').take(SMALL + 1)).rejects.toMatchObject({ kind: 'throttled' })
  oldest.free()
  for (const { body, taken } of waiting) {
    await taken
    body.free()
  }
})
