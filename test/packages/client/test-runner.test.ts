import { afterEach, expect, test } from '@jest/globals'
import { remainingMs } from '../../../packages/client/src/fixtures/remaining.ts'
import { startForTests } from '../../../packages/client/src/fixtures/service.ts'

const { MAYFLY_URL, MAYFLY_TIMEOUT } = process.env

afterEach(() => {
  for (const [name, value] of Object.entries({ MAYFLY_URL, MAYFLY_TIMEOUT })) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
})

test.each([
  [undefined, '4000'],
  [20_000, '19000'],
  [1_000, '500'],
])('in tests of at most %s ms, a wait takes at most %s ms', async (testTimeoutMs, waitMs) => {
  process.env.MAYFLY_URL = 'http://127.0.0.1:1'
  delete process.env.MAYFLY_TIMEOUT
  await startForTests(testTimeoutMs)
  expect(process.env.MAYFLY_TIMEOUT).toBe(waitMs)
})

test.each([
  [30_000, 0, 28_000],
  [30_000, 10_000, 18_000],
  [30_000, 29_000, 0],
  [8_000, 0, 6_000],
  [4_000, 500, 2_500],
  [0, 500, undefined],
])(
  'in a test of Playwright of %d ms, after %d ms, a wait takes at most %s ms',
  (timeoutMs, elapsedMs, waitMs) => {
    expect(remainingMs(timeoutMs, elapsedMs)).toBe(waitMs)
  },
)

test('a time-out and a service in the environment are used', async () => {
  Object.assign(process.env, { MAYFLY_URL: 'http://127.0.0.1:1', MAYFLY_TIMEOUT: '250' })
  const stop = await startForTests(20_000)
  await stop()
  expect([process.env.MAYFLY_URL, process.env.MAYFLY_TIMEOUT]).toEqual(['http://127.0.0.1:1', '250'])
})
