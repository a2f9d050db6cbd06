import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { type HttpListener, listenHttp } from '../../../adapters/http/node-server.ts'

let http: HttpListener | undefined
const sockets: Socket[] = []

afterEach(async () => {
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
  options: { keepAliveMs?: number } = {},
): Promise<void> {
  http = await listenHttp(answer, { host: '127.0.0.1', port: 0, ...options })
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

test('a request without Host gets a problem of the API', async () => {
  await listen(() => new Response('x'))
  const socket = await open()
  socket.write('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')
  await once(socket, 'close')
  expect(socket.text).toMatch(/^HTTP\/1\.1 400 .*application\/problem\+json.*"code":"invalid_query"/s)
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
