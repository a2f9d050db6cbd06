import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { ConnectionPlaces } from '../../../adapters/http/connection-places.ts'
import { Connections, isFollowed } from '../../../adapters/http/connections.ts'
import { RequestScheduler } from '../../../adapters/http/request-scheduler.ts'
import {
  ANSWERS_WAITING_BYTES,
  IDLE_CONNECTIONS_PER_CLIENT,
  PIPELINED_IN_ALL_MAX,
  PIPELINED_MAX,
  REFUSED_MS,
  STREAM_BACKLOG_BYTES,
  STREAM_BACKLOG_MS,
} from '../../../core/limits.ts'
import { eventually } from '../../support/eventually.ts'

let server: Server
let connections: Connections
let port: number
let sockets: Socket[]
/** The server side of each of `sockets`. */
let served: Socket[]
/** The requests that have begun, in order. */
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

test('requests of a connection begin one after the other, and are answered in order', async () => {
  const socket = await open()
  socket.on('data', (data) => (socket.text += data))
  socket.write(requests(3))
  await eventually(
    'a request',
    () => begun,
    ({ length }) => length > 0,
  )
  await sleep(20)
  expect(paths()).toEqual(['/0'])
  for (let n = 0; n < 3; n++) {
    await eventually(
      `more than ${n} requests that have begun`,
      () => begun,
      ({ length }) => length > n,
    )
    begun[n]![1].end(`answer ${n};`)
  }
  await eventually(
    'the third answer',
    () => socket.text,
    (text) => text.includes('answer 2'),
  )
  expect(socket.text.match(/answer \d/g)).toEqual(['answer 0', 'answer 1', 'answer 2'])
})

test('a connection that pipelines too many requests is closed', async () => {
  const socket = await open()
  socket.write(requests(1 + PIPELINED_MAX))
  await eventually(
    'a request',
    () => begun,
    ({ length }) => length > 0,
  )
  await sleep(50)
  expect(socket.closed).toBe(false)
  socket.write(requests(1))
  await once(socket, 'close')
})

test('the pipelined requests of all connections are bounded, and closing a connection frees its places', async () => {
  const full = Math.floor(PIPELINED_IN_ALL_MAX / PIPELINED_MAX)
  const rest = PIPELINED_IN_ALL_MAX % PIPELINED_MAX
  for (let n = 0; n < full; n++) (await open()).write(requests(1 + PIPELINED_MAX))
  const last = await open()
  last.write(requests(1 + rest))
  await eventually(
    `${full + 1} requests that have begun`,
    () => begun,
    ({ length }) => length === full + 1,
  )
  await sleep(50)
  expect(last.closed).toBe(false)
  // A connection without a pipelined request is still served.
  const alone = await open()
  alone.write(requests(1))
  await eventually(
    `${full + 2} requests that have begun`,
    () => begun,
    ({ length }) => length === full + 2,
  )
  alone.write(requests(1))
  await once(alone, 'close')
  // An answer frees one place; the end of a connection frees the places of all its requests.
  begun.find(([{ socket }]) => socket.remotePort === last.localPort)![1].end()
  await eventually(
    `${full + 3} requests that have begun`,
    () => begun,
    ({ length }) => length === full + 3,
  )
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

test('an open response learns of a request pipelined behind it, early or late', async () => {
  const [early, late] = [await open(), await open()]
  early.write(requests(2))
  await eventually(
    '1 request',
    () => begun,
    ({ length }) => length === 1,
  )
  await sleep(20)
  let told = 0
  expect(isFollowed(begun[0]![0].socket, () => told++)).toBe(true)
  late.write(requests(1))
  await eventually(
    '2 requests that have begun',
    () => begun,
    ({ length }) => length === 2,
  )
  expect(isFollowed(begun[1]![0].socket, () => told++)).toBe(false)
  expect(told).toBe(0)
  late.write(requests(1))
  await eventually(
    'a call',
    () => told,
    (calls) => calls === 1,
  )
})

test('no request is pipelined on a socket that belongs to no server', async () => {
  expect(isFollowed(await open(), () => {})).toBe(false)
})

test('closing idle connections keeps only those with a response under way', async () => {
  const [fresh, used, busy] = [await open(), await open(), await open()]
  used.resume()
  used.write(requests(1))
  await eventually(
    '1 request',
    () => begun,
    ({ length }) => length === 1,
  )
  begun[0]![1].end()
  busy.write(requests(1))
  await eventually(
    '2 requests that have begun',
    () => begun,
    ({ length }) => length === 2,
  )
  await sleep(20)
  connections.closeIdle()
  await Promise.all([once(fresh, 'close'), once(used, 'close')])
  expect(busy.closed).toBe(false)
})

test('a time-out closes a connection that was used, but not a new one or one with a response under way', async () => {
  const [fresh, used, busy] = [await open(), await open(), await open()]
  used.resume()
  used.write(requests(1))
  await eventually(
    '1 request',
    () => begun,
    ({ length }) => length === 1,
  )
  const done = once(begun[0]![1], 'close')
  begun[0]![1].end()
  await done
  busy.write(requests(1))
  await eventually(
    '2 requests that have begun',
    () => begun,
    ({ length }) => length === 2,
  )
  expect(served).toHaveLength(3)
  for (const socket of served) connections.timedOut(socket)
  await once(used, 'close')
  await sleep(50)
  expect([fresh.closed, busy.closed]).toEqual([false, false])
})

test('if too many bytes are pending, a client that does not read is evicted, and one that reads is not', async () => {
  const answer = async (part: number) => {
    const socket = await open()
    socket.pause()
    socket.write(requests(1))
    await eventually(
      `${sockets.length} requests that have begun`,
      () => begun,
      ({ length }) => length === sockets.length,
    )
    const [incoming, outgoing] = begun.at(-1)!
    while (incoming.socket.writableLength < part * ANSWERS_WAITING_BYTES) outgoing.write(Buffer.alloc(65_536))
    return socket
  }
  await answer(0.8)
  await sleep(600)
  expect(served[0]!.destroyed).toBe(false)
  const slow = await answer(0.95)
  const reading = setInterval(() => slow.read(), 5)
  await eventually('the end of the first connection', () => served[0]!.destroyed)
  clearInterval(reading)
  expect(served[1]!.destroyed).toBe(false)
})

/**
 * Clients on other machines, and readers that consume exactly the bytes that a test says, which no
 * real socket can be made to do.
 */
describe('connections of other machines', () => {
  const opened: ReturnType<typeof socketOf>[] = []
  const handled: unknown[] = []
  let others: Connections

  beforeEach(() => {
    jest.useFakeTimers()
    opened.length = 0
    handled.length = 0
    others = new Connections(({ socket }) => void handled.push(socket), new RequestScheduler())
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
        if (socket.destroyed) return
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

  /** Sends requests, and returns the response to the first one. */
  function request(socket: ReturnType<typeof socketOf>, count = 1) {
    const responses = Array.from({ length: count }, () =>
      Object.assign(new EventEmitter(), { writableEnded: false }),
    )
    for (const response of responses) others.requested({ socket } as never, response as never)
    return responses[0]!
  }

  const gone = () => opened.map(({ destroyed }) => destroyed)
  const TOO_MANY = PIPELINED_MAX + 2

  test('a client that pipelines too many requests is refused for a while, and its idle connections are closed', () => {
    const [idle, busy, other] = ['198.51.100.7', '198.51.100.7', '198.51.100.8'].map((ip) => connected(ip))
    request(busy!)
    request(connected('198.51.100.7'), TOO_MANY)
    expect([idle, busy, other].map((socket) => socket!.destroyed)).toEqual([true, false, false])
    expect(connected('198.51.100.7').destroyed).toBe(true)
    const allowed = connected('198.51.100.8')
    expect(allowed.destroyed).toBe(false)
    request(allowed)
    jest.advanceTimersByTime(REFUSED_MS)
    expect(handled).toEqual([busy, expect.anything(), allowed])
    expect(connected('198.51.100.7').destroyed).toBe(false)
  })

  test('a connection for which there is no place is closed, until another one closes', () => {
    const places = new ConnectionPlaces(8)
    const few = new Connections(
      () => {},
      new RequestScheduler(),
      () => false,
      places,
    )
    const entered = () => {
      const socket = socketOf('198.51.100.7')
      few.opened(socket as never)
      return socket
    }
    const sockets = Array.from({ length: 9 }, entered)
    expect([sockets[0]!.destroyed, sockets[8]!.destroyed]).toEqual([false, true])
    sockets[0]!.destroy()
    expect([entered().destroyed, entered().destroyed]).toEqual([false, true])
    few.stop()
  })

  test('a repeated offence does not extend the refusal', () => {
    const two = [connected('198.51.100.7'), connected('198.51.100.7')]
    for (const socket of two) request(socket)
    request(two[0]!, TOO_MANY)
    jest.advanceTimersByTime(REFUSED_MS - 1)
    request(two[1]!, TOO_MANY)
    expect(jest.getTimerCount()).toBe(2)
    jest.advanceTimersByTime(1)
    expect(connected('198.51.100.7').destroyed).toBe(false)
  })

  test('a client on this machine is never refused because it may be a proxy', () => {
    request(connected('127.0.0.1'), TOO_MANY)
    expect(connected('127.0.0.1').destroyed).toBe(false)
  })

  test('a client is not refused if only the bound of all connections is exceeded', () => {
    const full = Math.floor(PIPELINED_IN_ALL_MAX / PIPELINED_MAX)
    for (let n = 0; n < full; n++) request(connected(`198.51.100.${n}`), 1 + PIPELINED_MAX)
    request(connected('198.51.100.200'), 1 + (PIPELINED_IN_ALL_MAX % PIPELINED_MAX))
    const last = connected('203.0.113.1')
    request(last, 2)
    expect(last.destroyed).toBe(true)
    expect(connected('203.0.113.1').destroyed).toBe(false)
  })

  test('a trusted proxy is never refused because it has other clients', () => {
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

  test('the idle connections of a client are bounded: the oldest are closed first, other clients keep theirs', () => {
    const busy = connected('198.51.100.1')
    request(busy)
    const idle = Array.from({ length: IDLE_CONNECTIONS_PER_CLIENT + 3 }, () => connected('198.51.100.1'))
    for (let n = 1; n < IDLE_CONNECTIONS_PER_CLIENT; n++) connected('198.51.100.2')
    jest.advanceTimersByTime(1000)
    expect(gone()).not.toContain(true)
    jest.advanceTimersByTime(250)
    expect(gone().filter(Boolean)).toHaveLength(3)
    expect(idle.slice(0, 3).every(({ destroyed }) => destroyed)).toBe(true)
    expect(busy.destroyed).toBe(false)
  })

  test('a connection is idle from the end of its last response', () => {
    const used = connected('198.51.100.1')
    const response = request(used)
    jest.advanceTimersByTime(500)
    const unused = connected('198.51.100.1')
    jest.advanceTimersByTime(100)
    response.emit('close')
    for (let n = 1; n < IDLE_CONNECTIONS_PER_CLIENT; n++) connected('198.51.100.1')
    jest.advanceTimersByTime(2000)
    expect([unused.destroyed, used.destroyed]).toEqual([true, false])
    expect(gone().filter(Boolean)).toHaveLength(1)
  })

  test('the idle connections of a trusted proxy are not bounded, those from this machine are', () => {
    for (const [address, closed] of [
      ['198.51.100.7', 0],
      ['127.0.0.1', 1],
    ] as const) {
      opened.length = 0
      others.stop()
      others = new Connections(
        () => {},
        new RequestScheduler(),
        (ip) => ip === address,
      )
      for (let n = 0; n <= IDLE_CONNECTIONS_PER_CLIENT; n++) connected(address)
      jest.advanceTimersByTime(2000)
      expect([address, gone().filter(Boolean).length]).toEqual([address, closed])
    }
  })

  test('a request that is parsed after its connection was closed takes no place', () => {
    const full = Math.ceil(PIPELINED_IN_ALL_MAX / PIPELINED_MAX)
    for (let n = 0; n < full; n++) request(connected(`198.51.100.${n}`), 3 * PIPELINED_MAX)
    const other = connected('203.0.113.1')
    request(other, 2)
    expect(other.destroyed).toBe(false)
  })

  test('a request whose connection is closed before its turn is not handled', () => {
    const turns: (() => void)[] = []
    const handled: unknown[] = []
    const later = new Connections((incoming) => handled.push(incoming), {
      connectionAccepted: () => {},
      run: (_: string, work: () => void) => turns.push(work),
    } as never)
    const [closed, open] = [socketOf('198.51.100.1'), socketOf('198.51.100.1')]
    for (const socket of [closed, open]) {
      later.opened(socket as never)
      later.requested({ socket } as never, new EventEmitter() as never)
    }
    closed.destroy()
    for (const turn of turns) turn()
    later.stop()
    expect(handled).toEqual([{ socket: open }])
  })

  test('bytes that a response will produce count until it has ended, and not for a stream', () => {
    const [producing, ended, stream] = ['1', '2', '3'].map((n) => {
      opened.length = 0
      others.stop()
      others = new Connections(() => {}, new RequestScheduler())
      const socket = connected(`198.51.100.${n}`, ANSWERS_WAITING_BYTES)
      const response = request(socket)
      response.writableEnded = n === '2'
      if (n === '3') isFollowed(socket as never, () => {})
      // The client takes a little, and as much is sent again.
      for (let sweep = 0; sweep < 4; sweep++) {
        socket.bytesWritten++
        jest.advanceTimersByTime(250)
      }
      return socket.destroyed
    })
    expect([producing, ended, stream]).toEqual([true, false, false])
  })

  test('a stream that lags is evicted, and another response with as many pending bytes is not', () => {
    const [stream, answer] = [1, 2].map((n) => connected(`198.51.100.${n}`, STREAM_BACKLOG_BYTES + 1))
    for (const socket of [stream, answer]) request(socket!)
    isFollowed(stream as never, () => {})
    for (let ms = 0; ms <= STREAM_BACKLOG_MS + 500; ms += 250) {
      for (const socket of [stream, answer]) socket!.bytesWritten++
      jest.advanceTimersByTime(250)
    }
    expect([stream!.destroyed, answer!.destroyed]).toEqual([true, false])
  })

  test('a client that has taken everything is spared again at its next response', () => {
    const socket = connected('198.51.100.1', 10)
    jest.advanceTimersByTime(250)
    socket.writableLength = 0
    jest.advanceTimersByTime(250)
    socket.writableLength = socket.bytesWritten = 2 * ANSWERS_WAITING_BYTES
    jest.advanceTimersByTime(250)
    expect(socket.destroyed).toBe(false)
    jest.advanceTimersByTime(250)
    expect(socket.destroyed).toBe(true)
  })

  test('above the budget the slowest connection of the client with the most bytes is evicted', () => {
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

  test('a closed connection is not examined again', () => {
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
    // After a stop no connection is examined.
    const timers = jest.getTimerCount()
    own.stop()
    expect(jest.getTimerCount()).toBe(timers - 1)
  })

  test('as many pending bytes as the budget evict no client', () => {
    connected('198.51.100.1', ANSWERS_WAITING_BYTES)
    // These connections have no pending bytes, so their number does not matter.
    for (let n = 0; n < 256; n++) connected('198.51.100.1', 0)
    jest.advanceTimersByTime(2000)
    expect(gone()).not.toContain(true)
  })

  test('a time-out closes a connection with pending bytes even if a response is under way', () => {
    const [quiet, waiting] = [connected('198.51.100.1'), connected('198.51.100.1', 10)]
    for (const socket of [quiet, waiting]) {
      request(socket!)
      others.timedOut(socket as never)
    }
    expect([quiet!.destroyed, waiting!.destroyed]).toEqual([false, true])
    // A refused connection is not tracked.
    others.timedOut(socketOf('198.51.100.1', 10) as never)
  })
})
