import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { HttpWebhookSender } from '../../../adapters/webhooks/sender.ts'
import type { WebhookRequest } from '../../../core/events/webhooks/ports.ts'
import { DAY_MS } from '../../../core/limits.ts'
import { listening } from '../../support/http-server.ts'

describe('the webhook sender', () => {
  let listener: Awaited<ReturnType<typeof listening>>
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  let closed: Promise<unknown>
  let port: string

  beforeEach(async () => {
    const server = createServer((request, response) => answer(request, response))
    const connected = once(server, 'connection') as Promise<[Socket]>
    closed = connected.then(([socket]) => once(socket, 'close'))
    listener = await listening(server)
    port = new URL(listener.url).port
  })
  afterEach(() => listener.close())

  const request = (host = '127.0.0.1'): WebhookRequest => ({
    url: `http://${host}:${port}/hook`,
    secret: `whsec_${Buffer.alloc(32).toString('base64')}`,
    id: 'msg_1',
    at: Date.now(),
    body: '{}',
  })
  const local = new HttpWebhookSender({ loopback: true }, '1')

  test('connects to the address that was checked without a second lookup', async () => {
    answer = ({ headers }, response) =>
      response.writeHead(headers.host === `t.invalid:${port}` ? 204 : 500).end()
    let asked = 0
    const rebinding = new HttpWebhookSender({ loopback: true }, '1', async () =>
      // Every later lookup returns the address of another machine.
      asked++ === 0 ? [{ address: '127.0.0.1', family: 4 }] : [{ address: '192.0.2.1', family: 4 }],
    )
    expect(await rebinding.send(request('t.invalid'))).toMatchObject({ status: 204 })
    expect(asked).toBe(1)
  })

  test('sends nothing to a name that has a private address among public ones', async () => {
    answer = (_request, response) => response.writeHead(204).end()
    const strict = new HttpWebhookSender({ loopback: false }, '1', async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ])
    const url = `https://t.invalid:${port}/`
    expect(await strict.send({ ...request(), url })).toMatchObject({
      error: expect.stringContaining('public'),
    })
    await expect(strict.check(url)).rejects.toMatchObject({ code: 'invalid_webhook_url' })
  })

  test('accepts a URL whose name does not resolve yet', async () => {
    const unresolved = new HttpWebhookSender({ loopback: false }, '1', async () => [])
    await expect(unresolved.check('https://t.invalid/')).resolves.toBeUndefined()
  })

  test('101 Switching Protocols is an error, and the connection is closed', async () => {
    answer = ({ socket }) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
    }
    expect(await local.send(request())).toMatchObject({ error: expect.stringContaining('101') })
    await closed
  })

  test('a connection that ends without a response is an error', async () => {
    answer = ({ socket }) => socket.end()
    expect(await local.send(request())).toMatchObject({
      error: expect.stringMatching(/ended the connection/),
    })
  })

  test('a response with a slow body is aborted soon after its status', async () => {
    answer = (_request, response) => {
      response.writeHead(200)
      const trickle = setInterval(() => response.write('x'), 50)
      response.on('close', () => clearInterval(trickle))
    }
    expect(await local.send(request())).toMatchObject({ status: 200 })
    await closed
  })

  test.each([
    ['7', 7_000],
    ['99999999', DAY_MS],
    ['-5', undefined],
    ['soon', undefined],
  ])('Retry-After %s is %s ms', async (header, expected) => {
    answer = (_request, response) => response.writeHead(503, { 'Retry-After': header }).end()
    const outcome = await local.send(request())
    expect('status' in outcome && outcome.retryAfterMs).toBe(expected)
  })
})
