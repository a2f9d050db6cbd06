import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import { MB, memoryOf } from '../faults/raw-http.ts'
import { eventually } from '../support/eventually.ts'
import { freshAddress, sendMail } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'

/** Bound of the whole process while no client reads; version 0.2.0 took 3 GB. */
const MEMORY_BOUND = 400 * MB
const READERS = 120
const OPERATOR = 'the-key-of-the-operator'

/** The time after which a test hangs: 120 clients that connect again and again leave little of a busy machine. */
const PATIENCE_MS = 300_000

let service: RunningService
const sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await service.stop()
})

describe('120 connections that do not read compressed lists', () => {
  /** A mail whose summary is as large and as random as it can be. */
  function large(): string {
    const random = (bytes: number) => randomBytes(bytes).toString('hex')
    const recipients = Array.from({ length: 100 }, () => `"${random(200)}" <${random(20)}@example.org>`)
    const links = Array.from({ length: 50 }, () => `https://example.org/${random(900)}`)
    return [
      'From: a@example.org',
      `To: ${recipients.join(',\r\n ')}`,
      `Subject: ${random(1500).replace(/.{70}/g, '$&\r\n ')}`,
      '',
      ...links,
      '',
    ].join('\r\n')
  }

  test(
    'take little memory, and delay other clients only briefly',
    async () => {
      service = await startService({ MAYFLY_TRUST_PROXY: '127.0.0.1' })
      const address = freshAddress()
      const smtp = await SmtpClient.open(service.smtp)
      for (let n = 0; n < 100; n++)
        expect(await smtp.send('a@example.org', [address], large())).toMatch(/^250/)
      smtp.close()
      const { hostname, port } = new URL(service.http)
      let most = 0
      const ask = (n: number) => {
        const socket = connect(Number(port), hostname)
        sockets.push(socket)
        socket.on('error', () => {})
        socket.pause()
        // Each client pipelines requests behind the one that it does not read, and reconnects when it
        // is evicted.
        const request = `GET /api/public/emails/${address}?limit=100 HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 198.51.100.${n}\r\nAccept-Encoding: gzip\r\n\r\n`
        socket.write(request.repeat(20))
        socket.on('close', () => sockets.includes(socket) && ask(n))
      }
      for (let n = 0; n < READERS; n++) ask(n)
      for (let n = 0; n < 40; n++) {
        await sleep(250)
        most = Math.max(most, memoryOf(service))
        if (n % 10 === 0) expect((await fetch(`${service.http}/api/health`)).status).toBe(200)
      }
      // Meanwhile an honest client gets the whole list.
      const honest = await fetch(`${service.http}/api/public/emails/${address}?limit=100`)
      expect(((await honest.json()) as { emails: object[] }).emails.length).toBeGreaterThan(0)
      process.stderr.write(`${READERS} connections that do not read: at most ${Math.round(most / MB)} MB\n`)
      expect(most).toBeLessThan(MEMORY_BOUND)
    },
    PATIENCE_MS,
  )
})

describe('80 webhooks of four keys whose targets hang', () => {
  let target: Server
  const hanging = new Set<ServerResponse>()
  const delivered: string[] = []

  afterEach(() => {
    target.closeAllConnections()
    target.close()
  })

  test('delay the webhook of another key by less than their time-out', async () => {
    service = await startService({ MAYFLY_TRUST_PROXY: '127.0.0.1', MAYFLY_API_KEYS: OPERATOR })
    target = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const isPing = JSON.parse(body).type === 'ping'
      if (!isPing && request.url === '/hangs') hanging.add(response)
      else {
        if (!isPing) delivered.push(request.url!)
        response.writeHead(204).end()
      }
    }).listen(0, '127.0.0.1')
    await once(target, 'listening')
    const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}`
    const newKey = async (ip: string) => {
      const answer = await fetch(`${service.http}/api/keys`, {
        method: 'POST',
        headers: { 'X-Forwarded-For': ip },
      })
      return ((await answer.json()) as { key: string }).key
    }
    const webhook = async (key: string, path: string, address: string) => {
      const answer = await fetch(`${service.http}/api/webhooks`, {
        method: 'POST',
        headers: { 'X-API-Key': key },
        body: JSON.stringify({ url: url + path, address }),
      })
      const { id } = (await answer.json()) as { id: string }
      await eventually(`webhook ${id} is live`, async () => {
        const found = await fetch(`${service.http}/api/webhooks/${id}`, { headers: { 'X-API-Key': key } })
        return ((await found.json()) as { status: string }).status === 'live'
      })
    }
    const [attacked, honest] = [freshAddress(), freshAddress()]
    await webhook(await newKey('198.51.100.200'), '/honest', honest)
    for (let n = 0; n < 4; n++) {
      const key = await newKey(`198.51.100.${n}`)
      await Promise.all(Array.from({ length: 20 }, () => webhook(key, '/hangs', attacked)))
    }
    // The same measurement without an attack.
    await sendMail(service.smtp, { to: honest, subject: 'before', text: 'x' })
    await eventually('the first delivery', () => delivered.length === 1)
    for (let n = 0; n < 40; n++) await sendMail(service.smtp, { to: attacked, subject: `${n}`, text: 'x' })
    // All of them target one host, which has 32 places whatever the number of keys.
    await eventually('requests that hang', () => hanging.size >= 16)
    const sent = Date.now()
    await sendMail(service.smtp, { to: honest, subject: 'during', text: 'x' })
    await eventually('the delivery during the attack', () => delivered.length === 2)
    process.stderr.write(`a webhook beside 80 that hang: delivered after ${Date.now() - sent} ms\n`)
    // Others would have followed the first of them at their time-out.
    expect(hanging.size).toBeLessThanOrEqual(32)
  })
})
