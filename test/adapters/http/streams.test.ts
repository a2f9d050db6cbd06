import { createConnection } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createApp, type RequestRecord } from '../../../adapters/http/app.ts'
import { LIVE_ENDPOINTS } from '../../../adapters/http/endpoints.ts'
import { type HttpListener, listenHttp } from '../../../adapters/http/node-server.ts'
import { OPEN_ORIGIN_POLICY, originPolicyOf } from '../../../adapters/http/origin-policy.ts'
import type { LiveService } from '../../../adapters/http/service.ts'
import { type StreamRequests, streamRequests } from '../../../adapters/http/stream-requests.ts'
import { emailOf } from '../../../core/inbox/email.ts'
import { lastUlidOf } from '../../../core/ulid.ts'
import { FIRST_ID, sampleContent } from '../../contract/sample.ts'
import { eventually } from '../../support/eventually.ts'
import type { ServiceParts } from './ask.ts'
import { domain, quiet, serving } from './live-service.ts'

function listen(service: LiveService): Promise<HttpListener> {
  const app = createApp({ service, endpoints: LIVE_ENDPOINTS, clientAddress: () => '192.0.2.1' })
  return listenHttp((request, env) => app.fetch(request, env as object), { hosts: ['127.0.0.1'], port: 0 })
}

/** Uses a store whose domain lookup takes as long as one on another machine. */
describe('a stream', () => {
  let http: HttpListener | undefined

  afterEach(() => http?.stop(0))

  test('whose client disconnects during the domain lookup never counts as open, and a wait ends', async () => {
    const live = quiet()
    let lookUps = 0
    const slowly = async <T>(result: T): Promise<T> => {
      lookUps++
      await sleep(30)
      return result
    }
    const rate = { limit: 120, remaining: 1, reset: 1 }
    const service = {
      ...serving(live, () => slowly(domain)),
      apiKeyService: { authenticate: async () => ({ key: {}, rate, admitted: true }) },
      mailbox: { latest: () => slowly(null) },
    } satisfies ServiceParts as unknown as LiveService
    http = await listen(service)
    const { port } = http
    const leave = (path: string, afterMs: number) =>
      new Promise<void>((resolve) => {
        const socket = createConnection({ host: '127.0.0.1', port })
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: k\r\n\r\n`)
        socket.once('close', () => resolve())
        socket.once('connect', () => setTimeout(() => socket.destroy(), afterMs))
      })
    const paths = ['/api/sse/a@x.test', '/api/emails/a@x.test/wait']
    // On a busy machine, many clients disconnect before their request is read.
    for (let round = 0; round < 10 || (lookUps <= 100 && round < 100); round++) {
      await Promise.all(Array.from({ length: 20 }, (_, n) => leave(paths[n % 2]!, 10 + n * 3)))
    }
    // The service looks up no domain for a client that has disconnected before its turn.
    expect(lookUps).toBeGreaterThan(20)
    for (let n = 0; n < 100 && live.count > 0; n++) await sleep(20)
    expect(live.count).toBe(0)
  })

  test.each(['x.test', 'y.test'])(
    'of two domains ends if %s changes before the stream follows it',
    async (changed) => {
      const live = quiet()
      let keyHash: string | null = null
      const service = serving(live, (name) => ({
        ...domain,
        name,
        keyHash: name === changed ? keyHash : null,
      }))
      const follow = live.follow.bind(live)
      live.follow = (...call) => {
        keyHash = 'a key'
        return follow(...call)
      }
      http = await listen(service)
      const answer = await fetch(`http://127.0.0.1:${http.port}/api/sse/a@x.test?also=b@y.test`)
      // If the stream did not end, this would wait forever.
      expect(await answer.text()).toContain('event: connected')
      expect(live.count).toBe(0)
    },
  )

  test('replays no email if its domain changes during the replay', async () => {
    let now = domain
    const live = quiet({
      async *replay() {
        now = { ...domain, keyHash: 'a key' }
        yield { emails: [emailOf(sampleContent(), 'a@x.test', lastUlidOf(Date.now()), 60_000)] }
      },
    })
    const service = serving(live, () => now)
    // The change is published after the replay has read: in time for live events, but not for the
    // replay.
    service.domainService.checkFollowed = async () => {}
    http = await listen(service)
    const answer = await fetch(`http://127.0.0.1:${http.port}/api/sse/a@x.test`, {
      headers: { 'Last-Event-ID': FIRST_ID },
    })
    expect(await answer.text()).not.toContain('new-email')
  })

  test('bypasses the app only if no check of the app could refuse its request', async () => {
    const originPolicy = originPolicyOf({
      origins: ['https://app.example'],
      names: ['box.example'],
      baseUrl: undefined,
    })
    const served: string[] = []
    const service = serving(quiet(), () => ({ ...domain, keyHash: 'a key' }))
    const bypass = (address: string | undefined, policy = originPolicy) =>
      streamRequests({ service, clientAddress: () => address, originPolicy: policy })
    const takes = (streams: StreamRequests, url: string, headers: object = {}, method = 'GET') => {
      const outgoing = { writeHead: () => outgoing, end: () => served.push(url), on: () => {} }
      return streams(
        { method, url, headers: { host: 'localhost:8080', ...headers } } as never,
        outgoing as never,
      )
    }
    const streams = bypass('192.0.2.1')
    for (const [url, headers, isTaken] of [
      ['/api/sse/a@x.test', {}, true],
      ['/api/sse/a%40x.test?last_event_id=1', {}, true],
      ['/api/user-dashboard/sse?key=x', {}, true],
      ['/api/sse/a@x.test', { host: 'box.example' }, true],
      ['/api/sse/a@x.test', { host: 'other.example' }, false],
      ['/api/sse/a@x.test', { host: 'localhost:70000' }, false],
      ['/api/sse/a@x.test', { host: undefined }, false],
      ['/api/sse/a@x.test', { origin: 'http://localhost:3000' }, false],
      ['/api/sse/a@x.test', { origin: 'http://localhost:8080' }, true],
      ['/api/sse/a@x.test', { origin: 'https://app.example' }, true],
      ['/api/sse/a@x.test#x', {}, false],
      ['/api/sse/a@x.test/', {}, false],
      ['/api/sse/../a@x.test', {}, false],
      ['/x/api/sse/a@x.test', {}, false],
      ['/api/emails/a@x.test', {}, false],
    ] as const) {
      expect([url, headers, takes(streams, url, headers)]).toEqual([url, headers, isTaken])
    }
    expect(takes(streams, '/api/sse/a@x.test', {}, 'HEAD')).toBe(false)
    expect(takes(bypass(undefined), '/api/sse/a@x.test')).toBe(false)
    const open = bypass('192.0.2.1', OPEN_ORIGIN_POLICY)
    expect(takes(open, '/api/sse/a@x.test', { origin: 'https://a.example', host: 'b.example' })).toBe(true)
    await eventually('all requests that were taken are answered', () => served.length === 7)
  })

  test('that bypasses the app gets the same response and the same log record', async () => {
    const began = performance.now()
    const live = quiet()
    const records: RequestRecord[] = []
    const service = serving(live, () => ({ ...domain, keyHash: 'a key' }))
    const answered = (record: RequestRecord) => void records.push(record)
    const app = createApp({ service, endpoints: LIVE_ENDPOINTS, clientAddress: () => '192.0.2.1', answered })
    const streams = streamRequests({ service, clientAddress: () => '192.0.2.1', answered })
    http = await listenHttp((request, env) => app.fetch(request, env as object), {
      hosts: ['127.0.0.1'],
      port: 0,
      streams: (...request) => byApp === false && streams(...request),
    })
    let byApp: boolean
    const answers = []
    for (byApp of [false, true]) {
      const answer = await fetch(`http://127.0.0.1:${http.port}/api/sse/a@x.test?limit=1`, {
        headers: { 'X-Request-Id': 'r1' },
      })
      const { 'keep-alive': _, date: __, connection: ___, ...headers } = Object.fromEntries(answer.headers)
      answers.push({ status: answer.status, headers, body: await answer.json() })
    }
    expect(answers[0]).toMatchObject({ status: 401, body: { code: 'domain_key_missing', request_id: 'r1' } })
    const { 'content-length': length, ...others } = answers[0]!.headers
    expect(Number(length)).toBeGreaterThan(100)
    expect({ ...answers[0], headers: others }).toEqual({
      ...answers[1],
      headers: { ...answers[1]!.headers, 'content-length': undefined, 'transfer-encoding': undefined },
    })
    for (const record of records) {
      expect(record).toMatchObject({
        requestId: 'r1',
        method: 'GET',
        path: '/api/sse/a@x.test',
        status: 401,
        error: { code: 'domain_key_missing' },
      })
      expect(record.ms).toBeLessThanOrEqual(performance.now() - began)
    }
    expect(records).toHaveLength(2)
  })
})
