import { expect, jest, test } from '@jest/globals'
import { Backlogs } from '../../../adapters/http/backlogs.ts'
import { STREAM_BACKLOGS_BYTES } from '../../../core/limits.ts'

/** A stream for which so many bytes wait, and how often it was looked at and cut. */
function streamOf(bytes: number, isTooSlow = false) {
  return {
    bytes,
    looked: 0,
    cuts: 0,
    backlog() {
      this.looked++
      return this.bytes
    },
    isTooSlow: () => isTooSlow,
    cut() {
      this.cuts++
    },
  }
}

function backlogsOf(...streams: ReturnType<typeof streamOf>[]): Backlogs {
  const backlogs = new Backlogs()
  for (const stream of streams) backlogs.add(stream)
  return backlogs
}

const QUARTER = STREAM_BACKLOGS_BYTES / 4

test('as much as may wait for all together cuts nobody', () => {
  const streams = [streamOf(QUARTER), streamOf(2 * QUARTER), streamOf(QUARTER)]
  backlogsOf(...streams).sweep(0)
  expect(streams.map(({ cuts }) => cuts)).toEqual([0, 0, 0])
})

test('where it is more, those for which most waits are cut, and no more of them than it takes', () => {
  const streams = [
    streamOf(1),
    streamOf(QUARTER),
    streamOf(2 * QUARTER),
    streamOf(QUARTER + 1),
    streamOf(QUARTER),
  ]
  backlogsOf(...streams).sweep(0)
  expect(streams.map(({ cuts }) => cuts)).toEqual([0, 0, 1, 0, 0])
})

test('what waits for one that is too slow counts for no other, since it is cut', () => {
  const slow = streamOf(2 * QUARTER, true)
  const others = [streamOf(3 * QUARTER), streamOf(QUARTER)]
  backlogsOf(slow, ...others).sweep(0)
  expect([slow, ...others].map(({ cuts }) => cuts)).toEqual([1, 0, 0])
})

test('who has taken everything is looked at no more', () => {
  const stream = streamOf(1)
  const backlogs = backlogsOf(stream)
  backlogs.sweep(0)
  stream.bytes = 0
  backlogs.sweep(1)
  stream.bytes = 1
  backlogs.sweep(2)
  expect(stream.looked).toBe(2)
})

test('they are looked at every second, as long as something waits', () => {
  jest.useFakeTimers()
  try {
    const stream = streamOf(1)
    const backlogs = backlogsOf(stream)
    jest.advanceTimersByTime(3000)
    expect(stream.looked).toBe(3)
    stream.bytes = 0
    jest.advanceTimersByTime(1000)
    expect(jest.getTimerCount()).toBe(0)
    stream.bytes = 1
    backlogs.add(stream)
    jest.advanceTimersByTime(1000)
    expect(stream.looked).toBe(5)
    backlogs.delete(stream)
    jest.advanceTimersByTime(1000)
    expect(stream.looked).toBe(5)
  } finally {
    jest.useRealTimers()
  }
})
