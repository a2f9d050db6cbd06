import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { eventually } from '../support/eventually.ts'
import { freshAddress } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { RawHttp } from './raw-http.ts'
import { inTheLongRun, ROUNDS } from './rounds.ts'
import { keepSending, missing, type Sent } from './senders.ts'

describe('SIGTERM', () => {
  let dir: string
  let service: RunningService
  let clients: RawHttp[] = []

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'mayfly-stop-'))
  })

  afterEach(async () => {
    for (const client of clients) client.close()
    clients = []
    if (service.process.exitCode === null) await service.kill()
    await rm(dir, { recursive: true, force: true })
  })

  const start = async () => {
    service = await startService({ MAYFLY_LOG_LEVEL: 'error' }, { dataDir: dir })
  }

  function client(): RawHttp {
    const opened = new RawHttp(service.http)
    clients.push(opened)
    return opened
  }

  /** A stop that never ends exceeds the time limit of the test. */
  async function stops(): Promise<void> {
    expect(await service.stop()).toBe(0)
  }

  test(`under load, ${ROUNDS} rounds: every mail that was answered with 250 is stored`, async () => {
    const sent: Sent[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await start()
      const sending = keepSending(service)
      await sleep(200 + Math.random() * 500)
      await stops()
      await sending.stop()
      expect(Object.keys(sending.refused).filter((reply) => !reply.startsWith('421'))).toEqual([])
      sent.push(...sending.sent)
    }
    expect(sent.length).toBeGreaterThan(ROUNDS)
    await start()
    expect(await missing(service, sent)).toEqual([])
  }, 300_000)

  test('streams end in order, and their clients get different reconnect delays', async () => {
    await start()
    const streams = Array.from({ length: 50 }, () => client().get(`/api/sse/${freshAddress()}`))
    await Promise.all(streams.map((stream) => stream.until(/event: connected/)))
    await stops()
    await Promise.all(streams.map((stream) => stream.closed))
    const waits = streams.map(({ text }) => {
      // The last chunk of the chunked coding: the answer is complete, not aborted.
      expect(text).toMatch(/\r\n0\r\n\r\n$/)
      return Number(/retry: (\d+)\n\n(?![\s\S]*retry)/.exec(text)![1])
    })
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(500)
    expect(Math.max(...waits)).toBeLessThanOrEqual(6000)
    expect(new Set(waits).size).toBeGreaterThan(25)
  })

  test('ends the process although clients stall at every stage', async () => {
    await start()
    const address = freshAddress()
    const smtp = await SmtpClient.open(service.smtp)
    for (let i = 0; i < 300; i++) {
      await smtp.send('s@example.org', [address], `Subject: s\r\n\r\n${'x'.repeat(20_000)}`)
    }
    client().send('GET /api/hea')
    client().send('POST /api/keys HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{')
    client().get(`/api/public/emails/${address}?limit=100`).stall()
    client()
      .get(`/api/sse/${address}?last_event_id=${'0'.repeat(26)}`)
      .stall()
    const stream = client().get(`/api/sse/${address}`)
    await stream.until(/event: connected/)
    stream.stall()
    const halfway = await SmtpClient.open(service.smtp)
    await halfway.say('MAIL FROM:<s@example.org>')
    await halfway.say(`RCPT TO:<${address}>`)
    await halfway.say('DATA')
    void halfway.say('half a message').catch(() => {})
    await sleep(200)
    await stops()
    halfway.close()
    smtp.close()
  })

  // Ten seconds and 600 MB.
  inTheLongRun(
    'with large mail that waits to be read: what got its 250 is there, the rest is not waited for',
    async () => {
      await start()
      const html = Buffer.from(
        `Subject: h\r\nContent-Type: text/html\r\n\r\n${'<p>w <b>x</b> &amp; y</p>\r\n'.repeat(1_500_000)}`,
      )
      const sent: Sent[] = []
      const senders = Array.from({ length: 16 }, async () => {
        const smtp = await SmtpClient.open(service.smtp)
        const address = freshAddress()
        const reply = await smtp.send('s@example.org', [address], html).catch(() => 'gone')
        const id = /^250 2\.0\.0 Ok: (\S+)$/.exec(reply)?.[1]
        if (id !== undefined) sent.push({ address, id, size: html.length + 2 })
        smtp.close()
      })
      await eventually(
        'a stored mail',
        () => sent,
        ({ length }) => length > 0,
      )
      await stops()
      await Promise.all(senders)
      await start()
      expect(await missing(service, sent)).toEqual([])
    },
  )
})
