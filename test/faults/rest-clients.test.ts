import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '../support/eventually.ts'
import { freshAddress } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { MB, memoryOf, openFiles, RawHttp } from './raw-http.ts'

describe('clients that stall, vanish and read slowly', () => {
  let service: RunningService
  let key: string
  const clients: RawHttp[] = []

  beforeAll(async () => {
    service = await startService({ MAYFLY_LOG_LEVEL: 'info' })
    key = await newKey()
  })

  afterAll(async () => {
    for (const client of clients) client.close()
    await service?.stop()
  })

  async function newKey(): Promise<string> {
    const answer = await fetch(`${service.http}/api/keys`, { method: 'POST' })
    return ((await answer.json()) as { key: string }).key
  }

  function client(): RawHttp {
    const opened = new RawHttp(service.http)
    clients.push(opened)
    return opened
  }

  async function works(): Promise<void> {
    expect((await fetch(`${service.http}/api/health`)).status).toBe(200)
    expect((await fetch(`${service.http}/api/public/emails/${freshAddress()}`)).status).toBe(200)
  }

  test.each([
    ['nothing', ''],
    ['half a request line', 'GET /api/dom'],
    ['half a header', 'GET /api/domains HTTP/1.1\r\nHo'],
    ['a head without its end', 'GET /api/domains HTTP/1.1\r\nHost: localhost\r\n'],
    ['a body that does not come', 'POST /api/keys HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n'],
    ['half a body', 'POST /api/keys HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{"pu'],
    [
      'half a chunk',
      'POST /api/keys HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nab',
    ],
  ])('after %s', async (_name, text) => {
    const stalled = Array.from({ length: 100 }, () => client().send(text))
    await works()
    for (const raw of stalled) raw.close()
    await works()
  })

  test('a client that reads nothing of a response is evicted; one that reads a little is not', async () => {
    const address = freshAddress()
    const smtp = await SmtpClient.open(service.smtp)
    const text = randomBytes(15_000_000).toString('base64')
    const reply = await smtp.send('s@example.org', [address], `Subject: large\r\n\r\n${text}`)
    const [, id] = /Ok: (\S+)$/.exec(reply)!
    smtp.close()
    const raw = () => client().get(`/api/emails/${address}/${id}/raw`, { 'X-API-Key': key })
    const before = openFiles(service)
    const stalled = Array.from({ length: 20 }, () => raw().stall())
    const slow = raw()
    slow.socket.pause()
    const sip = setInterval(() => {
      slow.socket.resume()
      setTimeout(() => slow.socket.pause(), 5)
    }, 1000)
    await eventually('the clients are connected', () => stalled.every(({ socket }) => !socket.connecting))
    await eventually('the first of them wait for bytes', () => openFiles(service) > before + 5)
    await eventually('the stalled clients are evicted', () => openFiles(service) < before + 5)
    clearInterval(sip)
    slow.socket.resume()
    await slow.until(/HTTP\/1\.1 200/)
    await eventually('the end of the answer', () => slow.text.length >= text.length || slow.socket.destroyed)
    // It was not evicted.
    expect(slow.text.length).toBeGreaterThanOrEqual(text.length)
    for (const one of stalled) one.close()
  })

  test('waits that their clients abandon do not slow down other clients', async () => {
    const address = freshAddress()
    const waiting = Array.from({ length: 50 }, () =>
      client().get(`/api/emails/${address}/wait?timeout=25`, { 'X-API-Key': key }),
    )
    await works()
    for (const raw of waiting) raw.close()
    await works()
  })

  test('a raw message of 40 MB, read slowly, costs no memory; read to its end, it is complete', async () => {
    const address = freshAddress()
    const body = randomBytes(20 * MB)
      .toString('hex')
      .replaceAll(/(.{500})/g, '$1\r\n')
    const message = `Subject: large\r\n\r\n${body.slice(0, 39 * MB)}`
    const smtp = await SmtpClient.open(service.smtp)
    const id = /^250 2\.0\.0 Ok: (\S+)$/.exec(await smtp.send('s@example.org', [address], message))![1]!
    smtp.close()
    const whole = createHash('sha256').update(`${message}\r\n`).digest('hex')
    const paths = [`/api/emails/${address}/${id}/raw`, `/api/emails/${address}/${id}`]
    // The first read loads code and caches that stay.
    await (await fetch(service.http + paths[0], { headers: { 'X-API-Key': key } })).arrayBuffer()
    const before = memoryOf(service)
    const slow = Array.from({ length: 30 }, (_, i) => client().get(paths[i % 2]!, { 'X-API-Key': key }))
    await Promise.all(slow.map((raw) => raw.until(/HTTP\/1\.1 200/)))
    for (const raw of slow) raw.stall()
    for (let i = 0; i < 10; i++) {
      const answer = await fetch(service.http + paths[0], { headers: { 'X-API-Key': key } })
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(whole)
    }
    await works()
    // 30 times 39 MB would be more than a gigabyte.
    expect(memoryOf(service) - before).toBeLessThan(250 * MB)
    for (const raw of slow.slice(2)) raw.close()
    const first = slow[0]!
    first.socket.resume()
    const end = first.text.indexOf('\r\n\r\n') + 4
    while (first.text.length - end < message.length + 2) {
      const length = first.text.length
      await new Promise((resolve) => first.socket.once('data', resolve))
      expect(first.text.length).toBeGreaterThan(length)
    }
    expect(createHash('sha256').update(first.text.slice(end), 'latin1').digest('hex')).toBe(whole)
    expect(service.output()).not.toMatch(/"level":[456]0/)
  })

  test('answers that their client aborts are not logged as faults', async () => {
    const address = freshAddress()
    const smtp = await SmtpClient.open(service.smtp)
    const reply = await smtp.send('s@example.org', [address], `Subject: s\r\n\r\n${'x'.repeat(5_000_000)}`)
    smtp.close()
    const path = `/api/emails/${address}/${/Ok: (\S+)/.exec(reply)![1]}/raw`
    // The tests before may have used up this minute of the other key.
    key = await newKey()
    for (let i = 0; i < 20; i++) {
      const raw = client().get(path, { 'X-API-Key': key })
      await raw.until(/HTTP\/1\.1 200/)
      raw.close()
    }
    await works()
    expect(service.output()).not.toMatch(/Error|aborted|"level":[456]0/)
  })
})
