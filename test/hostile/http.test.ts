import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { MB, memoryOf, RawHttp } from '../faults/raw-http.ts'
import { eventually } from '../support/eventually.ts'
import { type RunningService, startService } from '../support/service.ts'

interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

/** The responses in the text of a connection, in order; one without a length ends with the text. */
function answers(text: string): Answer[] {
  const found: Answer[] = []
  for (let rest = text; rest.startsWith('HTTP/1.1 '); ) {
    const end = rest.indexOf('\r\n\r\n')
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((header) => {
        const colon = header.indexOf(':')
        return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()]
      }),
    )
    const length = Number(headers['content-length'] ?? (line.includes(' 100 ') ? 0 : Infinity))
    found.push({ status: Number(line.slice(9, 12)), headers, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
  return found
}

describe('malformed requests', () => {
  let service: RunningService
  const open: RawHttp[] = []

  beforeAll(async () => {
    service = await startService({
      MAYFLY_LOG_LEVEL: 'debug',
      MAYFLY_DOMAINS: 'mayfly.test,p.test=dk-secret',
    })
  })

  afterEach(() => {
    for (const client of open.splice(0)) client.close()
  })

  afterAll(async () => {
    await service?.stop()
  })

  function client(): RawHttp {
    const opened = new RawHttp(service.http)
    open.push(opened)
    return opened
  }

  /** Sends this text, and returns all responses when the service has closed the connection. */
  async function ask(text: string): Promise<Answer[]> {
    const raw = client().send(text)
    await raw.until(/^HTTP\/1\.1 [2-5]/m)
    await raw.closed
    return answers(raw.text)
  }

  const request = (line: string, headers: string[] = [], body = '') =>
    `${[`${line} HTTP/1.1`, 'Host: mayfly.test', ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`

  function isProblem(answer: Answer | undefined, status: number, code: string) {
    expect(answer).toMatchObject({ status, headers: { 'content-type': 'application/problem+json' } })
    expect(answer!.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[\w.-]+$/),
    })
    expect(JSON.parse(answer!.body)).toMatchObject({
      type: `/problems/${code}`,
      code,
      status,
      success: false,
      request_id: answer!.headers['x-request-id'],
    })
  }

  test.each([
    ['a b', 'Host'],
    ['[::', 'Host'],
    ['x:99999', 'Host'],
    ['u:p@x/../', 'Host'],
    ['x?y', 'Host'],
    ['x#y', 'Host'],
    ['', 'Host'],
  ])('Host %j', async (host) => {
    const text = `GET /api/sse/a@p.test?key=dk-secret HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    isProblem((await ask(text))[0], 400, 'invalid_query')
  })

  test('no Host at all', async () => {
    isProblem((await ask('GET /api/domains HTTP/1.1\r\nConnection: close\r\n\r\n'))[0], 400, 'invalid_query')
  })

  test.each([
    ['GET http://mayfly.test/api/domains', 200],
    ['GET http://other.example/api/domains', 421],
    ['GET http://other.example/', 421],
    ['GET http://other.example/resend/emails/x', 421],
    ['GET http://other.example/api/v1/messages', 421],
    ['GET http://other.example/api/sse/a@mayfly.test', 421],
    ['GET http://[/api/domains?key=dk-secret', 400],
    ['GET ftp://other.example/api/domains', 400],
    ['GET *', 400],
    ['OPTIONS *', 400],
    ['GET //other.example/api/domains', 404],
    ['GET /api//domains', 404],
    ['GET /api/domains/', 404],
    ['GET /api/./domains', 200],
    ['GET /../../etc/passwd', 404],
    ['GET /.git/config', 404],
    ['GET /assets/..%2f..%2fpackage.json', 404],
    ['GET /assets/%2e%2e/%2e%2e/package.json', 404],
    ['GET /api/public/emails/..%2f..%2fdomains', 400],
    ['GET /api/public/emails/a@mayfly.test\\x', 400],
    ['GET /api/public/emails/a%00@mayfly.test', 400],
    ['GET /api/public/emails/a@mayfly.test%00', 400],
    ['GET /api/public/emails/a%0d%0aX-Evil:%201@mayfly.test', 400],
    ['GET /api/public/emails/%ff@mayfly.test', 400],
    [`GET /api/public/emails/${'a'.repeat(9000)}@mayfly.test`, 400],
    [`GET /api/public/emails/a@${'a.'.repeat(4000)}test`, 400],
    ['GET /api/public/emails/a@mayfly.test?limit=1e1', 400],
    ['GET /api/public/emails/a@mayfly.test?limit=%00', 400],
    ['GET /api/public/emails/a@mayfly.test?limit=1&limit=2', 400],
    ['GET /api/public/emails/a@mayfly.test?cursor=../../x', 400],
    ['GET /api/public/emails/a@mayfly.test?since=%FF', 400],
    ['GET /api/public/emails/a@mayfly.test?subject=%00%27%3B--', 200],
    ['GET /api/public/emails/a@mayfly.test?__proto__=1&constructor=2&toString=3', 400],
    ['GET /api/sse/a@mayfly.test?last_event_id=x%0d%0adata:%20y', 400],
    ['GET /api/domain/verify/%00.example', 400],
    ['GET /api/domain/verify/x.example%2f..', 400],
    ['GET /api/domain/verify/[::1]', 400],
    ['TRACE /api/domains', 405],
    ['PROPFIND /api/domains', 405],
    ['PATCH /api/keys', 405],
    ['DELETE /api/domains', 405],
    ['HEAD /api/domains', 200],
    ['HEAD /api/nothing', 404],
  ])('%s → %i', async (line, status) => {
    const [answer] = await ask(request(line))
    expect(answer!.status).toBe(status)
    expect(answer!.headers).toMatchObject({ 'cache-control': 'no-store', 'x-request-id': expect.any(String) })
    expect(answer!.headers).not.toHaveProperty('x-evil')
    if (line.startsWith('HEAD')) expect(answer!.body).toBe('')
    else if (status >= 400) isProblem(answer, status, JSON.parse(answer!.body).code)
    if (status === 405) expect(answer!.headers.allow).toMatch(/GET/)
  })

  // A request that is not HTTP, or too large, never reaches the app: Node answers and closes the
  // connection.
  test.each([
    ['both lengths', 'POST /api/keys', ['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n', 400],
    ['two lengths', 'POST /api/keys', ['Content-Length: 4', 'Content-Length: 5'], '{}  ', 400],
    ['a negative length', 'POST /api/keys', ['Content-Length: -1'], '', 400],
    ['a length in words', 'POST /api/keys', ['Content-Length: 2 2'], '{}', 400],
    ['an unknown transfer coding', 'POST /api/keys', ['Transfer-Encoding: chunked, x'], '0\r\n\r\n', 400],
    ['a chunk without a size', 'POST /api/keys', ['Transfer-Encoding: chunked'], 'ZZ\r\n', 400],
    ['a header without a name', 'GET /api/domains', [': x'], '', 400],
    ['a space before the colon', 'GET /api/domains', ['Content-Length : 4'], '', 400],
    ['a bare CR in a header', 'GET /api/domains', ['X: a\rb'], '', 400],
    ['a NUL in a header', 'GET /api/domains', ['X: a\0b'], '', 400],
    ['a folded header', 'GET /api/domains', ['X: a', ' Content-Length: 4'], '', 400],
    ['a long header', 'GET /api/domains', [`X: ${'x'.repeat(20_000)}`], '', 431],
    ['many headers', 'GET /api/domains', Array(2500).fill('X: y'), '', 431],
    ['a long URL', `GET /api/domains?${'x'.repeat(20_000)}`, [], '', 431],
    ['an unknown method', 'FOO /api/domains', [], '', 400],
    ['a method in lower case', 'get /api/domains', [], '', 400],
    ['raw bytes in the target', 'GET /api/domains\xff\x00', [], '', 400],
  ])('%s', async (_name, line, headers, body, status) => {
    const found = await ask(request(line, headers, body) + request('GET /api/health'))
    expect(found.map((answer) => answer.status)).toEqual([status])
    expect(found[0]!.headers.connection).toBe('close')
  })

  test('bytes after a body are the next request, never a part of the first', async () => {
    const health = 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const found = await ask(
      `GET /api/domains HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${health.length}\r\n\r\n${health}${request('GET /api/nothing')}`,
    )
    // A request that only reads takes no body.
    expect(found.map(({ status }) => status)).toEqual([400, 404])
  })

  test('pipelined requests are answered in order', async () => {
    const lines = [
      '/api/health',
      '/api/nothing',
      '/api/domains',
      '/api/public/emails/x',
      '/api/random-username',
    ]
    const found = await ask(
      lines.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join('') +
        request('GET /api/health'),
    )
    expect(found.map(({ status }) => status)).toEqual([200, 404, 200, 400, 200, 200])
  })

  test('Expect: 100-continue', async () => {
    const headers = ['Expect: 100-continue', 'Content-Length: 3']
    const found = await ask(request('POST /api/keys', headers, '"x"'))
    expect(found[0]!.status).toBe(100)
    isProblem(found[1], 400, 'invalid_body')
  })

  test.each([
    ['a length that is too great', ['Content-Length: 999999999999'], ''],
    ['one byte too many', ['Content-Length: 8193'], 'x'.repeat(8193)],
    ['no length', ['Transfer-Encoding: chunked'], `${`1000\r\n${'x'.repeat(4096)}\r\n`.repeat(3)}0\r\n\r\n`],
  ])('a body that is too large: %s', async (_name, headers, body) => {
    const raw = client().send(request('POST /api/keys', headers, body))
    await raw.until(/request_id/)
    isProblem(answers(raw.text)[0], 413, 'body_too_large')
  })

  test('an endless body costs no memory, whatever the endpoint', async () => {
    const before = memoryOf(service)
    const chunk = Buffer.alloc(65_536, 'x')
    const flood = async (line: string) => {
      const raw = client().send(
        `${line} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${(256 * MB).toString(16)}\r\n`,
      )
      for (let i = 0; i < 4096 && !raw.socket.destroyed; i++) {
        if (!raw.socket.write(chunk)) {
          await Promise.race([new Promise((done) => raw.socket.once('drain', done)), raw.closed])
        }
      }
      raw.close()
    }
    await Promise.all(
      ['POST /api/keys', 'GET /api/domains', 'DELETE /api/keys/current', 'PUT /api/x'].map(flood),
    )
    expect(memoryOf(service) - before).toBeLessThan(200 * MB)
    expect((await fetch(`${service.http}/api/health`)).status).toBe(200)
  })

  test('a client that leaves in the middle of its body is not logged as a fault of the service', async () => {
    const bodies = [
      ['Content-Length: 50', 'ab'],
      ['Transfer-Encoding: chunked', '3\r\nab'],
    ]
    const leave = async (length: string, beginning: string) => {
      const headers = `Host: localhost\r\nX-Request-Id: gone\r\nExpect: 100-continue\r\n${length}`
      const raw = client().send(`POST /api/keys HTTP/1.1\r\n${headers}\r\n\r\n`)
      // The service now reads the body.
      await raw.until(/ 100 Continue/)
      raw.send(beginning).close()
    }
    const logged = () => service.output().match(/"requestId":"gone"/g)?.length ?? 0
    for (const [length, beginning] of bodies) {
      const before = logged()
      // A connection that ends before the service reads is not one of these requests, so it is tried again.
      const attempt = async () => {
        await leave(length!, beginning!)
        await sleep(300)
        return logged()
      }
      await eventually(`a log line of a request with ${length}`, attempt, (lines) => lines > before)
    }
    expect(service.output()).not.toMatch(/"level":[4-6]0/)
  })

  test('a valid request id of the caller is kept, and an invalid one is replaced', async () => {
    const idOf = async (id: string) =>
      (await ask(request('GET /api/nothing', [`X-Request-Id: ${id}`])))[0]!.headers['x-request-id']
    expect(await idOf('my-trace.1_2')).toBe('my-trace.1_2')
    for (const bad of ['x'.repeat(65), 'a b', '<script>', '"', 'ü']) {
      expect(await idOf(bad)).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  test('no answer and no log line contains the key', () => {
    expect(service.output()).toContain('"path":"/api/domains"')
    expect(service.output()).not.toContain('dk-secret')
  })
})
