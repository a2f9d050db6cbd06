import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { MB, memoryOf, OUTSIDE, RawHttp, testFromOutside } from '../faults/raw-http.ts'
import { LONG } from '../faults/rounds.ts'
import { freshAddress } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'

const KEY = 'a-key-of-their-own'
const FIRST = '0'.repeat(26)
const REPLAY = `/api/user-dashboard/sse?key=${KEY}&last_event_id=${FIRST}`
const MEMORY_BOUND = 600 * MB

/** What a client without an API key can do with streams, on its own domain with 1,000 mails. */
describe('streams that attack', () => {
  let service: RunningService
  const clients: RawHttp[] = []

  beforeAll(async () => {
    service = await startService({
      MAYFLY_DOMAINS: `mayfly.test,theirs.test=${KEY}`,
      MAYFLY_LOG_LEVEL: 'error',
    })
    const smtp = await SmtpClient.open(service.smtp)
    for (let n = 0; n < 10; n++) {
      const to = Array.from({ length: 100 }, () => freshAddress('theirs.test'))
      expect(await smtp.send('s@example.org', to, `Subject: ${n}\r\n\r\n${'x'.repeat(20_000)}`)).toMatch(
        /^250/,
      )
    }
    smtp.close()
  })

  afterAll(async () => {
    for (const client of clients) client.close()
    await service?.stop()
  })

  function client(address?: string): RawHttp {
    const opened = new RawHttp(service.http, address)
    clients.push(opened)
    return opened
  }

  /** Sends the requests of another client continuously: each of them must be answered. */
  async function whileOthersAreServed(attack: () => Promise<void>): Promise<void> {
    let attacking = true
    let most = 0
    const others = (async () => {
      do {
        // A connection that stays open could end just as the next request is written to it.
        const answer = await fetch(`${service.http}/api/health`, {
          headers: { Connection: 'close' },
          signal: AbortSignal.timeout(30_000),
        })
        expect(answer.status).toBe(200)
        await answer.arrayBuffer()
        most = Math.max(most, memoryOf(service))
      } while (attacking)
    })()
    // A failure is reported by the await below; until then it must not count as unhandled.
    others.catch(() => {})
    try {
      await attack()
    } finally {
      attacking = false
    }
    await others
    expect(most).toBeLessThan(MEMORY_BOUND)
  }

  test.each([100, 300, 3000])(
    '%d streams pipelined on a connection whose client disconnects cause no work',
    (count) =>
      whileOthersAreServed(async () => {
        const attacker = client('127.0.0.2').send(
          `GET ${REPLAY} HTTP/1.1\r\nHost: mayfly.test\r\n\r\n`.repeat(count),
        )
        attacker.stall()
        await new Promise((resolve) => setTimeout(resolve, 1000))
        attacker.close()
        // The service must have ended this work by now: the replay of the next client is complete.
        const next = client('127.0.0.3').get(REPLAY)
        expect(await next.untilEvents(1000)).toHaveLength(1000)
        next.close()
      }),
  )

  test('250 connections that do not read the responses to their requests', () =>
    whileOthersAreServed(async () => {
      const attackers = Array.from({ length: LONG ? 2500 : 250 }, (_, n) =>
        client(`127.0.1.${1 + (n % 5)}`)
          .get(REPLAY)
          .stall(),
      )
      const other = client('127.0.0.2').get(REPLAY)
      expect(await other.untilEvents(1000)).toHaveLength(1000)
      for (const one of [...attackers, other]) one.close()
    }))

  test('250 connections with 10 requests each that read no response', () =>
    whileOthersAreServed(async () => {
      const attackers = Array.from({ length: LONG ? 2500 : 250 }, () => client('127.0.0.2').stall())
      const request = `GET ${REPLAY} HTTP/1.1\r\nHost: mayfly.test\r\n\r\n`
      for (const one of attackers) one.send(request.repeat(10))
      const other = client('127.0.0.3').get(REPLAY)
      expect(await other.untilEvents(1000)).toHaveLength(1000)
      for (const one of [...attackers, other]) one.close()
    }))

  test('16 connections of two clients with 1,500 requests each leave room for a third client', () =>
    whileOthersAreServed(async () => {
      const path = `/api/sse/${freshAddress()}`
      const attackers = Array.from({ length: 16 }, (_, n) =>
        client(`127.0.0.${2 + (n % 2)}`).send(
          `GET ${path} HTTP/1.1\r\nHost: mayfly.test\r\n\r\n`.repeat(1500),
        ),
      )
      await Promise.all(attackers.map((one) => Promise.race([one.until(/HTTP\/1\.1 /), one.closed])))
      const third = client('127.0.0.4').get(`/api/sse/${freshAddress()}`)
      await third.until(/event: connected/)
      for (const one of [...attackers, third]) one.close()
    }))

  test('clients that disconnect while their stream opens leave no stream behind', async () => {
    const path = `/api/sse/${freshAddress()}`
    const gone = Array.from({ length: 300 }, () => client('127.0.0.5').get(path))
    await Promise.all(
      gone.map(async (one) => {
        await new Promise((resolve) => one.socket.once('connect', resolve))
        one.close()
      }),
    )
    const health = await fetch(`${service.http}/api/health`)
    expect(health.status).toBe(200)
  })
})

describe('pipelined requests', () => {
  let service: RunningService

  beforeAll(async () => {
    service = await startService({ MAYFLY_LOG_LEVEL: 'error' })
  })
  afterAll(() => service?.stop())

  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: mayfly.test\r\n\r\n`
  const statuses = (raw: RawHttp) => [...raw.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)

  test('are answered in their order', async () => {
    const raw = new RawHttp(service.http)
    raw.send(
      get('/api/domains') + get('/api/nothing') + get('/api/random-username') + get('/api/sse/a@mayfly.test'),
    )
    await raw.until(/event: connected/)
    expect(statuses(raw)).toEqual(['200', '404', '200', '200'])
    raw.close()
  })

  test('a stream with a pipelined request is refused at once, and that request is answered', async () => {
    const raw = new RawHttp(service.http)
    raw.send(get('/api/sse/a@mayfly.test') + get('/api/domains'))
    await raw.until(/"domains"/)
    expect(statuses(raw)).toEqual(['429', '200'])
    raw.close()
  })

  test('an open stream ends when another request follows on its connection', async () => {
    const raw = new RawHttp(service.http).send(get('/api/sse/a@mayfly.test'))
    await raw.until(/event: connected/)
    raw.send(get('/api/domains'))
    await raw.until(/"domains"/)
    expect(statuses(raw)).toEqual(['200', '200'])
    expect(raw.text).toMatch(/event: connected\nid: \w{26}\ndata: \{\}\n\n\r\n0\r\n\r\nHTTP/)
    raw.close()
  })

  const SHUNNED =
    'a client that pipelines too many requests is refused for a while, and other clients are not'
  testFromOutside(SHUNNED)(SHUNNED, async () => {
    const open = await startService({ MAYFLY_HOST: '0.0.0.0', MAYFLY_LOG_LEVEL: 'error' })
    const http = open.http.replace('0.0.0.0', OUTSIDE!)
    try {
      const stream = new RawHttp(http, OUTSIDE).get('/api/sse/a@mayfly.test')
      await stream.until(/event: connected/)
      const unread = new RawHttp(http, OUTSIDE)
      await once(unread.socket, 'connect')
      await new RawHttp(http, OUTSIDE).send(get('/api/emails/a@mayfly.test/wait').repeat(100)).closed
      await unread.closed
      const next = new RawHttp(http, OUTSIDE).get('/api/domains')
      await next.closed
      expect(next.text).toBe('')
      expect(stream.socket.destroyed).toBe(false)
      const other = new RawHttp(http.replace(OUTSIDE!, '127.0.0.1')).get('/api/domains')
      await other.until(/"domains"/)
      for (let answered = false; !answered; ) {
        const later = new RawHttp(http, OUTSIDE).get('/api/domains')
        await Promise.race([later.closed, later.until(/"domains"/).catch(() => {})])
        answered = later.text.includes('"domains"')
        later.close()
        await sleep(200)
      }
      for (const one of [stream, other]) one.close()
    } finally {
      await open.stop()
    }
  })

  test('too many of them end the connection', async () => {
    const raw = new RawHttp(service.http)
    raw.send(get('/api/emails/a@mayfly.test/wait') + get('/api/domains').repeat(500))
    await raw.closed
    expect(statuses(raw).length).toBeLessThan(100)
    expect((await fetch(`${service.http}/api/health`)).status).toBe(200)
  })
})
