import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { Deadline } from '../../../packages/client/src/deadline.ts'
import { type Call, Http } from '../../../packages/client/src/http.ts'
import { Keys } from '../../../packages/client/src/keys.ts'
import { parseServiceUrl } from '../../../packages/client/src/service-url.ts'
import { eventually } from '../../support/eventually.ts'
import { refuse, sendJson, startStub, type TestProxy } from './proxy.ts'

/** A deadline without a clock: its pauses take no time. */
class NoClock extends Deadline {
  readonly pausesMs: number[] = []
  readonly patiencesMs: (number | undefined)[] = []

  constructor() {
    super(Number.POSITIVE_INFINITY)
  }

  override async sleep(ms: number): Promise<void> {
    this.pausesMs.push(ms)
  }

  override signal(ms?: number): AbortSignal {
    this.patiencesMs.push(ms)
    return super.signal(ms)
  }
}

describe('the requests of the client', () => {
  let server: TestProxy

  afterEach(async () => {
    jest.restoreAllMocks()
    await server?.close()
  })

  const http = (keys = new Keys('mf_x', async () => ''), domainKey?: string) =>
    new Http(parseServiceUrl(server.url), keys, domainKey)

  async function received(call: Call, domainKey?: string) {
    const requests: { request: IncomingMessage; body: string }[] = []
    server = await startStub(async (response, _path, request) => {
      requests.push({ request, body: Buffer.concat(await request.toArray()).toString() })
      sendJson(response, {})
    })
    await http(undefined, domainKey).json(call, new NoClock())
    const [{ request, body } = { request: undefined, body: '' }] = requests
    const { 'x-api-key': key, 'x-domain-key': domain, 'content-type': type } = request?.headers ?? {}
    return [request?.method, request?.url, key, domain, type, body]
  }

  test('carry the keys, the parameters that are given, and the body as JSON', async () => {
    const query = { a: 1, b: undefined, c: 'ä&' }
    const call = { method: 'POST', path: '/api/x', query, body: { n: 1 } } as const
    const json = 'application/json'
    expect(await received(call, 'secret')).toEqual([
      'POST',
      '/api/x?a=1&c=%C3%A4%26',
      'mf_x',
      'secret',
      json,
      '{"n":1}',
    ])
  })

  test('carry no key and no body unless there is one', async () => {
    const nothing = undefined
    expect(await received({ path: '/api/x', open: true })).toEqual([
      'GET',
      '/api/x',
      nothing,
      nothing,
      nothing,
      '',
    ])
  })

  test('are repeated after pauses that grow to 5 s, or that the service asks for', async () => {
    const asked = [[], [], [], [], [], [], ['2'], ['0'], ['soon'], ['-1']]
    let requests = 0
    server = await startStub((response) => {
      const [after] = asked[requests] ?? []
      if (requests++ === asked.length) sendJson(response, {})
      else refuse(response, 503, 'unavailable', after === undefined ? {} : { 'Retry-After': after })
    })
    const deadline = new NoClock()
    await http().json({ path: '/api/x' }, deadline)
    expect(deadline.pausesMs).toEqual([200, 400, 800, 1600, 3200, 5000, 2000, 0, 5000, 5000])
  })

  test('may take 30 s each unless the call says otherwise', async () => {
    server = await startStub((response) => sendJson(response, {}))
    const deadline = new NoClock()
    await http().json({ path: '/api/x' }, deadline)
    await http().json({ path: '/api/x', patienceMs: 5000 }, deadline)
    expect(deadline.patiencesMs).toEqual([30_000, 5000])
  })

  test.each([400, 404, 500, 501])(
    'a response %d is an error at once, with its request id',
    async (status) => {
      server = await startStub((response) => {
        response.writeHead(status, { 'Content-Type': 'application/problem+json' })
        response.end(
          JSON.stringify({ code: 'x', title: 'Title', detail: 'Detail.', status, request_id: 'r1' }),
        )
      })
      await expect(http().json({ path: '/api/x' }, new NoClock())).rejects.toMatchObject({
        code: 'x',
        message: 'Title. Detail.',
        status,
        requestId: 'r1',
      })
      expect(server.requests).toHaveLength(1)
    },
  )

  test.each([429, 503])('with `once`, a response %d is an error at once', async (status) => {
    server = await startStub((response) => refuse(response, status, 'unavailable'))
    await expect(http().json({ path: '/api/x', once: true }, new NoClock())).rejects.toMatchObject({ status })
    expect(server.requests).toHaveLength(1)
  })

  test('with `once`, a lost connection is an error at once, also after an answer', async () => {
    server = await startStub((response, path) => {
      if (path === '/api/lost') response.destroy()
      else sendJson(response, {})
    })
    const one = http()
    await one.json({ path: '/api/x' }, new NoClock())
    await expect(one.json({ path: '/api/lost', once: true }, new NoClock())).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('answered before and does not answer now (UND_ERR_SOCKET)'),
    })
    expect(server.requests).toHaveLength(2)
  })

  test('end at the deadline with the reason', async () => {
    server = await startStub((response, path) => path === '/api/x' && sendJson(response, {}))
    const one = http()
    await one.json({ path: '/api/x' }, new NoClock())
    await expect(one.json({ path: '/api/silent' }, new Deadline(50))).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/answered before and does not answer now \(.*timeout\)/),
      cause: { name: 'TimeoutError' },
    })
  })

  test.each(['api_key_invalid', 'api_key_expired'])(
    'take a new key twice when the answer is %s',
    async (code) => {
      server = await startStub((response) => refuse(response, 401, code))
      let created = 0
      const keys = new Keys(undefined, async () => `key-${++created}`)
      await expect(http(keys).json({ path: '/api/x' }, new NoClock())).rejects.toMatchObject({ code })
      expect([created, server.requests.length]).toEqual([3, 3])
    },
  )

  test('to a foreign server leave no body unread', async () => {
    let isClosed = false
    server = await startStub((response) => {
      response.once('close', () => {
        isClosed = true
      })
      response.writeHead(203, { 'Content-Type': 'application/xhtml+xml' }).write('<html>')
    })
    await expect(http().json({ path: '/api/x' }, new NoClock())).rejects.toMatchObject({
      code: 'not_mayfly',
      message: `${server.url} does not answer as Mayfly does: GET /api/x returned 203. Is this the base URL of the service, without /api?`,
      status: 203,
    })
    await eventually('the end of the response', () => isClosed)
  })

  test('to a foreign server whose answer has no body are an error too', async () => {
    server = await startStub((response) => response.writeHead(204).end())
    await expect(http().json({ path: '/api/x' }, new NoClock())).rejects.toMatchObject({
      code: 'not_mayfly',
      status: 204,
    })
  })

  test.each(['', '; charset=utf-8'])('have JSON as their answer with the charset "%s"', async (charset) => {
    server = await startStub((response, path) => {
      const type = path === '/api/x' ? 'application/json' : 'application/problem+json'
      response.writeHead(path === '/api/x' ? 200 : 404, { 'Content-Type': type + charset })
      response.end(JSON.stringify({ code: 'x', title: 'Title', detail: 'Detail.' }))
    })
    expect(await http().json({ path: '/api/x' }, new NoClock())).toMatchObject({ code: 'x' })
    await expect(http().json({ path: '/api/y' }, new NoClock())).rejects.toMatchObject({ code: 'x' })
  })

  test('that need no key and are rejected for theirs create none', async () => {
    server = await startStub((response) => refuse(response, 401, 'api_key_invalid'))
    const keys = new Keys(undefined, async () => 'created')
    const create = jest.spyOn(keys, 'renew')
    await expect(http(keys).json({ path: '/api/x', open: true }, new NoClock())).rejects.toMatchObject({
      code: 'api_key_invalid',
    })
    expect(create).not.toHaveBeenCalled()
  })

  test('that the caller aborts reject with the reason of the caller, the first one too', async () => {
    const controller = new AbortController()
    server = await startStub(() => controller.abort('by the caller'))
    const deadline = new Deadline(60_000, controller.signal)
    await expect(http().json({ path: '/api/x' }, deadline)).rejects.toBe('by the caller')
  })

  test('that fetch refuses to send are an error with the reason', async () => {
    server = await startStub(() => {})
    const one = new Http(parseServiceUrl('http://127.0.0.1:9'), new Keys('mf_x', async () => ''), undefined)
    await expect(one.json({ path: '/api/x' }, new NoClock())).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('No service answers at http://127.0.0.1:9 (bad port). Start one with'),
    })
  })

  test('follow a redirect of the whole service', async () => {
    server = await startStub((response, path) => {
      if (path === '/api/x') response.writeHead(308, { Location: '/below/api/x' }).end()
      else sendJson(response, { path })
    })
    expect(await http().json({ path: '/api/x' }, new NoClock())).toMatchObject({ path: '/below/api/x' })
  })

  test('that redirect to no place are an error', async () => {
    server = await startStub((response) => response.writeHead(302).end())
    await expect(http().bytes({ path: '/api/emails/a/raw' }, new NoClock())).rejects.toMatchObject({
      status: 302,
    })
    expect(server.requests).toHaveLength(1)
  })

  test('do not follow a location that is no redirect', async () => {
    server = await startStub((response) => response.writeHead(200, { Location: '/other' }).end('raw message'))
    const bytes = await http().bytes({ path: '/api/emails/a/raw' }, new NoClock())
    expect([new TextDecoder().decode(bytes), server.requests.length]).toEqual(['raw message', 1])
  })

  test('that are redirected end at the deadline too', async () => {
    server = await startStub((response, path) => {
      if (path !== '/object') response.writeHead(302, { Location: '/object' }).end()
    })
    await expect(http().bytes({ path: '/api/emails/a/raw' }, new Deadline(50))).rejects.toMatchObject({
      code: 'unreachable',
      cause: { name: 'TimeoutError' },
    })
  })

  test('let a browser follow a redirect that it hides', async () => {
    server = await startStub(() => {})
    const seen: unknown[] = []
    jest.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
      seen.push(init?.redirect)
      if (init?.redirect === 'manual') return { type: 'opaqueredirect', status: 0 } as Response
      return new Response('raw message')
    })
    const bytes = await http().bytes({ path: '/api/emails/a/raw' }, new NoClock())
    expect([new TextDecoder().decode(bytes), seen]).toEqual(['raw message', ['manual', undefined]])
  })
})
