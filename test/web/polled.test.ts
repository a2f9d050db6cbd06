import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { poll } from '../../web/lib/polled.ts'
import { ApiProblem } from '../../web/lib/problem.ts'

describe('a value that is read again and again', () => {
  let document: { visibilityState: string }
  let reads: (number | undefined)[]
  let taken: number[]
  let answer: () => Promise<number>
  const read = (before: number | undefined) => {
    reads.push(before)
    return answer()
  }

  beforeEach(() => {
    jest.useFakeTimers()
    document = { visibilityState: 'visible' }
    reads = []
    taken = []
    answer = async () => reads.length
    Object.assign(globalThis, { document })
  })
  afterEach(() => {
    jest.useRealTimers()
  })
  const start = () => poll(read, 1000, (value) => taken.push(value))

  test('is read at once and after each pause, with the value before, until nobody needs it', async () => {
    const end = start()
    expect(reads).toEqual([undefined])
    await jest.advanceTimersByTimeAsync(999)
    expect(taken).toEqual([1])
    await jest.advanceTimersByTimeAsync(1)
    expect([reads, taken]).toEqual([
      [undefined, 1],
      [1, 2],
    ])
    end()
    await jest.advanceTimersByTimeAsync(10_000)
    expect(taken).toEqual([1, 2])
  })

  test('is not read while the page is hidden', async () => {
    document.visibilityState = 'hidden'
    const end = start()
    await jest.advanceTimersByTimeAsync(999)
    expect(reads).toEqual([])
    document.visibilityState = 'visible'
    await jest.advanceTimersByTimeAsync(1)
    expect(taken).toEqual([1])
    end()
  })

  test('is not taken if it comes after the end, and is then not read again', async () => {
    const held = Promise.withResolvers<number>()
    answer = () => held.promise
    const end = start()
    end()
    held.resolve(1)
    await jest.advanceTimersByTimeAsync(10_000)
    expect([reads.length, taken]).toEqual([1, []])
  })

  test.each<[error: Error, isReadAgain: boolean]>([
    [new ApiProblem('unavailable', '', '', { status: 503 }), true],
    [new ApiProblem('operator_key_required', '', '', { status: 403 }), false],
    [new Error('a fault of this page'), false],
  ])('after %s is read again: %s', async (error, isReadAgain) => {
    answer = async () => {
      throw error
    }
    const end = start()
    await jest.advanceTimersByTimeAsync(1000)
    expect([reads.length, taken]).toEqual([isReadAgain ? 2 : 1, []])
    end()
  })
})
