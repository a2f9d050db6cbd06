import { afterEach, expect, jest, test } from '@jest/globals'
import { confirmedRatio, type Work } from './search/measure.ts'

const MOST = 12
const PLAIN_US = 2000

let clock = 0

/** Work that takes the CPU times, one after the other, and then the last one again and again. */
function taking(...microseconds: number[]): Work {
  let runs = 0
  const run = () => {
    clock += microseconds[Math.min(runs++, microseconds.length - 1)]!
  }
  return { run, text: '' }
}

function ratioOf(work: Work, plain: Work): Promise<number> {
  jest.spyOn(process, 'cpuUsage').mockImplementation((before) => ({
    user: clock - (before?.user ?? 0),
    system: 0,
  }))
  return confirmedRatio(work, plain, MOST)
}

afterEach(() => {
  jest.restoreAllMocks()
})

test('the ratio of an expensive text is found although the machine slows down most plain texts', async () => {
  const busy = Array.from({ length: 18 }, () => 10 * PLAIN_US)
  expect(await ratioOf(taking(15 * PLAIN_US), taking(...busy, PLAIN_US))).toBe(15)
})

test('a text is not expensive because the machine slows down all but a few of its readings', async () => {
  const busy = Array.from({ length: 30 }, (_, n) => (100 - n) * PLAIN_US)
  expect(await ratioOf(taking(...busy, 3 * PLAIN_US), taking(PLAIN_US))).toBe(3)
})
