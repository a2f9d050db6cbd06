import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import {
  type Reader,
  ReaderFailure,
  Readers,
  type ReadersOptions,
  type ReadJob,
} from '../../local-service/readers.ts'
import { NO_VERDICTS } from '../../reading/message.ts'
import { eventually } from '../support/eventually.ts'

/** Readers that the test itself completes, by message id. */
function createReaders({
  isLoading = false,
  usedMs = () => performance.now(),
  ...options
}: Partial<ReadersOptions> & { isLoading?: boolean; usedMs?: () => number } = {}) {
  const begun: string[] = []
  const ended: string[] = []
  const low: string[] = []
  const unread: string[] = []
  const work = new Map<string, PromiseWithResolvers<string[]>>()
  const ready = Promise.withResolvers<void>()
  if (!isLoading) ready.resolve()
  let started = 0
  const start = (): Reader => {
    started++
    let current: { id: string; result: PromiseWithResolvers<string[]> } | undefined
    return {
      ready: ready.promise,
      usedMs,
      receive({ envelope }) {
        current = { id: envelope.messageId, result: Promise.withResolvers() }
        begun.push(current.id)
        work.set(current.id, current.result)
        return current.result.promise
      },
      yieldToOthers: () => void low.push(current?.id ?? ''),
      async end(reason) {
        ended.push(reason)
        current?.result.reject(new ReaderFailure(reason))
      },
    }
  }
  const readers = new Readers({
    start,
    storeUnread: async ({ envelope }, reason) => {
      unread.push(reason)
      return [`unread ${envelope.messageId}`]
    },
    places: 2,
    ...options,
  })
  const receive = (id: string, client = id.slice(0, 1), size = 1000) =>
    readers.receive(client, jobOf(id), size)
  const finish = (id: string) => work.get(id)?.resolve([id])
  const fail = (id: string, error: Error) => work.get(id)?.reject(error)
  const loaded = () => ready.resolve()
  return { readers, receive, finish, fail, loaded, begun, ended, low, unread, started: () => started }
}

function jobOf(messageId: string): ReadJob {
  return { envelope: { messageId, mailFrom: null, recipients: [], verdicts: NO_VERDICTS } }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('reader threads', () => {
  let close = async () => {}
  function create(options?: Parameters<typeof createReaders>[0]) {
    const made = createReaders(options)
    close = () => made.readers.close()
    return made
  }
  afterEach(() => close())

  test('read messages of two clients concurrently, and the messages of one client one after the other', async () => {
    const { receive, finish, begun } = create()
    const received = ['a1', 'a2', 'b1'].map((id) => receive(id))
    await settled()
    expect(begun).toEqual(['a1', 'b1'])
    finish('a1')
    await eventually('the next message of a', () => begun.includes('a2'))
    for (const id of ['a2', 'b1']) finish(id)
    expect(await Promise.all(received)).toEqual([['a1'], ['a2'], ['b1']])
  })

  test('are started on demand, reused, and ended when they are idle', async () => {
    const { receive, finish, ended, started } = create({ idleMs: 50 })
    for (const id of ['a1', 'a2', 'a3']) {
      const received = receive(id)
      await settled()
      finish(id)
      await received
    }
    expect(started()).toBe(1)
    await eventually('the end of the idle reader', () => ended.length > 0)
  })

  test('a slow message releases its place and continues with low priority', async () => {
    const { receive, finish, begun, low, ended, started } = create()
    const slow = receive('a1')
    const next = receive('a2')
    await eventually('the next message of the same client', () => begun.includes('a2'))
    expect(low).toEqual(['a1'])
    finish('a1')
    finish('a2')
    expect([await slow, await next]).toEqual([['a1'], ['a2']])
    expect(started()).toBe(2)
    expect(ended).toEqual(['it has a low priority'])
  })

  test('a message is not slow while its reader loads, or waits for the CPU', async () => {
    let cpuMs = 0
    const { receive, finish, loaded, begun, low } = create({ isLoading: true, usedMs: () => cpuMs })
    const received = [receive('a1'), receive('a2')]
    cpuMs = 500
    await sleep(200)
    loaded()
    await settled()
    cpuMs = 550
    await sleep(200)
    expect([begun, low]).toEqual([['a1'], []])
    cpuMs = 600
    await eventually('the next message of the same client', () => begun.includes('a2'))
    expect(low).toEqual(['a1'])
    for (const id of ['a1', 'a2']) finish(id)
    await Promise.all(received)
  })

  test('a message that was read before its reader was ready is not slow afterwards', async () => {
    const { receive, finish, loaded, low, ended } = create({ isLoading: true })
    const received = receive('a1')
    await settled()
    finish('a1')
    await received
    loaded()
    await sleep(200)
    expect([low, ended]).toEqual([[], []])
  })

  test('at most two slow messages release their places', async () => {
    const { receive, finish, begun } = create({ places: 1 })
    const received = ['a1', 'b1', 'c1', 'd1'].map((id) => receive(id))
    await eventually('the third message', () => begun.length === 3)
    await sleep(300)
    expect(begun).toEqual(['a1', 'b1', 'c1'])
    for (const id of ['a1', 'b1', 'c1']) finish(id)
    await eventually('the fourth message', () => begun.length === 4)
    finish('d1')
    await Promise.all(received)
  })

  test('a slow message that has ended no longer counts as slow', async () => {
    const { receive, finish, begun } = create({ places: 1 })
    for (const n of [1, 2, 3]) {
      const received = [receive(`a${n}`), receive(`b${n}`)]
      await eventually(`message b${n} in the place of a slow one`, () => begun.includes(`b${n}`))
      for (const id of [`a${n}`, `b${n}`]) finish(id)
      await Promise.all(received)
    }
  })

  test('a message whose reader dies is read again', async () => {
    const { receive, finish, fail, begun, unread, started } = create()
    const received = receive('a1')
    await settled()
    fail('a1', new ReaderFailure('it died'))
    await eventually('the second attempt', () => begun.length === 2)
    finish('a1')
    expect(await received).toEqual(['a1'])
    expect(started()).toBe(2)
    expect(unread).toEqual([])
  })

  test('a message that makes two readers fail is stored unread', async () => {
    const { receive, fail, begun, unread } = create()
    const received = receive('a1')
    for (const attempt of [1, 2]) {
      await eventually(`attempt ${attempt}`, () => begun.length === attempt)
      fail('a1', new ReaderFailure('it died'))
    }
    expect(await received).toEqual(['unread a1'])
    expect(unread).toEqual(['it died'])
  })

  test('a message on which two readers hang is stored unread', async () => {
    const { receive, unread } = create({ hangMs: 50 })
    expect(await receive('a1')).toEqual(['unread a1'])
    expect(unread).toEqual(['reading took longer than 50 ms'])
  })

  test('a failure of the store does not count against the message', async () => {
    const { receive, fail, begun, started } = create()
    const received = receive('a1')
    await settled()
    fail('a1', new Error('the store does not answer'))
    await expect(received).rejects.toThrow('the store does not answer')
    expect(begun).toEqual(['a1'])
    const next = receive('a2')
    await settled()
    fail('a2', new Error('still not'))
    await expect(next).rejects.toThrow('still not')
    expect(started()).toBe(1)
  })

  test('closing waits for a message under way, and ends the readers that have no work', async () => {
    const { receive, readers, finish, ended } = create()
    const received = receive('a1')
    await settled()
    const closed = readers.close()
    await settled()
    expect(ended).toEqual([])
    finish('a1')
    expect(await received).toEqual(['a1'])
    await closed
    expect(ended).toEqual(['the service is stopping'])
  })

  describe('by the clock', () => {
    beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }))
    afterEach(async () => {
      await close()
      expect(jest.getTimerCount()).toBe(0)
      jest.useRealTimers()
      close = async () => {}
    })

    test.each([
      [0, 60],
      [2 ** 20, 100],
      [10 * 2 ** 20, 460],
    ])('a message of %i bytes is slow after %i ms', async (size, ms) => {
      const { receive, finish, low } = create()
      const received = receive('a1', 'a', size)
      await settled()
      jest.advanceTimersByTime(ms - 1)
      expect(low).toEqual([])
      jest.advanceTimersByTime(1)
      expect(low).toEqual(['a1'])
      finish('a1')
      await received
    })

    test('a reader hangs after a minute, and rests for half a minute', async () => {
      const { receive, finish, ended, unread } = create()
      const received = receive('a1')
      await settled()
      jest.advanceTimersByTime(59_999)
      expect(ended).toEqual([])
      jest.advanceTimersByTime(1)
      expect(ended).toEqual(['reading took longer than 60000 ms'])
      await settled()
      finish('a1')
      expect([await received, unread, ended[1]]).toEqual([['a1'], [], 'it has a low priority'])
      jest.advanceTimersByTime(29_999)
      expect(ended).toHaveLength(2)
      jest.advanceTimersByTime(1)
      expect(ended[2]).toBe('it had nothing to do')
    })

    test('a reader that rested has its whole time for the next message', async () => {
      const { receive, finish, ended, low } = create({ idleMs: 50, hangMs: 80 })
      for (const id of ['a1', 'a2', 'a3']) {
        const received = receive(id)
        await settled()
        jest.advanceTimersByTime(59)
        finish(id)
        await received
        jest.advanceTimersByTime(49)
      }
      expect([ended, low]).toEqual([[], []])
    })
  })

  test('closing ends a reader that is still reading', async () => {
    const { receive, readers, unread } = create()
    const received = receive('a1')
    await settled()
    await Promise.all([expect(received).rejects.toThrow('the service is stopping'), readers.close()])
    expect(unread).toEqual([])
  })
})
