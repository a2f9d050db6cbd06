import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, Server } from 'node:http'
import { connect } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { RequestScheduler } from '../../adapters/http/request-scheduler.ts'
import { takeDirectory } from '../../adapters/sqlite/database.ts'
import { SqliteLimits } from '../../adapters/sqlite/limits.ts'
import { DomainService } from '../../core/access/domain-service.ts'
import { DomainVerifier } from '../../core/access/verifier.ts'
import { WebhookWorker } from '../../core/events/webhooks/worker.ts'
import { DAY_MS, PIPELINED_MAX, REPLAY_BATCH, WRONG_DOMAIN_KEYS_PER_MINUTE } from '../../core/limits.ts'
import { CERTIFICATE_FILE } from '../../local-service/self-signed.ts'
import { FIRST_ID } from '../contract/sample.ts'
import { inOneMinute } from '../http/requests.ts'
import { openStream } from '../support/event-source.ts'
import { connectionFrom, listening } from '../support/http-server.ts'
import { freshAddress } from '../support/mail.ts'
import type { RunningService } from '../support/service.ts'
import { startService } from '../support/service-in-process.ts'
import { SmtpClient } from '../support/smtp-client.ts'

/**
 * These tests run the service in this process, because from outside its behaviour is visible only
 * under an attack (../hostile/attacks.siege.ts).
 */
let service: RunningService

beforeEach(async () => {
  service = await startService({ MAYFLY_DOMAINS: 'mayfly.test,private.test=the-key' })
})
afterEach(async () => {
  jest.restoreAllMocks()
  await service.stop()
})

test('a replay lets other requests run between its batches', async () => {
  const address = freshAddress()
  const client = await SmtpClient.open(service.smtp)
  const count = 2 * REPLAY_BATCH + 1
  for (let n = 0; n < count; n++) await client.send('s@example.org', [address], `Subject: ${n}\r\n\r\nx`)
  client.close()
  const next = jest.spyOn(RequestScheduler.prototype, 'next')
  const stream = await openStream(`${service.http}/api/sse/${address}?last_event_id=${FIRST_ID}`)
  await stream.until(count)
  stream.close()
  expect(next.mock.calls.length).toBeGreaterThanOrEqual(2)
})

test('wrong domain keys at inboxes and at streams count together', async () => {
  const { take } = SqliteLimits.prototype
  let released = Promise.withResolvers<void>()
  // No wrong key is recorded before the limit is reached by keys that are still being recorded.
  const held = jest.spyOn(SqliteLimits.prototype, 'take').mockImplementation(async function (
    this: SqliteLimits,
    ...use
  ) {
    if (held.mock.calls.length === WRONG_DOMAIN_KEYS_PER_MINUTE) released.resolve(sleep(500))
    await released.promise
    return take.apply(this, use)
  })
  const guess = async (n: number) => {
    const path = n % 2 === 0 ? '/api/public/emails' : '/api/sse'
    return (await fetch(`${service.http}${path}/a@private.test?key=wrong`)).status
  }
  const statuses = await inOneMinute(() => {
    held.mockClear()
    released = Promise.withResolvers<void>()
    return Promise.all(Array.from({ length: 2 * WRONG_DOMAIN_KEYS_PER_MINUTE }, (_, n) => guess(n)))
  })
  expect(statuses.filter((status) => status === 403)).toHaveLength(WRONG_DOMAIN_KEYS_PER_MINUTE)
  expect(statuses.filter((status) => status === 429)).toHaveLength(WRONG_DOMAIN_KEYS_PER_MINUTE)
})

test('registered domains are verified once a day until the stop, and a failure is logged', async () => {
  const schedule = jest.spyOn(globalThis, 'setInterval')
  const clearing = jest.spyOn(globalThis, 'clearInterval')
  const other = await startService()
  try {
    const daily = schedule.mock.calls.filter(([, ms]) => ms === DAY_MS)
    expect(daily).toHaveLength(1)
    const verifyAll = jest.spyOn(DomainVerifier.prototype, 'verifyAll').mockResolvedValue()
    const [run] = daily[0] ?? []
    ;(run as (() => void) | undefined)?.()
    expect(verifyAll).toHaveBeenCalledTimes(1)
    const [failed] = verifyAll.mock.calls[0]!
    failed('late.example', new Error('no answer'))
    expect(JSON.parse(other.output())).toMatchObject({
      level: 40,
      domain: 'late.example',
      err: { message: 'no answer' },
      msg: 'the domain was not verified',
    })
  } finally {
    await other.stop()
  }
  const timer = schedule.mock.results[schedule.mock.calls.findIndex(([, ms]) => ms === DAY_MS)]!.value
  expect(clearing).toHaveBeenCalledWith(timer as NodeJS.Timeout)
})

const { stop: stopWorker } = WebhookWorker.prototype
const { terminate } = Worker.prototype
test.each<[string, (held: Promise<void>, begun: () => void) => void]>([
  [
    'webhooks have stopped',
    (held, begun) =>
      jest.spyOn(WebhookWorker.prototype, 'stop').mockImplementationOnce(async function (
        this: WebhookWorker,
      ) {
        begun()
        await held
        return stopWorker.call(this)
      }),
  ],
  [
    'thread of the send APIs has ended',
    (held, begun) =>
      jest.spyOn(Worker.prototype, 'terminate').mockImplementationOnce(async function (this: Worker) {
        begun()
        await held
        return terminate.call(this)
      }),
  ],
])('a service that stops holds its directory until its %s', async (_, hold) => {
  const other = await startService()
  // The first request to a send API starts the thread.
  await fetch(`${other.http}/resend/emails`, { method: 'POST', body: '{}' })
  const begun = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  hold(held.promise, begun.resolve)
  const stopped = other.stop()
  await begun.promise
  await sleep(300)
  expect(() => takeDirectory(other.dataDir)).toThrow(/in use/)
  held.resolve()
  await stopped
})

test.each<Record<string, string>>([{}, { MAYFLY_TLS: 'self-signed' }])(
  'a test mail logs in where that is required, with %j',
  async (env) => {
    const other = await startService({ MAYFLY_SMTP_AUTH: 'app:secret', ...env })
    try {
      const body = JSON.stringify({ address: 'a@mayfly.test' })
      expect((await fetch(`${other.http}/api/test-mail`, { method: 'POST', body })).status).toBe(200)
    } finally {
      await other.stop()
    }
  },
)

test('a request that fails in the service is in its log, and no other request', async () => {
  const testMail = (address: string) =>
    fetch(`${service.http}/api/test-mail`, { method: 'POST', body: JSON.stringify({ address }) })
  expect((await testMail('a@nowhere.test')).status).toBe(404)
  expect((await testMail('a+smtp.451@mayfly.test')).status).toBe(503)
  jest.spyOn(DomainService.prototype, 'verified').mockRejectedValueOnce(new Error('not foreseen'))
  expect((await fetch(`${service.http}/api/domains`)).status).toBe(500)
  const lines = service.output().trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 50,
      method: 'POST',
      path: '/api/test-mail',
      status: 503,
      err: { message: expect.stringContaining('unavailable') },
      msg: 'request',
    },
    { level: 50, path: '/api/domains', status: 500, err: { message: 'not foreseen' }, msg: 'request' },
  ])
  expect(lines[0]).toMatch(/"ms":\d+(\.\d)?[,}]/)
})

test('a service whose HTTP port is in use also closes its SMTP port', async () => {
  const free = await listening(createServer())
  const smtpPort = new URL(free.url).port
  await free.close()
  const inUse = new URL(service.http).port
  const starting = startService({ MAYFLY_HTTP_PORT: inUse, MAYFLY_SMTP_PORT: smtpPort })
  await expect(starting).rejects.toThrow('EADDRINUSE')
  const socket = connect(Number(smtpPort), '127.0.0.1')
  await expect(once(socket, 'connect')).rejects.toThrow('ECONNREFUSED')
})

test('an address that pipelines too much is refused, unless it is the trusted proxy', async () => {
  const listen = jest.spyOn(Server.prototype, 'listen')
  const other = await startService({ MAYFLY_TRUST_PROXY: '198.51.100.7' })
  const server = listen.mock.contexts.find((of) => of instanceof Server && of.listening) as Server
  const request = 'GET /api/health HTTP/1.1\r\nHost: mayfly.test\r\n\r\n'
  try {
    for (const [address, isRefused] of [
      ['198.51.100.7', false],
      ['198.51.100.8', true],
    ] as const) {
      const first = connectionFrom(address, server)
      first.write(request.repeat(PIPELINED_MAX + 2))
      await once(first.resume(), 'close')
      const next = connectionFrom(address, server)
      const answered = once(next, 'data').then(() => false)
      const refused = once(next, 'close').then(() => true)
      next.write(request)
      expect([address, await Promise.race([answered, refused])]).toEqual([address, isRefused])
      next.destroy()
    }
  } finally {
    await other.stop()
  }
})

test('the certificate is valid for the address that the service listens on', async () => {
  const other = await startService({ MAYFLY_HOST: '127.0.0.2', MAYFLY_TLS: 'self-signed' })
  try {
    const certificate = new X509Certificate(await readFile(join(other.dataDir, CERTIFICATE_FILE)))
    for (const address of ['127.0.0.1', '127.0.0.2', '::1'])
      expect([address, certificate.checkIP(address)]).toEqual([address, address])
    expect(certificate.checkIP('127.0.0.3')).toBeUndefined()
    expect([certificate.checkHost('localhost'), certificate.checkHost(hostname().toLowerCase())]).toEqual([
      'localhost',
      hostname().toLowerCase(),
    ])
  } finally {
    await other.stop()
  }
})

describe('a service on an address that other machines reach', () => {
  test.each<{ env: Record<string, string>; testMail: number; target: number }>([
    { env: { MAYFLY_HOST: '0.0.0.0' }, testMail: 404, target: 400 },
    { env: { MAYFLY_BASE_URL: 'https://mail.example.com' }, testMail: 200, target: 400 },
    { env: { MAYFLY_BASE_URL: 'http://localhost:9000' }, testMail: 200, target: 201 },
    { env: {}, testMail: 200, target: 201 },
  ])(
    '$env: $testMail for a test mail, $target for a webhook to a loopback target',
    async ({ env, testMail, target }) => {
      const key = 'operator-key-of-the-test'
      const own = await startService({ ...env, MAYFLY_API_KEYS: key })
      try {
        const url = own.http.replace('0.0.0.0', '127.0.0.1')
        const post = (path: string, body: object) =>
          fetch(url + path, {
            method: 'POST',
            headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
            body: JSON.stringify(body),
          })
        const address = freshAddress()
        expect((await post('/api/test-mail', { address })).status).toBe(testMail)
        const webhook = await post('/api/webhooks', { url: 'http://127.0.0.1:9/hook', address })
        expect(webhook.status).toBe(target)
        const secure = await post('/api/webhooks', { url: 'https://127.0.0.1:9/hook', address })
        expect(secure.status).toBe(target)
      } finally {
        await own.stop()
      }
    },
  )
})
