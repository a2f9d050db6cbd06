import { setImmediate as turn } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import * as v from 'valibot'
import { json } from '../../../adapters/http/answer.ts'
import { createApp, type RequestRecord } from '../../../adapters/http/app.ts'
import { readBody } from '../../../adapters/http/body.ts'
import { type Endpoint, endpointsOf } from '../../../adapters/http/endpoint.ts'
import { originPolicyOf } from '../../../adapters/http/origin-policy.ts'
import { Problem, type ProblemCode } from '../../../core/errors.ts'
import { COMPRESSED_BYTES, REQUEST_BODY_BYTES } from '../../../core/limits.ts'
import { endpointOf } from './ask.ts'

/** The parts that all responses have in common, on endpoints that do nothing else. */
describe('every response', () => {
  const endpoint = endpointsOf<object>()
  const appOf = (
    answer: () => Response,
    origins?: string[],
    {
      others = [],
      answered,
    }: { others?: Endpoint<object>[]; answered?: (record: RequestRecord) => void } = {},
  ) =>
    createApp({
      // These endpoints do not depend on the key.
      service: {
        apiKeyService: { authenticate: async () => ({ key: {}, rate: {}, admitted: true }) },
      } as never,
      ...(answered && { answered }),
      endpoints: [
        endpoint({
          method: 'GET',
          path: '/api/x',
          name: 'x',
          summary: 'x',
          tag: 'Service',
          description: 'x',
          access: 'public',
          answers: {},
          handle: answer,
        }),
        ...others,
      ] as never,
      clientAddress: () => '192.0.2.1',
      originPolicy: originPolicyOf({ origins, names: [], baseUrl: undefined }),
    })

  test('names in Vary everything it depends on, so that no cache serves it to another client', async () => {
    const app = appOf(() => Response.json('long enough to be packed '.repeat(1000)), ['http://a.example'])
    const answer = await app.request('http://localhost/api/x', {
      headers: { Origin: 'http://a.example', 'Accept-Encoding': 'gzip' },
    })
    expect(answer.headers.get('Content-Encoding')).toBe('gzip')
    const vary = answer.headers.get('Vary')!.split(/,\s*/)
    expect(vary.sort()).toEqual(['Accept-Encoding', 'Origin'])
  })

  test('to HEAD cancels the body of the endpoint', async () => {
    let cancelled = 0
    const body = () =>
      new ReadableStream({
        cancel() {
          cancelled++
        },
      })
    const answer = await appOf(() => new Response(body())).request('http://localhost/api/x', {
      method: 'HEAD',
    })
    expect(answer.status).toBe(200)
    expect(cancelled).toBe(1)
  })

  test('to HEAD may have no body', async () => {
    const answer = await appOf(() => new Response(null, { status: 204 })).request('http://localhost/api/x', {
      method: 'HEAD',
    })
    expect(answer.status).toBe(204)
  })

  const nothing = () => new Response(null, { status: 204 })

  test('has CORS headers below /api/ only', async () => {
    const path = '/elsewhere'
    const app = appOf(nothing, ['*'], { others: [endpointOf({ path }) as never] })
    const allowed = async (url: string) => (await app.request(url)).headers.get('Access-Control-Allow-Origin')
    expect(await allowed('http://localhost/api/x')).toBe('*')
    expect(await allowed(`http://localhost${path}`)).toBeNull()
  })

  test('has a request id of its own if the caller sends none', async () => {
    const { headers } = await appOf(nothing).request('http://localhost/api/x')
    expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('to a page of another site is a refusal if the request changes something and has no key', async () => {
    const others = [
      endpointOf({ method: 'DELETE' }),
      endpointOf({ path: '/api/changes', changesState: true }),
    ] as never[]
    const [any, own] = [undefined, ['https://a.example']].map((origins) =>
      appOf(nothing, origins ?? ['*'], { others }),
    )
    const cross = { 'Sec-Fetch-Site': 'cross-site' }
    const Origin = 'https://a.example'
    for (const [app, method, path, headers, status] of [
      [any, 'GET', 'x', cross, 204],
      [any, 'DELETE', 'x', cross, 403],
      [any, 'GET', 'changes', cross, 403],
      [any, 'DELETE', 'x', { 'Sec-Fetch-Site': 'same-site' }, 200],
      [any, 'GET', 'changes', { 'Sec-Fetch-Site': 'none' }, 200],
      [any, 'DELETE', 'x', { ...cross, 'X-API-Key': 'k' }, 200],
      [any, 'DELETE', 'x', { ...cross, Authorization: 'Bearer k' }, 200],
      [any, 'DELETE', 'x', { ...cross, Origin }, 403],
      // Without an Origin, the page has not passed the CORS check of this service.
      [own, 'DELETE', 'x', { ...cross, 'X-API-Key': 'k' }, 403],
      [own, 'DELETE', 'x', { ...cross, 'X-API-Key': 'k', Origin }, 200],
      [own, 'DELETE', 'x', { ...cross, Origin }, 403],
    ] as const) {
      const answer = await app!.request(`http://localhost/api/${path}`, { method, headers })
      expect([method, path, headers, answer.status]).toEqual([method, path, headers, status])
      if (status === 403) expect(await answer.json()).toMatchObject({ code: 'cross_site' })
    }
  })

  test('is produced at once, but of large ones only four at the same time', async () => {
    for (const [isLarge, begin] of [
      [undefined, 6],
      [true, 4],
    ] as const) {
      let begun = 0
      const finish = Promise.withResolvers<void>()
      const slow = endpointOf({ path: '/api/slow', ...(isLarge && { isLarge }) }, async () => {
        begun++
        await finish.promise
        return {}
      })
      let clients = 0
      const app = createApp({
        service: {} as never,
        endpoints: [slow] as never,
        clientAddress: () => `192.0.2.${++clients}`,
      })
      const answers = Array.from({ length: 6 }, () => app.request('http://localhost/api/slow'))
      await turn()
      expect(begun).toBe(begin)
      finish.resolve()
      await Promise.all(answers)
      expect(begun).toBe(6)
    }
  })

  test('to a preflight lists the allowed headers; to another method, the allowed methods', async () => {
    const app = appOf(nothing)
    const preflight = await app.request('http://localhost/api/x', { method: 'OPTIONS' })
    expect([preflight.status, Object.fromEntries(preflight.headers)]).toMatchObject([
      204,
      {
        allow: 'GET, HEAD',
        'access-control-allow-headers':
          'X-API-Key, X-Domain-Key, Last-Event-ID, Range, Content-Type, X-Request-Id',
        'access-control-allow-methods': 'GET, POST, DELETE',
        'access-control-max-age': '86400',
      },
    ])
    const refused = await app.request('http://localhost/api/x', { method: 'POST' })
    expect([refused.status, refused.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
    expect((await app.request('http://localhost/api/x/')).status).toBe(404)
  })

  test('has the common headers once, even if the endpoint sets them too', async () => {
    const app = appOf(() => new Response(null, { headers: { 'Cache-Control': 'max-age=1' } }))
    expect((await app.request('http://localhost/api/x')).headers.get('Cache-Control')).toBe('no-store')
  })

  test('is compressed only if it is JSON: a raw message is sent as it is', async () => {
    const text = 'long enough to be packed '.repeat(1000)
    for (const [type, packed] of [
      ['application/json', 'gzip'],
      ['message/rfc822', null],
    ] as const) {
      const app = appOf(() => new Response(text, { headers: { 'Content-Type': type } }))
      const answer = await app.request('http://localhost/api/x', { headers: { 'Accept-Encoding': 'gzip' } })
      expect([type, answer.headers.get('Content-Encoding')]).toEqual([type, packed])
    }
    const short = appOf(() => json({ a: 1 }))
    const answer = await short.request('http://localhost/api/x', { headers: { 'Accept-Encoding': 'gzip' } })
    expect(answer.headers.get('Content-Encoding')).toBeNull()
  })

  test('is compressed before anything of it is sent if its whole body is in memory', async () => {
    const body = { text: 'x'.repeat(COMPRESSED_BYTES) }
    const app = appOf(() => json(body))
    const answer = await app.request('http://localhost/api/x', { headers: { 'Accept-Encoding': 'gzip' } })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(JSON.parse(gunzipSync(bytes).toString())).toEqual(body)
    // A stream that compresses would have none, and would hold bytes for a slow client uncounted.
    expect(answer.headers.get('Content-Length')).toBe(String(bytes.length))
  })

  test('is logged without its query, and with the error that the client does not see', async () => {
    const began = performance.now()
    const records: RequestRecord[] = []
    const fault = new Error('a fault')
    let fails = false
    const app = appOf(
      () => {
        if (fails) throw fault
        return nothing()
      },
      undefined,
      { answered: (record) => records.push(record) },
    )
    const headers = { 'X-Request-Id': 'r1' }
    await app.request('http://localhost/api/x?_=secret', { headers })
    fails = true
    await app.request('http://localhost/api/x?_=secret', { headers })
    const same = { requestId: 'r1', method: 'GET', path: '/api/x', ms: expect.any(Number) }
    expect(records).toEqual([
      { ...same, status: 204, error: undefined },
      { ...same, status: 500, error: fault },
    ])
    for (const { ms } of records) expect(ms).toBeLessThanOrEqual(performance.now() - began)
  })

  test('has a Bearer challenge only if the endpoint expects a bearer token and rejects the key', async () => {
    const refusing = (access: 'bearer' | 'public', path: string, code: ProblemCode) =>
      endpoint({
        method: 'GET',
        path,
        name: 'y',
        summary: 'y',
        tag: 'Service',
        description: 'x',
        access,
        answers: {},
        handle: () => {
          throw new Problem(code, 'x')
        },
      })
    const app = appOf(nothing, undefined, {
      others: [
        refusing('bearer', '/api/1', 'api_key_invalid'),
        refusing('bearer', '/api/2', 'email_not_found'),
        refusing('public', '/api/3', 'api_key_invalid'),
      ],
    })
    const asked = await Promise.all(
      [1, 2, 3].map(async (n) => {
        const answer = await app.request(`http://localhost/api/${n}`, {
          headers: { Authorization: 'Bearer k' },
        })
        return [answer.status, answer.headers.get('WWW-Authenticate')?.split(' ')[0]]
      }),
    )
    expect(asked).toEqual([
      [401, 'Bearer'],
      [404, undefined],
      [401, 'ApiKey'],
    ])
  })

  const bodies = {
    others: [
      endpoint({
        method: 'POST',
        path: '/api/body',
        name: 'z',
        summary: 'z',
        tag: 'Service',
        description: 'x',
        access: 'public',
        body: v.object({}),
        answers: {},
        handle: async ({ head }) =>
          Response.json(await readBody(head, v.object({ a: v.optional(v.string()) }))),
      }),
    ],
  }

  test('to a body that is not a JSON object says what to send', async () => {
    const app = appOf(nothing, undefined, bodies)
    for (const body of ['{', '[]', 'null', '1', '"x"', 'x']) {
      const answer = await app.request('http://localhost/api/body', { method: 'POST', body })
      expect([body, answer.status, await answer.json()]).toEqual([
        body,
        400,
        expect.objectContaining({ code: 'invalid_body', detail: 'Send no body at all, or a JSON object.' }),
      ])
    }
  })

  test('to a body that is too large is 413, with or without Content-Length', async () => {
    const app = appOf(nothing, undefined, bodies)
    const post = async (text: string, init: RequestInit = {}) => {
      const answer = await app.request('http://localhost/api/body', { method: 'POST', body: text, ...init })
      return answer.status
    }
    const unread = appOf(nothing, undefined, { others: [endpointOf({ method: 'DELETE' }) as never] })
    const init = { method: 'DELETE', body: 'x'.repeat(REQUEST_BODY_BYTES + 1) }
    expect((await unread.request('http://localhost/api/x', init)).status).toBe(413)
    const filled = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`
    expect((await app.request('http://localhost/api/body')).headers.get('Allow')).toBe('POST')
    expect(await post(filled(REQUEST_BODY_BYTES))).toBe(200)
    expect(await post(filled(REQUEST_BODY_BYTES + 1))).toBe(413)
    const headers = { 'Content-Length': String(REQUEST_BODY_BYTES + 1) }
    expect(await post(filled(REQUEST_BODY_BYTES + 1), { headers })).toBe(413)
  })
})
