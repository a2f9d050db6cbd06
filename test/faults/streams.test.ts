import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openStream } from '../support/event-source.ts'
import { freshAddress } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { MB, memoryOf, RawHttp } from './raw-http.ts'

const FIRST = '0'.repeat(26)
const KEY = 'stream-key'
/** A mail whose event is about 17 KB: the text of a summary is cut at 16 KiB. */
const LARGE = 'x'.repeat(20_000)

describe('streams and the clients that read them', () => {
  let service: RunningService
  const clients: RawHttp[] = []

  beforeAll(async () => {
    service = await startService({
      MAYFLY_DOMAINS: `mayfly.test,keyed.test=${KEY}`,
      MAYFLY_LOG_LEVEL: 'error',
    })
  })

  afterAll(async () => {
    for (const client of clients) client.close()
    await service?.stop()
  })

  function client(): RawHttp {
    const opened = new RawHttp(service.http)
    clients.push(opened)
    return opened
  }

  /**
   * Sends this many mails over several connections, and returns their ids in the order of arrival.
   */
  async function fill(address: string, count: number, body = LARGE): Promise<string[]> {
    const ids: string[] = []
    await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const smtp = await SmtpClient.open(service.smtp)
        for (let i = n; i < count; i += 8) {
          const reply = await smtp.send('s@example.org', [address], `Subject: ${i}\r\n\r\n${body}`)
          ids.push(/^250 2\.0\.0 Ok: (\S+)$/.exec(reply)![1]!)
        }
        smtp.close()
      }),
    )
    return ids.sort()
  }

  test('a stream that missed megabytes receives them all, on one connection', async () => {
    const address = freshAddress()
    const ids = await fill(address, 200)
    const raw = client().get(`/api/sse/${address}?last_event_id=${FIRST}`)
    await raw.untilEvents(200)
    const more = await fill(address, 1, 'live')
    await raw.untilEvents(201)
    expect(raw.eventIds()).toEqual([...ids, ...more])
  })

  test('mail that arrives while a slow reader catches up comes after that, once', async () => {
    const address = freshAddress()
    const ids = await fill(address, 400)
    const raw = client().get(`/api/sse/${address}?last_event_id=${FIRST}`)
    await raw.untilEvents(3)
    raw.stall()
    ids.push(...(await fill(address, 30)))
    raw.socket.resume()
    await raw.untilEvents(430)
    ids.push(...(await fill(address, 1)))
    await raw.untilEvents(431)
    expect(raw.eventIds()).toEqual(ids)
  })

  test('one mail to 100 recipients is 100 events at once, and evicts no client that reads', async () => {
    const raw = client().get(`/api/user-dashboard/sse?key=${KEY}`)
    await raw.until(/event: connected/)
    const smtp = await SmtpClient.open(service.smtp)
    const to = Array.from({ length: 100 }, () => freshAddress('keyed.test'))
    expect(await smtp.send('s@example.org', to, `Subject: all\r\n\r\n${LARGE}`)).toMatch(/^250/)
    smtp.close()
    await raw.untilEvents(100)
    expect(new Set(raw.eventIds()).size).toBe(100)
  })

  test('a client that stalls is evicted, disturbs no other client, and misses nothing when it reconnects', async () => {
    const address = freshAddress()
    const fast = await openStream(`${service.http}/api/sse/${address}`)
    const slow = Array.from({ length: 10 }, () => client().get(`/api/sse/${address}`))
    for (const raw of slow) await raw.until(/event: connected/)
    for (const raw of slow) raw.stall()
    const before = memoryOf(service)
    const ids = await fill(address, 900)
    expect((await fast.until(900)).map((event) => event.id)).toEqual(ids)
    fast.close()
    // 15 MB for each of ten that read nothing.
    expect(memoryOf(service) - before).toBeLessThan(120 * MB)

    for (const raw of slow) raw.socket.resume()
    await Promise.all(slow.map((raw) => raw.closed))
    const seen = slow[0]!.eventIds()
    expect(seen.length).toBeLessThan(900)
    const last = seen.at(-1) ?? /^id: (\S+)$/m.exec(slow[0]!.text)![1]!
    const back = client().get(`/api/sse/${address}`, { 'Last-Event-ID': last })
    await back.untilEvents(900 - seen.length)
    expect([...seen, ...back.eventIds()]).toEqual(ids)
  })

  test('clients that stall while they catch up hold one batch each, not everything that they missed', async () => {
    const address = freshAddress()
    await fill(address, 900)
    const before = memoryOf(service)
    const slow = Array.from({ length: 30 }, () =>
      client().get(`/api/sse/${address}?last_event_id=${FIRST}`).stall(),
    )
    const other = client().get(`/api/sse/${address}?last_event_id=${FIRST}`)
    await other.untilEvents(900)
    // 30 times 15 MB would be 450 MB.
    expect(memoryOf(service) - before).toBeLessThan(200 * MB)
    for (const raw of slow) raw.close()
  })

  test('clients that vanish do not slow down other clients', async () => {
    const address = freshAddress()
    const gone = Array.from({ length: 300 }, () => client().get(`/api/sse/${address}`))
    await Promise.all(gone.map((raw) => raw.until(/event: connected/)))
    for (const raw of gone) raw.close()
    const stays = client().get(`/api/sse/${address}`)
    await stays.until(/event: connected/)
    const ids = await fill(address, 3, 'x')
    await stays.untilEvents(3)
    expect(stays.eventIds()).toEqual(ids)
    expect((await fetch(`${service.http}/api/health`)).status).toBe(200)
  })
})
