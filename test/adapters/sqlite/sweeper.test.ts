import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { unavailable } from '../../../adapters/sqlite/errors.ts'
import { Space } from '../../../adapters/sqlite/space.ts'
import type { Swept } from '../../../adapters/sqlite/sweep.ts'
import { Sweeper } from '../../../adapters/sqlite/sweeper.ts'
import { type OpenWriting, openWriting } from './store-temporary.ts'

const EVERY_MS = 20_000
const NOTHING: Swept = { messages: 0, keys: 0, uses: 0, webhooks: 0 }
const FULL = unavailable(new Error('the disk is full'))

let opened: OpenWriting
let reserve: string
/** Whether the reserve was there at each attempt. */
let attempts: boolean[]
/** What an attempt does. */
let attempt: () => Promise<Swept>
let sweeper: Sweeper

beforeEach(() => {
  jest.useFakeTimers()
  opened = openWriting(Date.now)
  reserve = join(opened.dir, 'reserve')
  attempts = []
  attempt = async () => NOTHING
  const sweepBatch = () => {
    attempts.push(existsSync(reserve))
    return attempt()
  }
  sweeper = new Sweeper({ sweepBatch }, new Space(opened.db, opened.dir, 1_000_000), EVERY_MS)
})
afterEach(async () => {
  await sweeper.stop()
  jest.useRealTimers()
  opened.close()
})

/** The next attempt fails. */
function fail(error: Error): void {
  attempt = async () => {
    attempt = async () => NOTHING
    throw error
  }
}

test('a sweep that fails on a full disk runs again in the space of the reserve, which is held again afterwards', async () => {
  fail(FULL)
  expect(await sweeper.sweep()).toEqual(NOTHING)
  expect(attempts).toEqual([true, false])
  expect(existsSync(reserve)).toBe(true)
})

test('a sweep that fails because of a mistake does not run again', async () => {
  fail(new Error('a mistake'))
  await expect(sweeper.sweep()).rejects.toThrow('a mistake')
  expect(attempts).toEqual([true])
})

test('calls at the same time share one sweep, and a later one sweeps again', async () => {
  const [one, two] = await Promise.all([sweeper.sweep(), sweeper.sweep()])
  expect(one).toBe(two)
  expect(attempts).toHaveLength(1)
  await sweeper.sweep()
  expect(attempts).toHaveLength(2)
})

test('a sweep runs at each interval, whether or not the one before failed, until the end', async () => {
  attempt = () => Promise.reject(FULL)
  await jest.advanceTimersByTimeAsync(EVERY_MS)
  expect(attempts).toEqual([true, false])
  attempt = async () => NOTHING
  await jest.advanceTimersByTimeAsync(EVERY_MS)
  expect(attempts).toEqual([true, false, true])
  await sweeper.stop()
  await jest.advanceTimersByTimeAsync(EVERY_MS)
  expect(attempts).toHaveLength(3)
})

test('the end waits for the sweep that runs, even if it fails', async () => {
  const { promise, reject } = Promise.withResolvers<Swept>()
  attempt = () => promise
  const swept = expect(sweeper.sweep()).rejects.toBe(FULL)
  let isStopped = false
  const stopped = sweeper.stop().then(() => {
    isStopped = true
  })
  await jest.advanceTimersByTimeAsync(1)
  expect(isStopped).toBe(false)
  reject(FULL)
  await Promise.all([swept, stopped])
})
