import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import {
  STREAM_BACKLOG_BYTES,
  STREAM_BACKLOG_MS,
  STREAM_BACKLOGS_BYTES,
  STREAM_BURST_BYTES,
  STREAM_STALL_MS,
} from '../../../core/limits.ts'

jest.useFakeTimers()
// The timer of the comments begins with the module.
const { EventStream } = await import('../../../adapters/http/event-stream.ts')

const GAP = 'data: {"type":"gap","missed_before":"x"}\n\n'

/** Readers that take exactly as much as a test says: no real socket can be made to. */
describe('a stream and its reader', () => {
  let streams: InstanceType<typeof EventStream>[]

  beforeEach(() => {
    streams = []
  })
  afterEach(() => {
    for (const stream of streams) stream.closed()
    jest.advanceTimersByTime(60_000)
  })

  function open() {
    const written: string[] = []
    const reader = {
      /** Bytes that wait. */
      waiting: 0,
      total: 0,
      cut: false,
      takes(bytes: number) {
        reader.waiting -= bytes
      },
    }
    const write = (data: Buffer | string) => {
      const text = data.toString()
      written.push(text)
      reader.total += data.length
      if (reader.waiting > 0) reader.waiting += data.length
      return true
    }
    const response = {
      writeHead: () => response,
      flushHeaders: () => {},
      write,
      end: (data: string) => write(data),
      destroy: () => {
        reader.cut = true
      },
      chunkedEncoding: false,
      get writableLength() {
        return reader.waiting
      },
      socket: {
        write,
        destroyed: false,
        cork: () => {},
        uncork: () => {},
        get writableLength() {
          return reader.waiting
        },
        get bytesWritten() {
          return reader.total
        },
      },
    }
    const stream = new EventStream(response as unknown as ServerResponse)
    stream.start({}, undefined)
    streams.push(stream)
    /** An event, with which so many bytes wait. */
    const send = (waiting: number) => {
      reader.waiting = waiting - GAP.length
      stream.gap('x')
    }
    return { stream, reader, written, send }
  }
  const seconds = (count: number) => jest.advanceTimersByTime(count * 1000)

  test('an idle one has a comment at least every 15 s', () => {
    const { written } = open()
    written.length = 0
    for (let n = 1; n <= 4; n++) {
      seconds(15)
      expect(written.length).toBeGreaterThanOrEqual(n)
      expect(written.every((text) => text === ': keep-alive\n\n')).toBe(true)
    }
  })

  test('one for which too much waits at all is cut off at once', () => {
    const { reader, send } = open()
    send(STREAM_BURST_BYTES)
    expect(reader.cut).toBe(false)
    send(STREAM_BURST_BYTES + 1)
    expect(reader.cut).toBe(true)
  })

  test('one for which much waits for long is cut off, without a further event; a moment is nothing', () => {
    const { reader, send } = open()
    send(STREAM_BACKLOG_BYTES + 1)
    seconds(STREAM_BACKLOG_MS / 1000 - 1)
    reader.takes(2)
    seconds(STREAM_BACKLOG_MS / 1000 + 1)
    expect(reader.cut).toBe(false)
    send(STREAM_BACKLOG_BYTES + 1)
    seconds(STREAM_BACKLOG_MS / 1000 + 2)
    expect(reader.cut).toBe(true)
  })

  test('one that takes nothing while something waits is cut off, one that takes a little is not', () => {
    const [dead, slow] = [open(), open()]
    dead.send(5000)
    slow.send(5000)
    for (let n = 0; n < STREAM_STALL_MS / 1000 + 2; n++) {
      slow.reader.takes(10)
      // Comments come to both and wait too.
      seconds(1)
    }
    expect(slow.reader.cut).toBe(false)
    expect(dead.reader.cut).toBe(true)
  })

  test('where too much waits for all, those with the most are cut off', () => {
    const each = STREAM_BACKLOG_BYTES - 100
    const many = Array.from({ length: Math.ceil(STREAM_BACKLOGS_BYTES / each) + 3 }, () => open())
    for (const { send } of many) send(each)
    const little = open()
    little.send(100)
    seconds(1)
    const cut = many.filter(({ reader }) => reader.cut).length
    expect(cut).toBeGreaterThan(0)
    expect((many.length - cut) * each).toBeLessThanOrEqual(STREAM_BACKLOGS_BYTES)
    expect(little.reader.cut).toBe(false)
  })

  test('one that ends with many others says when to come back, spread over the time', () => {
    const retries = Array.from({ length: 200 }, () => {
      const { stream, written } = open()
      stream.end('stopping', 20_000)
      return Number(/^retry: (\d+)\n\n$/.exec(written.at(-1)!)![1])
    })
    expect(Math.min(...retries)).toBeGreaterThanOrEqual(1000)
    expect(Math.min(...retries)).toBeLessThan(6000)
    expect(Math.max(...retries)).toBeGreaterThan(15_000)
    expect(Math.max(...retries)).toBeLessThanOrEqual(21_000)
  })
})
