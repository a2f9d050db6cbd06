import { spawnSync } from 'node:child_process'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { STREAMS_MAX } from '../../core/limits.ts'
import { RawHttp } from '../faults/raw-http.ts'
import { inTheLongRun } from '../faults/rounds.ts'
import { CONTAINER_ENV } from '../support/container.ts'
import { startDns, type TestDns } from '../support/dns-server.ts'
import { freshAddress, sendMail } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'

const MX_HOST = 'mx.mayfly.example'

let running: RunningService[] = []
let dns: TestDns

beforeAll(async () => {
  dns = await startDns()
})

afterEach(async () => {
  for (const service of running) if (service.process.exitCode === null) await service.kill()
  running = []
})

afterAll(() => dns.close())

async function start(env: Record<string, string> = {}): Promise<RunningService> {
  const service = await startService({
    MAYFLY_DNS_SERVER: dns.address,
    MAYFLY_MX_HOST: MX_HOST,
    MAYFLY_LOG_LEVEL: 'error',
    ...env,
  })
  running.push(service)
  return service
}

/** The number of responses with each status. */
function tally(statuses: number[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

async function at(
  service: RunningService,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<{ status: number; text: string }> {
  const answer = await fetch(service.http + path, { method, headers })
  return { status: answer.status, text: await answer.text() }
}

describe('quotas under races', () => {
  test('200 parallel POST /api/keys of one client: 5 keys, all different', async () => {
    const service = await start()
    const answers = await Promise.all(Array.from({ length: 200 }, () => at(service, '/api/keys', {}, 'POST')))
    expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 5, 429: 195 })
    const issued = answers.filter(({ status }) => status === 201).map(({ text }) => JSON.parse(text))
    expect(new Set(issued.map(({ key }) => key)).size).toBe(5)
    expect(issued.map(({ remaining }) => remaining).sort()).toEqual([0, 1, 2, 3, 4])
  })

  test('100 parallel registrations of one client: 20 domains', async () => {
    const service = await start()
    const names = Array.from({ length: 100 }, (_, i) => `race${i}.example`)
    for (const name of names) dns.set('MX', name, [`10 ${MX_HOST}`])
    const answers = await Promise.all(names.map((name) => at(service, `/api/domain/verify/${name}`)))
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 20, 429: 80 })
    const { domains } = JSON.parse((await at(service, '/api/domains')).text)
    expect(domains.filter(({ domain }: { domain: string }) => domain.startsWith('race'))).toHaveLength(20)
  })

  test('500 parallel usernames: all different', async () => {
    const service = await start()
    const answers = await Promise.all(Array.from({ length: 500 }, () => at(service, '/api/random-username')))
    expect(new Set(answers.map(({ text }) => JSON.parse(text).username)).size).toBe(500)
  })

  test('200 parallel requests of a key that is revoked among them: none after the revocation', async () => {
    const service = await start()
    const { key } = JSON.parse((await at(service, '/api/keys', {}, 'POST')).text)
    const headers = { 'X-API-Key': key }
    const before = Array.from({ length: 50 }, () => at(service, '/api/keys/current', headers))
    const revoked = await at(service, '/api/keys/current', headers, 'DELETE')
    expect(revoked.status).toBe(200)
    const after = await Promise.all(
      Array.from({ length: 50 }, () => at(service, '/api/keys/current', headers)),
    )
    expect(tally(after.map(({ status }) => status))).toEqual({ 401: 50 })
    for (const { status } of await Promise.all(before)) expect([200, 401]).toContain(status)
  })
})

describe('the client address', () => {
  const forged = (ip: string): Record<string, string>[] => [
    { 'X-Forwarded-For': ip },
    { 'X-Forwarded-For': `${ip}, 127.0.0.1` },
    { Forwarded: `for=${ip}` },
    { 'X-Real-IP': ip },
    { 'X-Client-IP': ip },
    { 'True-Client-IP': ip },
    { 'CF-Connecting-IP': ip },
    { 'X-Forwarded-For': `::ffff:${ip}` },
  ]

  test('ignores forwarded headers if no proxy is trusted', async () => {
    const service = await start()
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) {
      for (const headers of forged(`203.0.113.${i}`)) {
        statuses.push((await at(service, '/api/keys', headers, 'POST')).status)
      }
    }
    expect(tally(statuses)).toEqual({ 201: 5, 429: 27 })
  })

  test('is what the trusted proxy reports', async () => {
    const service = await start({ MAYFLY_TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' })
    const statuses = async (headersOf: (i: number) => Record<string, string>) => {
      const all: number[] = []
      for (let i = 0; i < 7; i++) all.push((await at(service, '/api/keys', headersOf(i), 'POST')).status)
      return tally(all)
    }
    const five = { 201: 5, 429: 2 }
    // The client's own text is to the left of what the proxy added.
    expect(await statuses((i) => ({ 'X-Forwarded-For': `203.0.113.${i}, 198.51.100.1` }))).toEqual(five)
    expect(await statuses((i) => ({ 'X-Forwarded-For': `203.0.113.${i}, 198.51.100.2, 10.1.2.3` }))).toEqual(
      five,
    )
    expect(await statuses((i) => ({ 'X-Forwarded-For': `2001:db8::${i}` }))).toEqual(five)
    expect(
      await statuses((i) => ({ 'X-Forwarded-For': '198.51.100.3', Forwarded: `for=203.0.113.${i}` })),
    ).toEqual(five)
    // An invalid address identifies no client, so the proxy itself counts.
    expect(
      await statuses((i) => ({
        'X-Forwarded-For': ['', 'unknown', 'x', '1.2.3', '::g', '1.2.3.4:x', "';--"][i]!,
      })),
    ).toEqual(five)
  })
})

describe('secrets', () => {
  const DOMAIN_KEY = 'dk-never-to-be-seen'

  test.each(['trace', 'info', 'error'])(
    'are in no log and no answer, also when things fail: level %s',
    async (level) => {
      const service = await start({
        MAYFLY_LOG_LEVEL: level,
        MAYFLY_DOMAINS: `mayfly.test,p.test=${DOMAIN_KEY}`,
      })
      const { key } = JSON.parse((await at(service, '/api/keys', {}, 'POST')).text) as { key: string }
      const address = freshAddress('p.test')
      await sendMail(service.smtp, { to: address, subject: 'never-in-a-log', text: 'never-in-a-log' })
      const told: string[] = []
      const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
        told.push((await at(service, path, headers, method)).text)
      }
      const everything = async () => {
        const both = { 'X-API-Key': key, 'X-Domain-Key': DOMAIN_KEY }
        for (const path of ['', '/latest', '/nothing', '/nothing/raw', '?limit=x']) {
          await ask(`/api/emails/${address}${path}`, both)
          await ask(`/api/public/emails/${address}${path}?key=${DOMAIN_KEY}`, both)
        }
        await ask(`/api/emails/${address}`, { 'X-API-Key': `${key}x` })
        await ask(`/api/emails/${address}`, { 'X-API-Key': key, 'X-Domain-Key': `${DOMAIN_KEY}x` })
        await ask(`/api/emails/${address}`, { 'X-API-Key': `${key}, ${key}` })
        await ask(`/api/sse/${address}?key=${DOMAIN_KEY}x`)
        await ask(`/api/user-dashboard/sse?key=${DOMAIN_KEY}x`)
        await ask(`/api/keys/current`, both)
        await ask(`/nothing?key=${DOMAIN_KEY}`, both)
        await ask(`/api/health?key=${DOMAIN_KEY}`, both)
        const raw = new RawHttp(service.http)
        raw.send(`GET /api/sse/${address}?key=${DOMAIN_KEY} HTTP/1.1\r\nHost: [\r\nX-API-Key: ${key}\r\n\r\n`)
        told.push((await raw.until(/request_id/)).input)
        raw.send(
          `GET /api/sse/${address}?key=${DOMAIN_KEY} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\0\r\n\r\n`,
        )
        await raw.closed
        told.push(raw.text)
      }
      await everything()
      // Every write fails, so that there are 503s with their causes in the log.
      const limited = spawnSync('prlimit', [
        '--pid',
        String(service.process.pid),
        '--fsize=4096:unlimited',
      ]).status
      await everything()
      await ask('/api/keys', { 'X-API-Key': key }, 'POST')
      await ask('/api/keys/current', { 'X-API-Key': key }, 'DELETE')
      if (limited === 0) expect(told.at(-1)).toContain('unavailable')
      await service.stop()
      const log = service.output()
      if (limited === 0) expect(log).toMatch(/"level":50.*disk I\/O error/)
      for (const secret of [key, DOMAIN_KEY, 'never-in-a-log']) {
        expect(log).not.toContain(secret)
        const answers = told.filter((text) => text.includes(secret))
        // The inbox shows its mail to every client that has the key.
        expect(answers.filter((text) => !text.includes('"emails":') && !text.includes('"email":'))).toEqual(
          [],
        )
      }
      for (const text of told) expect(text).not.toMatch(/node:|\.ts:\d|SQLITE|\bat .*\(/)
    },
  )

  test('are compared as a whole: an almost correct key opens nothing', async () => {
    const service = await start({
      MAYFLY_DOMAINS: `mayfly.test,p.test=${DOMAIN_KEY}`,
      MAYFLY_TRUST_PROXY: '127.0.0.1',
    })
    // Wrong keys count for their client.
    let client = 0
    const elsewhere = () => ({ 'X-Forwarded-For': `203.0.113.${++client}` })
    const { key } = JSON.parse((await at(service, '/api/keys', {}, 'POST')).text) as { key: string }
    const swapped = (text: string) => (text.endsWith('a') ? `${text.slice(0, -1)}b` : `${text.slice(0, -1)}a`)
    const almost = (text: string) => [
      text.slice(0, -1),
      text.slice(1),
      `${text}x`,
      `${text}${text}`,
      swapped(text),
      text.toUpperCase(),
      text.split('').reverse().join(''),
      'x',
      '0'.repeat(64),
      'x'.repeat(7000),
    ]
    for (const wrong of almost(key)) {
      expect((await at(service, '/api/keys/current', { 'X-API-Key': wrong })).status).toBe(401)
    }
    for (const wrong of almost(DOMAIN_KEY)) {
      const headers = { ...elsewhere(), 'X-Domain-Key': wrong }
      expect((await at(service, '/api/public/emails/a@p.test', headers)).status).toBe(403)
      expect((await at(service, `/api/user-dashboard/sse?key=${wrong}`, elsewhere())).status).toBe(403)
    }
    expect((await at(service, '/api/public/emails/a@p.test?key=')).status).toBe(401)
    expect((await at(service, '/api/public/emails/a@p.test', { 'X-Domain-Key': DOMAIN_KEY })).status).toBe(
      200,
    )
    expect((await at(service, '/api/keys/current', { 'X-API-Key': key })).status).toBe(200)
  })
})

describe.each([
  ['on loopback', {}],
  ['with the environment of the container', CONTAINER_ENV],
])('pages of other origins, %s', (_host, env: Record<string, string>) => {
  const EVIL = 'https://evil.example'

  /** Starts the service; its URL is the one of the published port. */
  async function startHere(more: Record<string, string>): Promise<RunningService> {
    const service = await start({ ...env, ...more })
    return { ...service, http: service.http.replace('0.0.0.0', '127.0.0.1') }
  }

  /** By a socket, because fetch sets Host itself. */
  async function raw(service: RunningService, head: string): Promise<string> {
    const { port } = new URL(service.http)
    const client = new RawHttp(service.http).send(
      `${head.replace('PORT', port)}\r\nConnection: close\r\n\r\n`,
    )
    await client.closed
    return client.text
  }

  test('can neither call nor read; its own pages and configured origins can', async () => {
    const service = await startHere({
      MAYFLY_CORS_ORIGINS: 'https://app.example.com',
      MAYFLY_BASE_URL: 'http://mail.example.com:8025',
    })
    const from = (origin: string, init: RequestInit = {}) =>
      fetch(`${service.http}/api/keys`, { ...init, headers: { Origin: origin } })
    for (const origin of [
      EVIL,
      'null',
      'http://127.0.0.1.evil.example',
      'http://localhost.evil.example',
      'http://evil.example:8080',
      'https://app.example.com:444',
      'http://localhost:3000',
      'http://127.0.0.1:5173',
      'http://app.localhost',
    ]) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const answer = await from(origin, { method })
        expect([origin, method, answer.status]).toEqual([origin, method, 421])
        expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      }
    }
    for (const origin of [service.http, 'https://app.example.com', 'http://mail.example.com:8025']) {
      const answer = await from(origin)
      expect([origin, answer.status]).toEqual([origin, 200])
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
      expect(answer.headers.get('vary')).toMatch(/origin/i)
    }
    // Only the allowed pages have created a key.
    expect(((await (await from(service.http)).json()) as { remaining: number }).remaining).toBe(5)
    const stream = new RawHttp(service.http).get(`/api/sse/${freshAddress()}`, {
      Origin: 'https://app.example.com',
    })
    await stream.until(/access-control-allow-origin: https:\/\/app.example.com/i)
    stream.close()
  })

  test('cannot use a foreign name that resolves to it', async () => {
    const service = await startHere({ MAYFLY_BASE_URL: 'http://mail.example.com' })
    for (const host of [
      'evil.example',
      'evil.example:PORT',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      'evil.example.',
    ]) {
      for (const path of ['/api/domains', '/', '/inbox', '/api/health', `/api/sse/a@mayfly.test`, '/mcp']) {
        const text = await raw(service, `GET ${path} HTTP/1.1\r\nHost: ${host}`)
        expect(text).toMatch(/^HTTP\/1\.1 421 /)
        expect(text).toContain('misdirected_request')
      }
    }
    for (const host of [
      'localhost',
      '127.0.0.1:PORT',
      '[::1]:PORT',
      'LOCALHOST.',
      'mail.example.com',
      'mayfly.test',
      'a.localhost',
      '10.0.0.1',
      'mayfly:PORT',
      'catcher.internal',
    ]) {
      expect(await raw(service, `GET /api/domains HTTP/1.1\r\nHost: ${host}`)).toMatch(/^HTTP\/1\.1 200 /)
    }
  })

  test('can call and read if every origin is configured, but not through a foreign name', async () => {
    const service = await startHere({ MAYFLY_CORS_ORIGINS: '*' })
    const answer = await fetch(`${service.http}/api/domains`, { headers: { Origin: EVIL } })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect(await raw(service, 'GET /api/domains HTTP/1.1\r\nHost: evil.example')).toMatch(/^HTTP\/1\.1 421 /)
  })
})

describe('limits on streams', () => {
  // These connections take some seconds and many file descriptors. test/core/events/live.test.ts
  // tests the rule.
  inTheLongRun(
    'half of all for one client, its next is refused, others are served, and closing one makes room',
    async () => {
      const service = await start()
      const address = freshAddress()
      const open: RawHttp[] = []
      const one = async () => {
        const raw = new RawHttp(service.http).get(`/api/sse/${address}`)
        open.push(raw)
        await raw.until(/\n\n/)
      }
      for (let i = 0; i < STREAMS_MAX / 2; i += 100) await Promise.all(Array.from({ length: 100 }, one))
      const refused = await at(service, `/api/sse/${address}`)
      expect([refused.status, JSON.parse(refused.text).code]).toEqual([429, 'too_many_streams'])
      const elsewhere = new RawHttp(service.http, '127.0.0.2').get(`/api/sse/${freshAddress()}`)
      await elsewhere.until(/event: connected/)
      for (const raw of open.splice(0, 3)) raw.close()
      let status = 429
      while (status === 429) {
        const raw = new RawHttp(service.http).get(`/api/sse/${address}`)
        open.push(raw)
        status = Number((await raw.until(/^HTTP\/1\.1 (\d+)/))[1])
      }
      expect(status).toBe(200)
      await sendMail(service.smtp, { to: address, subject: 'to all', text: 'x' })
      await Promise.all(
        open.filter((raw) => raw.text.includes('event: connected')).map((raw) => raw.untilEvents(1)),
      )
      for (const raw of [...open, elsewhere]) raw.close()
    },
    180_000,
  )
})
