import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { Connections, isFollowed } from '../../../adapters/http/connections.ts'
import { RequestScheduler } from '../../../adapters/http/request-scheduler.ts'
import {
  ANSWERS_WAITING_BYTES,
  IDLE_CONNECTIONS_PER_CLIENT,
  PIPELINED_IN_ALL_MAX,
  PIPELINED_MAX,
  REFUSED_MS,
} from '../../../core/limits.ts'
import { eventually } from '../../contract/sample.ts'

let server: Server
let connections: Connections
let port: number
let sockets: Socket[]
/** The other ends of `sockets`. */
let served: Socket[]
/** The requests that were begun, in this order. */
let begun: [IncomingMessage, ServerResponse][]

beforeEach(async () => {
  begun = []
  sockets = []
  served = []
  connections = new Connections((...request) => void begun.push(request), new RequestScheduler())
  server = createServer((incoming, outgoing) => connections.requested(incoming, outgoing))
  server.on('connection', (socket: Socket) => {
    served.push(socket)
    connections.opened(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterEach(async () => {
  connections.stop()
  for (const socket of sockets) socket.destroy()
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

async function open(): Promise<Socket & { text: string }> {
  const socket = Object.assign(connect(port, '127.0.0.1'), { text: '' })
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

const requests = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `GET /${from + n} HTTP/1.1\r\nHost: a\r\n\r\n`).join('')
const paths = () => begun.map(([{ url }]) => url)

test('the requests of a connection are begun one after the other, and answered in their order', async () => {
  const socket = await open()
  socket.on('data', (data) => (socket.text += data))
  socket.write(requests(3))
  await eventually(() => begun.length > 0)
  await sleep(20)
  expect(paths()).toEqual(['/0'])
  for (let n = 0; n < 3; n++) {
    await eventually(() => begun.length > n)
    begun[n]![1].end(`answer ${n};`)
  }
  await eventually(() => socket.text.includes('answer 2'))
  expect(socket.text.match(/answer \d/g)).toEqual(['answer 0', 'answer 1', 'answer 2'])
})

test('only so many may wait on a connection: with one more it ends', async () => {
  const socket = await open()
  socket.write(requests(1 + PIPELINED_MAX))
  await eventually(() => begun.length > 0)
  await sleep(50)
  expect(socket.closed).toBe(false)
  socket.write(requests(1))
  await once(socket, 'close')
})

test('only so many may wait on all connections, and closing one makes room', async () => {
  const full = Math.floor(PIPELINED_IN_ALL_MAX / PIPELINED_MAX)
  const rest = PIPELINED_IN_ALL_MAX % PIPELINED_MAX
  for (let n = 0; n < full; n++) (await open()).write(requests(1 + PIPELINED_MAX))
  const last = await open()
  last.write(requests(1 + rest))
  await eventually(() => begun.length === full + 1)
  await sleep(50)
  expect(last.closed).toBe(false)
  // One without a request behind it is served as ever.
  const alone = await open()
  alone.write(requests(1))
  await eventually(() => begun.length === full + 2)
  alone.write(requests(1))
  await once(alone, 'close')
  // An answer makes room for one, the end of a connection for all that waited there.
  begun.find(([{ socket }]) => socket.remotePort === last.localPort)![1].end()
  await eventually(() => begun.length === full + 3)
  last.write(requests(1))
  await sleep(50)
  const itself = served.find(({ remotePort }) => remotePort === last.localPort)!
  expect(itself.destroyed).toBe(false)
  sockets[0]!.destroy()
  await once(sockets[0]!, 'close')
  await sleep(50)
  last.write(requests(PIPELINED_MAX - rest))
  await sleep(50)
  expect(itself.destroyed).toBe(false)
})

test('an answer that does not end is told of the request behind it, whenever that comes', async () => {
  const [early, late] = [await open(), await open()]
  early.write(requests(2))
  await eventually(() => begun.length === 1)
  await sleep(20)
  let told = 0
  expect(isFollowed(begun[0]![0].socket, () => told++)).toBe(true)
  late.write(requests(1))
  await eventually(() => begun.length === 2)
  expect(isFollowed(begun[1]![0].socket, () => told++)).toBe(false)
  expect(told).toBe(0)
  late.write(requests(1))
  await eventually(() => told === 1)
})

test('a socket of no server is followed by nothing', async () => {
  expect(isFollowed(await open(), () => {})).toBe(false)
})

test('of an idle server all connections without an answer under way are closed, used or not', async () => {
  const [fresh, used, busy] = [await open(), await open(), await open()]
  used.resume()
  used.write(requests(1))
  await eventually(() => begun.length === 1)
  begun[0]![1].end()
  busy.write(requests(1))
  await eventually(() => begun.length === 2)
  await sleep(20)
  connections.closeIdle()
  await Promise.all([once(fresh, 'close'), once(used, 'close')])
  expect(busy.closed).toBe(false)
})

test('what was silent for long is closed where it was used, not where it never was or an answer takes its time', async () => {
  const [fresh, used, busy] = [await open(), await open(), await open()]
  used.resume()
  used.write(requests(1))
  await eventually(() => begun.length === 1)
  const done = once(begun[0]![1], 'close')
  begun[0]![1].end()
  await done
  busy.write(requests(1))
  await eventually(() => begun.length === 2)
  expect(served).toHaveLength(3)
  for (const socket of served) connections.timedOut(socket)
  await once(used, 'close')
  await sleep(50)
  expect([fresh.closed, busy.closed]).toEqual([false, false])
})

test('where too much waits, a client that reads stays and one that does not is evicted', async () => {
  const answer = async (part: number) => {
    const socket = await open()
    socket.pause()
    socket.write(requests(1))
    await eventually(() => begun.length === sockets.length)
    const [incoming, outgoing] = begun.at(-1)!
    while (incoming.socket.writableLength < part * ANSWERS_WAITING_BYTES) outgoing.write(Buffer.alloc(65_536))
    return socket
  }
  await answer(0.8)
  await sleep(600)
  expect(served[0]!.destroyed).toBe(false)
  const slow = await answer(0.95)
  const reading = setInterval(() => slow.read(), 5)
  await eventually(() => served[0]!.destroyed)
  clearInterval(reading)
  expect(served[1]!.destroyed).toBe(false)
})

/**
 * Clients of other machines, and readers that take exactly as much as a test says: no real socket
 * can be made to.
 */
describe('the connections of others', () => {
  const opened: ReturnType<typeof socketOf>[] = []
  let others: Connections

  beforeEach(() => {
    jest.useFakeTimers()
    opened.length = 0
    others = new Connections(() => {}, new RequestScheduler())
  })
  afterEach(() => {
    others.stop()
    jest.useRealTimers()
  })

  function socketOf(remoteAddress: string, waiting = 0) {
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      writableLength: waiting,
      bytesWritten: waiting,
      destroyed: false,
      destroy() {
        socket.destroyed = true
        socket.emit('close')
      },
    })
    return socket
  }

  function connected(remoteAddress: string, waiting = 0) {
    const socket = socketOf(remoteAddress, waiting)
    opened.push(socket)
    others.opened(socket as never)
    return socket
  }

  function request(socket: ReturnType<typeof socketOf>, count = 1): void {
    for (let n = 0; n < count; n++) others.requested({ socket } as never, new EventEmitter() as never)
  }

  const gone = () => opened.map(({ destroyed }) => destroyed)
  const TOO_MANY = PIPELINED_MAX + 2

  test('a client that sends too many requests ahead is refused for a while, with what is not read of it yet', () => {
    const [idle, busy, other] = ['198.51.100.7', '198.51.100.7', '198.51.100.8'].map((ip) => connected(ip))
    request(busy!)
    request(connected('198.51.100.7'), TOO_MANY)
    expect([idle, busy, other].map((socket) => socket!.destroyed)).toEqual([true, false, false])
    expect(connected('198.51.100.7').destroyed).toBe(true)
    expect(connected('198.51.100.8').destroyed).toBe(false)
    jest.advanceTimersByTime(REFUSED_MS)
    expect(connected('198.51.100.7').destroyed).toBe(false)
  })

  test('is refused for as long however often it does so', () => {
    const two = [connected('198.51.100.7'), connected('198.51.100.7')]
    for (const socket of two) request(socket)
    request(two[0]!, TOO_MANY)
    jest.advanceTimersByTime(REFUSED_MS - 1)
    request(two[1]!, TOO_MANY)
    expect(jest.getTimerCount()).toBe(2)
    jest.advanceTimersByTime(1)
    expect(connected('198.51.100.7').destroyed).toBe(false)
  })

  test('one of this machine is not, since it may be a proxy', () => {
    request(connected('127.0.0.1'), TOO_MANY)
    expect(connected('127.0.0.1').destroyed).toBe(false)
  })

  test('nor where too many wait on all connections together', () => {
    const full = Math.floor(PIPELINED_IN_ALL_MAX / PIPELINED_MAX)
    for (let n = 0; n < full; n++) request(connected(`198.51.100.${n}`), 1 + PIPELINED_MAX)
    request(connected('198.51.100.200'), 1 + (PIPELINED_IN_ALL_MAX % PIPELINED_MAX))
    const last = connected('203.0.113.1')
    request(last, 2)
    expect(last.destroyed).toBe(true)
    expect(connected('203.0.113.1').destroyed).toBe(false)
  })

  test('of a trusted proxy is not, since others use it too', () => {
    const behind = new Connections(
      () => {},
      new RequestScheduler(),
      (address) => address === '198.51.100.7',
    )
    const socket = socketOf('198.51.100.7')
    behind.opened(socket as never)
    for (let n = 0; n < TOO_MANY; n++) behind.requested({ socket } as never, new EventEmitter() as never)
    expect(socket.destroyed).toBe(true)
    const next = socketOf('198.51.100.7')
    behind.opened(next as never)
    expect(next.destroyed).toBe(false)
    behind.stop()
  })

  test('idle ones of one client are bounded, the oldest go first, and others stay', () => {
    const busy = connected('198.51.100.1')
    request(busy)
    const idle = Array.from({ length: IDLE_CONNECTIONS_PER_CLIENT + 3 }, () => connected('198.51.100.1'))
    const other = connected('198.51.100.2')
    jest.advanceTimersByTime(900)
    expect(gone()).not.toContain(true)
    jest.advanceTimersByTime(600)
    expect(gone().filter(Boolean)).toHaveLength(3)
    expect(idle.slice(0, 3).every(({ destroyed }) => destroyed)).toBe(true)
    expect([busy, other].map(({ destroyed }) => destroyed)).toEqual([false, false])
  })

  test('above the budget the slowest of the client with the most bytes is evicted', () => {
    const [honest, stalled, slow] = [
      connected('198.51.100.1', 0.3 * ANSWERS_WAITING_BYTES),
      connected('198.51.100.2', 0.4 * ANSWERS_WAITING_BYTES),
      connected('198.51.100.2', 0.5 * ANSWERS_WAITING_BYTES),
    ]
    for (let n = 0; n < 3; n++) {
      slow!.writableLength -= 1
      jest.advanceTimersByTime(250)
    }
    expect([honest, stalled, slow].map((socket) => socket!.destroyed)).toEqual([false, true, false])
  })

  test('one that is gone is looked at no more', () => {
    const closed = connected('198.51.100.1', 2 * ANSWERS_WAITING_BYTES)
    closed.destroy()
    let again = 0
    closed.destroy = () => void again++
    jest.advanceTimersByTime(2000)
    expect(again).toBe(0)
  })

  test('the scheduler learns of every accepted connection', () => {
    const scheduler = new RequestScheduler()
    const onAccept = jest.spyOn(scheduler, 'connectionAccepted')
    const own = new Connections(() => {}, scheduler)
    for (let n = 0; n < 3; n++) own.opened(socketOf('198.51.100.1') as never)
    expect(onAccept).toHaveBeenCalledTimes(3)
    // And when it stops, it looks at nothing more.
    const timers = jest.getTimerCount()
    own.stop()
    expect(jest.getTimerCount()).toBe(timers - 1)
  })

  test('as much as may wait cuts nobody', () => {
    connected('198.51.100.1', ANSWERS_WAITING_BYTES)
    // Nothing waits on these, however many they are.
    for (let n = 0; n < 256; n++) connected('198.51.100.1', 0)
    jest.advanceTimersByTime(2000)
    expect(gone()).not.toContain(true)
  })

  test('one that was silent for long is closed where something waits for it, also while an answer is under way', () => {
    const [quiet, waiting] = [connected('198.51.100.1'), connected('198.51.100.1', 10)]
    for (const socket of [quiet, waiting]) {
      request(socket!)
      others.timedOut(socket as never)
    }
    expect([quiet!.destroyed, waiting!.destroyed]).toEqual([false, true])
    // A connection that was refused is not known.
    others.timedOut(socketOf('198.51.100.1', 10) as never)
  })
})
