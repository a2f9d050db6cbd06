import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { STREAM_BACKLOG_BYTES, STREAM_BURST_BYTES } from '../../../core/limits.ts'

jest.useFakeTimers()
// The module starts its keep-alive timer when it is loaded.
const { EventStream } = await import('../../../adapters/http/event-stream.ts')

const GAP = 'data: {"type":"gap","missed_before":"x"}\n\n'

/**
 * Readers that consume exactly the bytes that a test says, which no real socket can be made to do.
 */
describe('a stream and its reader', () => {
  let streams: InstanceType<typeof EventStream>[]

  beforeEach(() => {
    streams = []
  })
  afterEach(() => {
    for (const stream of streams) stream.closed()
    jest.advanceTimersByTime(60_000)
  })

  /** @param options.waiting bytes that are pending before the stream starts */
  function open({
    startId = '01J0',
    waiting = 0,
    chunked = false,
  }: {
    startId?: string
    waiting?: number
    chunked?: boolean
  } = {}) {
    const written: string[] = []
    /** The steps of the start. */
    const steps: string[] = []
    const reader = {
      /** Pending bytes. */
      waiting,
      total: 0,
      cut: false,
      cuts: 0,
      headers: {} as Record<string, string>,
      takes(bytes: number) {
        reader.waiting -= bytes
      },
    }
    const write = (data: Buffer | string) => {
      const text = data.toString()
      written.push(text)
      steps.push('write')
      reader.total += data.length
      if (reader.waiting > 0) reader.waiting += data.length
      return true
    }
    const response = {
      writeHead: (_status: number, headers: Record<string, string>) => {
        reader.headers = headers
        return response
      },
      flushHeaders: () => steps.push('headers'),
      write,
      end: (data: string) => write(data),
      destroy: () => {
        reader.cut = true
        reader.cuts++
        response.socket.destroyed = true
      },
      chunkedEncoding: chunked,
      get writableLength() {
        return reader.waiting
      },
      socket: Object.assign(new EventEmitter(), {
        write,
        destroyed: false,
        writableNeedDrain: false,
        cork: () => steps.push('cork'),
        uncork: () => steps.push('uncork'),
      }),
    }
    Object.defineProperties(response.socket, {
      writableLength: { get: () => reader.waiting },
      bytesWritten: { get: () => reader.total },
    })
    const stream = new EventStream(response as unknown as ServerResponse)
    stream.start({ 'X-Own': '1' }, startId)
    streams.push(stream)
    /** Sends an event, after which this many bytes are pending. */
    const send = (waiting: number) => {
      reader.waiting = waiting - GAP.length
      stream.gap('x')
    }
    return { stream, reader, written, steps, send, response, socket: response.socket }
  }
  const seconds = (count: number) => jest.advanceTimersByTime(count * 1000)

  test('an idle stream gets a comment at least every 15 s', () => {
    const { written } = open()
    written.length = 0
    for (let n = 1; n <= 4; n++) {
      seconds(15)
      expect(written.length).toBeGreaterThanOrEqual(n)
      expect(written.every((text) => text === ': keep-alive\n\n')).toBe(true)
    }
  })

  test('a stream with too many pending bytes is evicted at once', () => {
    const { reader, send } = open()
    send(STREAM_BURST_BYTES)
    expect(reader.cut).toBe(false)
    send(STREAM_BURST_BYTES + 1)
    expect(reader.cut).toBe(true)
  })

  test('starts with its headers, the reconnection time, and the id to resume from', () => {
    const { reader, written } = open({ startId: '01J0' })
    expect(reader.headers).toMatchObject({ 'X-Own': '1', 'X-Accel-Buffering': 'no' })
    expect(reader.headers['Content-Type']).toContain('text/event-stream')
    expect(written).toEqual(['retry: 2000\nevent: connected\nid: 01J0\ndata: {}\n\n'])
  })

  test('starts with one packet', () => {
    expect(open().steps).toEqual(['cork', 'headers', 'write', 'uncork'])
  })

  test('is chunked for clients that support it', () => {
    const { written, send } = open({ chunked: true })
    send(0)
    expect(written).toEqual([
      '30\r\nretry: 2000\nevent: connected\nid: 01J0\ndata: {}\n\n\r\n',
      `${GAP.length.toString(16)}\r\n${GAP}\r\n`,
    ])
  })

  test('a stream that starts with too many pending bytes is evicted at once', () => {
    expect(open({ waiting: STREAM_BURST_BYTES + 1 }).reader.cut).toBe(true)
  })

  test('is ready unless its connection needs to drain, and again when it has drained or closed', async () => {
    const { stream, socket } = open()
    expect(stream.ready()).toBeUndefined()
    for (const event of ['drain', 'close']) {
      Object.assign(socket, { writableNeedDrain: true })
      let isReady = false
      const ready = stream.ready()!.then(() => {
        isReady = true
      })
      await Promise.resolve()
      expect(isReady).toBe(false)
      socket.emit(event)
      await ready
      expect([socket.listenerCount('drain'), socket.listenerCount('close')]).toEqual([0, 0])
    }
    socket.destroyed = true
    expect(stream.ready()).toBeUndefined()
  })

  test('writes nothing to a closed connection', () => {
    const { stream, socket, response, written } = open()
    written.length = 0
    socket.destroyed = true
    stream.gap('x')
    Object.assign(response, { socket: null })
    stream.gap('x')
    expect([written, stream.ready()]).toEqual([[], undefined])
    stream.start({}, '01J0')
  })

  test('a closed stream gets no more comments', () => {
    const { stream, written, reader, send } = open()
    send(STREAM_BACKLOG_BYTES + 1)
    written.length = 0
    stream.closed()
    seconds(35)
    expect([written, reader.cut]).toEqual([[], false])
  })

  test('a stream that was never started can be closed', () => {
    expect(() => new EventStream({} as ServerResponse).closed()).not.toThrow()
  })

  test('a stream that ends alone sets no reconnection time', () => {
    const { stream, written } = open()
    stream.end('access changed')
    expect(written.at(-1)).toBe('')
  })

  test('streams that end together get reconnection times spread over a period', () => {
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
