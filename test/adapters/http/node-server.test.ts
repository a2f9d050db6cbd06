import { once } from 'node:events'
import { Server } from 'node:http'
import { BlockList, connect, type Socket } from 'node:net'
import { afterEach, expect, jest, test } from '@jest/globals'
import { type HttpListener, type HttpOptions, listenHttp } from '../../../adapters/http/node-server.ts'
import { PIPELINED_MAX, STREAM_STALL_MS } from '../../../core/limits.ts'
import { connectionFrom } from '../../support/http-server.ts'

let http: HttpListener | undefined
const sockets: Socket[] = []
const served: Socket[] = []

afterEach(async () => {
  jest.restoreAllMocks()
  served.length = 0
  for (const socket of sockets.splice(0)) socket.destroy()
  await stop(0)
})

async function stop(graceMs: number): Promise<void> {
  const listener = http
  http = undefined
  await listener?.stop(graceMs)
}

async function listen(
  answer: (request: Request) => Response | Promise<Response>,
  options: Partial<HttpOptions> = {},
): Promise<void> {
  http = await listenHttp(answer, { hosts: ['127.0.0.1'], port: 0, ...options })
}

/** The same, and returns Node's server, whose connections are in `served`. */
async function listenServer(...listening: Parameters<typeof listen>): Promise<Server> {
  const spy = jest.spyOn(Server.prototype, 'listen')
  await listen(...listening)
  const [server] = spy.mock.contexts as Server[]
  server!.on('connection', (socket: Socket) => served.push(socket))
  return server!
}

/** Answers with this; `begun` resolves when a request has arrived. */
async function listenFor(answer: Promise<Response>): Promise<{ begun: Promise<void> }> {
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  await listen(() => {
    begin()
    return answer
  })
  return { begun }
}

async function open(): Promise<Socket & { text: string }> {
  const socket = Object.assign(connect(http!.port, '127.0.0.1'), { text: '' })
  socket.on('data', (data) => (socket.text += data)).on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

test('idle connections are kept for the configured time, which a header reports to clients', async () => {
  for (const [keepAliveMs, seconds] of [
    [undefined, 5],
    [72_000, 72],
  ] as const) {
    await listen(() => new Response('x'), { keepAliveMs })
    const answer = await fetch(`http://127.0.0.1:${http!.port}/`)
    expect(answer.headers.get('keep-alive')).toBe(`timeout=${seconds}`)
    await answer.text()
    await stop(0)
  }
})

test.each(['GET / HTTP/1.0\r\n\r\n', 'OPTIONS / HTTP/1.0\r\n\r\n', 'GET / HTTP/1.0\r\nHost: a\r\n\r\n'])(
  'HTTP/1.0 needs no Host: %j',
  async (request) => {
    await listen(() => new Response('x'))
    const socket = await open()
    socket.write(request)
    await once(socket, 'close')
    expect(socket.text).toMatch(/^HTTP\/1\.1 200 /)
  },
)

test('a request without Host gets a problem of the API', async () => {
  await listen(() => new Response('x'))
  const socket = await open()
  socket.write('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')
  await once(socket, 'close')
  expect(socket.text).toMatch(/^HTTP\/1\.1 400 .*application\/problem\+json.*"code":"invalid_query"/s)
})

test('a fault before the app is an internal error, with the headers of every response', async () => {
  await listen(() => {
    throw new Error('SQLITE_CORRUPT')
  })
  const answer = await fetch(`http://127.0.0.1:${http!.port}/`)
  expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([500, 'no-store'])
  const body = (await answer.json()) as Record<string, unknown>
  expect(body).toMatchObject({ code: 'internal_error', request_id: answer.headers.get('X-Request-Id') })
  expect(JSON.stringify(body)).not.toContain('SQLITE')
})

test('a used connection that is silent for the time-out is closed', async () => {
  const server = await listenServer(() => new Response('x'))
  const [used, unused] = [await open(), await open()]
  const accepted: Socket[] = served.slice()
  used.write(REQUEST)
  await once(used, 'data')
  for (const socket of accepted) server.emit('timeout', socket)
  await once(used, 'close')
  expect([accepted.length, unused.closed, server.timeout]).toEqual([2, false, STREAM_STALL_MS])
})

test.each([
  ['a client', '198.51.100.8', true],
  ['a trusted proxy', '198.51.100.7', false],
  ['a trusted proxy with IPv6', '2001:db8::7', false],
  ['a proxy on this machine', '127.0.0.1', false],
])('%s that pipelines too much is refused: %s, %s', async (_name, address, isRefused) => {
  const trusted = new BlockList()
  trusted.addAddress('198.51.100.7', 'ipv4')
  trusted.addAddress('2001:db8::7', 'ipv6')
  const server = await listenServer(() => new Response('x'), { trusted })
  const first = connectionFrom(address, server)
  first.write(REQUEST.repeat(PIPELINED_MAX + 2))
  await once(first.resume(), 'close')
  const next = connectionFrom(address, server)
  const answered = once(next, 'data').then(() => false)
  const refused = once(next, 'close').then(() => true)
  next.write(REQUEST)
  expect(await Promise.race([answered, refused])).toBe(isRefused)
  next.destroy()
})

test('a stopped server has no timers', async () => {
  const [setting, clearing] = [jest.spyOn(globalThis, 'setInterval'), jest.spyOn(globalThis, 'clearInterval')]
  const [starting, ending] = [jest.spyOn(globalThis, 'setTimeout'), jest.spyOn(globalThis, 'clearTimeout')]
  await listen(() => new Response('x'))
  await stop(54_321)
  const cleared = [...clearing.mock.calls, ...ending.mock.calls].map(([timer]) => timer)
  // One sweeps the connections, one closes idle ones during the stop, and one ends the grace period.
  const grace = starting.mock.calls.findIndex(([, ms]) => ms === 54_321)
  const timers = [...setting.mock.results, starting.mock.results[grace]!].map(({ value }) => value)
  expect(timers).toHaveLength(3)
  for (const timer of timers) expect(cleared).toContain(timer)
})

test('a stop closes idle connections at once, and lets a response under way end', async () => {
  let finish = () => {}
  const answer = new Promise<Response>((resolve) => {
    finish = () => resolve(new Response('all of it'))
  })
  const { begun } = await listenFor(answer)
  const [unused, busy] = [await open(), await open()]
  busy.write(REQUEST)
  await begun
  let isStopped = false
  const stopped = stop(60_000).then(() => {
    isStopped = true
  })
  await once(unused, 'close')
  expect([busy.closed, isStopped]).toEqual([false, false])
  finish()
  await stopped
  expect(busy.text).toContain('all of it')
})

test('a stop closes connections whose response takes longer than the grace period', async () => {
  const { begun } = await listenFor(new Promise<Response>(() => {}))
  const busy = await open()
  busy.write(REQUEST)
  await begun
  await stop(100)
  await (busy.closed || once(busy, 'close'))
  expect(busy.text).toBe('')
})
