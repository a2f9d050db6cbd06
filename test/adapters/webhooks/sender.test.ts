import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setDefaultAutoSelectFamily } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { HttpWebhookSender } from '../../../adapters/webhooks/sender.ts'
import type { Lookup } from '../../../adapters/webhooks/target.ts'
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

  test('sends a signed request that says what it is', async () => {
    const sent = Promise.withResolvers<IncomingMessage & { text: string }>()
    answer = async (incoming, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk)
      sent.resolve(Object.assign(incoming, { text: Buffer.concat(chunks).toString() }))
      response.writeHead(204).end()
    }
    const one = { ...request(), at: Date.now() - 1, body: '{"a":"é"}' }
    const before = performance.now()
    const outcome = await local.send(one)
    expect(outcome.ms).toBeLessThanOrEqual(Math.ceil(performance.now() - before))
    expect(outcome).toEqual({ status: 204, retryAfterMs: undefined, ms: expect.any(Number) })
    expect(Number.isInteger(outcome.ms)).toBe(true)
    const { method, url, headers, text } = await sent.promise
    expect([method, url, text]).toEqual(['POST', '/hook', one.body])
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '10',
      'user-agent': 'Mayfly/1',
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(one.at / 1000)),
    })
    const verified = new Webhook(one.secret).verify(text, headers as Record<string, string>)
    expect(verified).toEqual({ a: 'é' })
  })

  test('connects where Node asks for one address only', async () => {
    answer = (_request, response) => response.writeHead(204).end()
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
    setDefaultAutoSelectFamily(false)
    try {
      const sender = new HttpWebhookSender({ loopback: true }, '1', lookup)
      expect(await sender.send(request('t.invalid'))).toMatchObject({ status: 204 })
    } finally {
      setDefaultAutoSelectFamily(true)
    }
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
    await expect(unresolved.check('http://t.invalid/')).rejects.toMatchObject({
      code: 'invalid_webhook_url',
      detail: 'The target must be an https URL.',
    })
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

  test.each<[string, (abort: () => void) => Lookup]>([
    ['target', () => async () => [{ address: '127.0.0.1', family: 4 }]],
    [
      'look-up of its name',
      (abort) => () => {
        abort()
        return new Promise(() => {})
      },
    ],
  ])('a %s that does not answer in 15 seconds is an error', async (_, lookup) => {
    const controller = new AbortController()
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(controller.signal)
    answer = () => controller.abort()
    try {
      const sender = new HttpWebhookSender(
        { loopback: true },
        '1',
        lookup(() => controller.abort()),
      )
      const error = 'The target did not answer in 15 seconds.'
      expect(await sender.send(request('t.invalid'))).toEqual({ error, ms: expect.any(Number) })
      expect(timeout.mock.calls).toEqual([[15_000]])
    } finally {
      timeout.mockRestore()
    }
  })

  describe('reads of the body of an answer', () => {
    const MAX = 64 * 1024

    beforeEach(() => {
      // Only the timer of the sender: sockets have others.
      jest.useFakeTimers({
        now: Date.now(),
        doNotFake: ['Date', 'setImmediate', 'nextTick', 'queueMicrotask'],
      })
    })
    afterEach(() => {
      jest.useRealTimers()
    })

    test('64 KiB, and then waits a second for its end', async () => {
      const written = Promise.withResolvers<void>()
      answer = (_request, response) => {
        response.writeHead(200)
        response.write(Buffer.alloc(MAX), () => written.resolve())
      }
      let isClosed = false
      closed.then(() => {
        isClosed = true
      })
      expect(await local.send(request())).toMatchObject({ status: 200 })
      await written.promise
      for (let n = 0; n < 100; n++) await turn()
      jest.advanceTimersByTime(999)
      for (let n = 0; n < 100; n++) await turn()
      expect(isClosed).toBe(false)
      jest.advanceTimersByTime(1)
      await closed
    })

    test('no more than that', async () => {
      answer = (_request, response) => {
        response.writeHead(200)
        response.write(Buffer.alloc(MAX - 1))
        response.write('xy')
      }
      expect(await local.send(request())).toMatchObject({ status: 200 })
      await closed
    })

    test.each<[string, (response: ServerResponse) => void]>([
      ['ends', (response) => response.writeHead(200).end('ok')],
      [
        'is cut off',
        (response) => response.writeHead(200).write('x', () => response.socket!.resetAndDestroy()),
      ],
    ])('leaves no timer behind when it %s', async (_, answers) => {
      answer = (_request, response) => answers(response)
      expect(await local.send(request())).toMatchObject({ status: 200 })
      await closed
      for (let n = 0; n < 100 && jest.getTimerCount() > 0; n++) await turn()
      expect(jest.getTimerCount()).toBe(0)
    })
  })

  test.each([
    ['7', 7_000],
    ['86401', DAY_MS],
    ['99999999', DAY_MS],
    [undefined, undefined],
    ['0', undefined],
    ['-5', undefined],
    ['Wed, 02 Jan 2030 00:00:07 GMT', 7_000],
    ['Wed Jan  2 00:00:07 UTC 2030', 7_000],
    ['02 Jan 2030 00:00:07 GMT', 7_000],
    ['Wed, 02 Jan 2030 00:00:00 GMT', undefined],
    ['soon', undefined],
  ])('Retry-After %s is %s ms', async (header, expected) => {
    answer = (_request, response) =>
      response.writeHead(503, header === undefined ? {} : { 'Retry-After': header }).end()
    const outcome = await local.send({ ...request(), at: Date.UTC(2030, 0, 2) })
    expect('status' in outcome && outcome.retryAfterMs).toBe(expected)
  })
})
