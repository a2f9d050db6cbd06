import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import * as v from 'valibot'
import { readBody } from '../../../adapters/http/body.ts'
import { readFilter } from '../../../adapters/http/filter.ts'
import { changeFrame, emailFrame } from '../../../adapters/http/frame.ts'
import { handOver, wholeEmail } from '../../../adapters/http/handover.ts'
import type { RequestHead } from '../../../adapters/http/head.ts'
import { answerHeaders, corsHeaders, requestIdOf } from '../../../adapters/http/headers.ts'
import { OPEN_ORIGIN_POLICY, originPolicyOf } from '../../../adapters/http/origin-policy.ts'
import { asProblem, bodyBrokenOff, problemAnswer } from '../../../adapters/http/problem.ts'
import { PROBLEMS } from '../../../adapters/http/problems.ts'
import { parse, parseBody, parseQuery } from '../../../adapters/http/validate.ts'
import { summary, wholeWithoutBodies } from '../../../adapters/http/wire/email.ts'
import { WebhookMembers } from '../../../adapters/http/wire/webhooks.ts'
import { Problem, type ProblemCode } from '../../../core/errors.ts'
import { lastUlidOf } from '../../../core/ulid.ts'

describe('a problem', () => {
  const answered = (problem: Problem) => {
    const { status, headers, body } = problemAnswer(problem, 'r1')
    return { status, headers, body: JSON.parse(body) }
  }

  test('names the header to send only if a key is missing', () => {
    const asked = (code: 'api_key_missing' | 'domain_key_missing' | 'email_not_found') =>
      answered(new Problem(code, 'x')).headers['WWW-Authenticate']
    expect(asked('api_key_missing')).toContain('header="X-API-Key"')
    expect(asked('domain_key_missing')).toContain('header="X-Domain-Key"')
    expect(asked('email_not_found')).toBeUndefined()
  })

  test('has the status, the title and the advice of its code', () => {
    const lines = (Object.keys(PROBLEMS) as ProblemCode[]).map((code) => {
      const { status, body, headers } = answered(new Problem(code, 'The detail.'))
      expect(headers['Content-Type']).toBe('application/problem+json')
      expect([body.type, body.status]).toEqual([`/problems/${code}`, status])
      return [code, status, body.title, body.detail].join(' | ')
    })
    expect(lines).toMatchSnapshot()
  })

  test('has Retry-After if the time is known', () => {
    const later = new Problem('rate_limited', 'x', { retryAfter: 7 })
    expect(answered(later).headers['Retry-After']).toBe('7')
    expect(answered(new Problem('rate_limited', 'x')).headers).not.toHaveProperty('Retry-After')
  })

  test('appends the advice for its code to the detail, if there is one', () => {
    const details = (['api_key_missing', 'email_not_found'] as const).map(
      (code) => answered(new Problem(code, 'The detail.')).body.detail,
    )
    expect(details).toEqual([expect.stringMatching(/^The detail\. ./), 'The detail.'])
  })

  test('hides the cause of an internal error; an aborted body keeps its cause for the log', async () => {
    const fault = new Error('SQLITE_CORRUPT in /var/lib')
    const told = answered(asProblem(fault))
    expect(told).toMatchObject({ status: 500, body: { code: 'internal_error', success: false } })
    expect(JSON.stringify(told)).not.toContain('SQLITE')
    const refused = new Problem('email_not_found', 'x')
    expect(asProblem(refused)).toBe(refused)
    expect(bodyBrokenOff(fault)).toMatchObject({ code: 'invalid_body', cause: fault })
    const head = { text: () => Promise.reject(fault) } as unknown as RequestHead
    await expect(readBody(head, v.object({}))).rejects.toMatchObject({
      detail: 'The body was not received completely.',
      cause: fault,
    })
  })
})

describe('a part of a mail', () => {
  const chunksOf = (...texts: string[]) => {
    const read = { next: 0, returned: 0 }
    const iterator: AsyncIterator<Uint8Array> = {
      async next() {
        const text = texts[read.next++]
        return text === undefined
          ? { done: true, value: undefined }
          : { done: false, value: Buffer.from(text) }
      },
      async return() {
        read.returned++
        return { done: true, value: undefined }
      },
    }
    return { read, stream: { [Symbol.asyncIterator]: () => iterator } }
  }
  const download = { contentType: 'text/plain', filename: 'a.eml' }
  const asked = (range?: string) => ({
    header: (name: string) => (name === 'Range' ? range : undefined),
    requestId: 'r1',
  })

  test('that is stored elsewhere is a redirect', () => {
    const answer = handOver({ url: 'https://bucket.example/part?sig=1' }, asked())
    expect([answer.status, answer.headers.get('Location')]).toEqual([
      302,
      'https://bucket.example/part?sig=1',
    ])
  })

  test.each([
    [undefined, { 'content-length': '6' }],
    ['bytes=2-3', { 'content-length': '2', 'content-range': 'bytes 2-3/6' }],
  ])('is a download that no browser runs, in range %s', (range, headers) => {
    const answer = handOver({ download, size: 6, stream: chunksOf('onetwo').stream } as never, asked(range))
    expect(Object.fromEntries(answer.headers)).toEqual({
      'accept-ranges': 'bytes',
      'cache-control': 'no-transform',
      'content-disposition': `attachment; filename="a.eml"; filename*=UTF-8''a.eml`,
      'content-security-policy': "sandbox; default-src 'none'",
      'content-type': 'text/plain',
      'x-content-type-options': 'nosniff',
      ...headers,
    })
  })

  test('is read on demand, and its source is closed when the client cancels', async () => {
    const { read, stream } = chunksOf('one', 'two')
    const answer = handOver({ download, size: 6, stream } as never, asked())
    await turn()
    expect(read.next).toBe(0)
    const reader = answer.body!.getReader()
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('one')
    expect(read).toEqual({ next: 1, returned: 0 })
    await reader.cancel()
    expect(read).toEqual({ next: 1, returned: 1 })
    // An iterator may have no `return`.
    const { stream: endless } = chunksOf('one')
    delete endless[Symbol.asyncIterator]().return
    await handOver({ download, size: 6, stream: endless } as never, asked()).body!.cancel()
    expect(answer.headers.get('Content-Disposition')).toContain('a.eml')
  })

  test('that cannot be read to its end is cut off, without the text of the fault', async () => {
    const stream = (async function* () {
      yield Buffer.from('one')
      throw new Error('EIO /var/lib')
    })()
    const answer = handOver({ download, size: 6, stream } as never, asked())
    await expect(answer.text()).rejects.toThrow(/^the answer was cut off$/)
  })

  test('is the range that is asked for, wherever the chunks end, and its source is closed', async () => {
    const whole = 'abcdefgh'
    for (let first = 0; first < whole.length; first++) {
      for (let last = first; last < whole.length; last++) {
        const { read, stream } = chunksOf('abc', '', 'd', 'efgh')
        const range = `bytes=${first}-${last}`
        const answer = handOver({ download, size: 8, stream } as never, asked(range))
        expect([range, await answer.text()]).toEqual([range, whole.slice(first, last + 1)])
        expect(read.returned).toBe(1)
      }
    }
    const { read, stream } = chunksOf('abcdefgh')
    expect(handOver({ download, size: 8, stream } as never, asked('bytes=8-')).status).toBe(416)
    expect(read).toEqual({ next: 0, returned: 1 })
  })

  test('leaves the thread to others between the chunks before its range', async () => {
    let others = 0
    const { stream } = chunksOf(...Array.from({ length: 90 }, () => 'x'))
    const answer = handOver({ download, size: 90, stream } as never, asked('bytes=89-89'))
    const count = () => {
      others++
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    expect(await answer.text()).toBe('x')
    clearImmediate(next)
    expect(others).toBeGreaterThan(50)
  })

  test('whose source cannot be closed is still refused, and the process goes on', async () => {
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', note)
    const { stream } = chunksOf('one')
    stream[Symbol.asyncIterator]().return = () => Promise.reject(new Error('EIO'))
    expect(handOver({ download, size: 3, stream } as never, asked('bytes=3-')).status).toBe(416)
    await turn()
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })

  const email = { id: '1', address: 'x@a.test', bodyText: '', attachments: [], receivedAt: 0, expiresAt: 0 }
  const details = { attachments: [], headers: [] }

  test('a body in several chunks is joined with the email into one JSON object', async () => {
    const { read, stream: bodies } = chunksOf('"a', 'b"\nnu', 'll')
    const answer = wholeEmail({ email, details, bodies } as never)
    expect(await answer.json()).toMatchObject({
      success: true,
      email: { id: '1', body_text: 'ab', body_html: null },
    })
    expect(read).toEqual({ next: 4, returned: 0 })
  })

  test('the body of an email is closed when the client leaves, also before it was read', async () => {
    for (const pieces of [0, 1]) {
      const { read, stream: bodies } = chunksOf('{"body_text":"a', 'b"}')
      const reader = wholeEmail({ email, details, bodies } as never).body!.getReader()
      for (let n = 0; n < pieces; n++) await reader.read()
      await reader.cancel()
      expect(read).toEqual({ next: pieces, returned: 1 })
    }
  })
})

describe('the frame of an event', () => {
  test('is serialized once for all streams', () => {
    const event = { type: 'email-read', domain: 'a.test', address: 'x@a.test', id: '1' } as const
    expect(changeFrame(event)).toBe(changeFrame(event))
    expect(changeFrame({ ...event })).not.toBe(changeFrame(event))
  })

  test('has an id if a client can resume from it, and its chunk begins with the length', () => {
    const email = {
      id: '01J0000000000000000000000A',
      bodyText: '',
      from: [],
      to: [],
      attachments: [],
      receivedAt: 0,
      expiresAt: 0,
    }
    const { text, chunk } = emailFrame({ domain: 'a.test', email } as never)
    expect(text.toString()).toMatch(/^id: 01J0000000000000000000000A\ndata: \{"type":"new-email".*\}\n\n$/)
    expect(chunk.toString()).toBe(`${text.length.toString(16)}\r\n${text}\r\n`)
    const cleared = changeFrame({ type: 'inbox-cleared', domain: 'a.test', address: 'x@a.test' })
    expect(cleared.text.toString()).toBe(
      'data: {"type":"inbox-cleared","domain":"a.test","address":"x@a.test"}\n\n',
    )
  })
})

describe('a query', () => {
  const schema = v.object({
    limit: v.optional(v.pipe(v.number('is a number'), v.maxValue(100, 'is at most 100')), 20),
    from: v.optional(v.string()),
  })
  const read = (query: string) => parseQuery(schema, new URLSearchParams(query))

  test('converts numbers where the schema expects them, and ignores what circumvents caches', () => {
    expect(read('')).toEqual({ limit: 20 })
    expect(read('_=1&_=2')).toEqual({ limit: 20 })
    expect(read('limit=7&from=8')).toEqual({ limit: 7, from: '8' })
    expect(read('limit=-7').limit).toBe(-7)
  })

  test.each([
    ['limit=101', '"limit" is at most 100.'],
    ['limit=1e2', '"limit" is a number.'],
    ['limit=123456789', '"limit" is at most 100.'],
    ['limit=1234567890', '"limit" is a number.'],
    ['limit=', '"limit" is a number.'],
    ['limit=1&limit=1', '"limit" is given more than once.'],
    ['limits=1', '"limits" is not known here; the nearest known name is "limit".'],
  ])('with a wrong parameter (%s) is rejected: %s', (query, detail) => {
    expect(() => read(query)).toThrow(expect.objectContaining({ code: 'invalid_query', detail }))
  })

  test('collects each value of a list, also one', () => {
    const list = v.object({ also: v.optional(v.array(v.string()), []), limit: v.optional(v.number()) })
    const read = (query: string) => parseQuery(list, new URLSearchParams(query))
    expect(read('also=1&also=2')).toEqual({ also: ['1', '2'] })
    expect(read('also=1')).toEqual({ also: ['1'] })
    expect(read('limit=1')).toEqual({ also: [], limit: 1 })
    expect(() => read('limit=1&limit=2')).toThrow(expect.objectContaining({ code: 'invalid_query' }))
  })

  test('a filter in a body that is no text is named, without the words of a library', () => {
    const body = { url: 'https://example.com', address: 'bot@mayfly.test', subject: null }
    expect(() => parseBody(WebhookMembers, body)).toThrow(
      expect.objectContaining({ code: 'invalid_body', detail: '"subject" must be a text.' }),
    )
  })

  test('an error of the whole value names no field', () => {
    expect(() => parse(v.string('must be text'), 1, 'invalid_body')).toThrow(
      expect.objectContaining({ code: 'invalid_body', detail: 'must be text.' }),
    )
    expect(() => parse(v.object({ url: v.string('must be text') }), {}, 'invalid_body')).toThrow(
      expect.objectContaining({ detail: '"url" is missing.' }),
    )
  })
})

test('a text is marked as truncated if it was cut now or when it was stored', () => {
  const truncated = (bodyTextTruncated: boolean, bytes: number) =>
    summary(
      { bodyText: 'ten bytes!', bodyTextTruncated, attachments: [], receivedAt: 0, expiresAt: 0 } as never,
      bytes,
    ).body_text_truncated
  expect([truncated(false, 10), truncated(false, 9), truncated(true, 10)]).toEqual([false, true, true])
})

test('parse_error is present only if a mail could not be read completely', () => {
  const email = {
    address: 'x@a.test',
    id: '1',
    bodyText: '',
    attachments: [],
    receivedAt: 0,
    expiresAt: 0,
  } as never
  const detail = { attachments: [], headers: [] }
  expect(wholeWithoutBodies(email, detail as never)).not.toHaveProperty('parse_error')
  expect(wholeWithoutBodies(email, { ...detail, parseError: 'x' } as never)).toMatchObject({
    parse_error: 'x',
  })
})

test('a time outside the range of ULIDs becomes the first or the last ULID', () => {
  const after = (since: string) => readFilter({ since }).after
  expect(after('1969-12-31T00:00:00Z')).toMatch(/^0{10}Z{16}$/)
  expect(after('+012000-01-01T00:00:00Z')).toMatch(/^7Z{25}$/)
  expect(after('2026-11-21T00:00:00Z')).toBe(lastUlidOf(Date.UTC(2026, 10, 21)))
  expect(readFilter({ from: 'a', subject: 'b', q: 'c', has: 'code' })).toEqual({
    filter: { from: 'a', subject: 'b', q: 'c', has: 'code' },
    after: undefined,
  })
})

test.each([
  ['a', true],
  ['A.b_c=d-9', true],
  ['x'.repeat(64), true],
  ['x'.repeat(65), false],
  ['', false],
  ['a b', false],
  ['a/b', false],
  [undefined, false],
])('the id %j of a request is kept: %s', (sent, isKept) => {
  expect(requestIdOf(sent)).toEqual(isKept ? sent : expect.stringMatching(/^[0-9a-f-]{36}$/))
})

test('every answer has the headers of its safety, of CORS and of the rate', () => {
  const common = {
    'X-Request-Id': 'r1',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
  expect(answerHeaders('r1')).toEqual(common)
  expect(answerHeaders('r1', { Vary: 'Origin' }, { limit: 120, remaining: 7, reset: 42 })).toEqual({
    ...common,
    Vary: 'Origin',
    'RateLimit-Limit': '120',
    'RateLimit-Remaining': '7',
    'RateLimit-Reset': '42',
  })
})

test('an origin that is not allowed, and none, get only Vary; an allowed one gets the CORS headers', () => {
  const originPolicy = originPolicyOf({ origins: ['https://a.example'], names: [], baseUrl: undefined })
  expect(corsHeaders(originPolicy, 'localhost', 'https://b.example')).toEqual({ Vary: 'Origin' })
  expect(corsHeaders(originPolicy, 'localhost', undefined)).toEqual({ Vary: 'Origin' })
  expect(corsHeaders(originPolicy, 'localhost', 'https://a.example')).toEqual({
    'Access-Control-Allow-Origin': 'https://a.example',
    'Access-Control-Expose-Headers':
      'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id, Content-Disposition, ' +
      'Content-Range, Accept-Ranges',
    Vary: 'Origin',
  })
  expect(corsHeaders(OPEN_ORIGIN_POLICY, 'localhost', undefined)).toMatchObject({
    'Access-Control-Allow-Origin': '*',
  })
})
