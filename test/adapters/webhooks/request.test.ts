import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { afterEach, describe, expect, test } from '@jest/globals'
import { orTimeout, requestTarget, wordsFor } from '../../../adapters/webhooks/request.ts'
import { TargetError } from '../../../adapters/webhooks/target.ts'
import { listening } from '../../support/http-server.ts'
import { TLS } from '../smtp/smtp-certificate.ts'

describe('a request', () => {
  let server: Awaited<ReturnType<typeof listening>> | undefined
  afterEach(async () => {
    await server?.close()
    server = undefined
  })

  /** The status of the answer that this server gives, or why no answer came. */
  async function outcome(listener: Server, scheme: 'http' | 'https', signal = new AbortController().signal) {
    server = await listening(listener)
    const url = new URL(`${scheme}://t.invalid:${new URL(server.url).port}/path`)
    const target = { url, address: '127.0.0.1', family: 4 } as const
    try {
      const { request, answer } = await requestTarget(target, { method: 'GET', headers: { A: 'b' } }, signal)
      request.destroy()
      return answer.statusCode
    } catch (error) {
      return wordsFor(error)
    }
  }

  test.each<[string, RequestListener, unknown]>([
    ['a redirect is an answer', (_, response) => response.writeHead(302, { Location: '/' }).end(), 302],
    [
      'an end of the connection is none',
      ({ socket }) => socket.destroy(),
      'The target ended the connection.',
    ],
    [
      'an upgrade is none',
      ({ socket }) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      'The target answered 101 Switching Protocols, which is no answer to this request.',
    ],
    [
      'headers of 64 KB are none',
      (_, response) => response.writeHead(200, { X: 'x'.repeat(64 * 1024) }).end(),
      'The headers of the answer are too large.',
    ],
    ['another protocol is none', ({ socket }) => socket.end('SSH-2.0\r\n'), 'The request could not be sent.'],
  ])('%s', async (_, listener, expected) => {
    expect(await outcome(createServer(listener), 'http')).toBe(expected)
  })

  test('asks the server of the name, with its headers', async () => {
    const listener = createServer(({ method, url, headers }, response) => {
      const isRight = headers.host?.startsWith('t.invalid:') && headers.a === 'b'
      response.writeHead(isRight && `${method} ${url}` === 'GET /path' ? 200 : 400).end()
    })
    expect(await outcome(listener, 'http')).toBe(200)
  })

  test('trusts no certificate that its owner signed', async () => {
    const listener = createHttpsServer(TLS, (_, response) => response.end())
    expect(await outcome(listener as unknown as Server, 'https')).toBe(
      'The certificate of the target is self-signed.',
    )
  })

  test('ends with its signal', async () => {
    const controller = new AbortController()
    const listener = createServer(() => controller.abort())
    expect(await outcome(listener, 'http', controller.signal)).toBe('The request could not be sent.')
  })

  test('is refused where no server listens', async () => {
    const { url, close } = await listening(createServer())
    await close()
    const target = { url: new URL(url), address: '127.0.0.1', family: 4 } as const
    const refused = requestTarget(target, { method: 'GET', headers: {} }, new AbortController().signal)
    expect(wordsFor(await refused.catch((error) => error))).toBe('The target refused the connection.')
  })
})

// No test can cause them: they are those of routers, and of authorities that this machine trusts.
test.each([
  [/cannot be reached/, 'EHOSTUNREACH', 'ENETUNREACH'],
  [/certificate.*expired/, 'CERT_HAS_EXPIRED'],
  [/certificate.*known authority/, 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  [/certificate.*another name/, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  [/could not be sent/, 'EPIPE', ''],
])('why a request failed: %s', (sentence, ...codes) => {
  for (const code of codes) expect(wordsFor(Object.assign(new Error('failed'), { code }))).toMatch(sentence)
})

describe('work with a time limit', () => {
  const never = new Promise<never>(() => {})

  test('settles as it does without one', async () => {
    const { signal } = new AbortController()
    expect(await orTimeout(Promise.resolve(1), signal)).toBe(1)
    await expect(orTimeout(Promise.reject(new Error('a fault')), signal)).rejects.toThrow('a fault')
  })

  test('ends with its signal, also with one that has fired', async () => {
    const controller = new AbortController()
    const late = orTimeout(never, controller.signal)
    controller.abort()
    await expect(late).rejects.toThrow('timeout')
    await expect(orTimeout(never, controller.signal)).rejects.toThrow('timeout')
  })
})

test('a target that may not be called is refused in its own words', () => {
  expect(wordsFor(new TargetError('Not this one.'))).toBe('Not this one.')
})
