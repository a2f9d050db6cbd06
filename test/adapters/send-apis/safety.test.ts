import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
import { afterEach, expect, test } from '@jest/globals'
import { startService } from '../../support/service.ts'
import { API_KEY, newAddress, startSendService, type TestService, testService } from './setup.ts'

let service: TestService

afterEach(() => service.stop())

function ses(secret = 'not-checked'): SESv2Client {
  return new SESv2Client({
    endpoint: `${service.http}/ses`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: secret },
    maxAttempts: 1,
  })
}

function simple(to: string, text = 'x', attachment?: Uint8Array): SendEmailCommand {
  return new SendEmailCommand({
    FromEmailAddress: 'shop@example.com',
    Destination: { ToAddresses: [to] },
    Content: {
      Simple: {
        Subject: { Data: 'x' },
        Body: { Text: { Data: text } },
        ...(attachment && { Attachments: [{ FileName: 'a.bin', RawContent: attachment }] }),
      },
    },
  })
}

function resend(fields: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${service.http}/resend/emails`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ from: 'shop@example.com', subject: 'x', text: 'x', ...fields }),
  })
}

test('no credential is logged, at any level', async () => {
  service = await startSendService({ MAYFLY_LOG_LEVEL: 'trace' })
  await ses('very-secret-key').send(simple(newAddress()))
  await resend({ to: newAddress() }, { Authorization: 'Bearer re_secret_token' })
  await fetch(`${service.http}/postmark/email?key=in-the-query`, {
    method: 'POST',
    headers: { 'X-Postmark-Server-Token': 'postmark-secret' },
    body: '{"From":',
  })
  await service.stop()
  expect(service.output()).toContain('send request')
  expect(service.output()).not.toMatch(
    /AKIAIOSFODNN7EXAMPLE|Signature|re_secret_token|postmark-secret|in-the-query/,
  )
})

test.each([
  ['MAYFLY_SEND_APIS=off', { MAYFLY_SEND_APIS: 'off' }],
  ['a service that other machines reach', { MAYFLY_HOST: '0.0.0.0' }],
])('%s has no send API', async (_, env) => {
  service = testService(await startService(env as Record<string, string>))
  const url = service.http.replace('0.0.0.0', '127.0.0.1')
  for (const path of ['/ses', '/ses/v2/email/account', '/resend/emails', '/mailgun/v3/d/messages']) {
    expect((await fetch(url + path, { method: 'POST' })).status).toBe(404)
  }
})

test('web pages cannot send, and unknown host names are rejected', async () => {
  service = await startSendService()
  const to = newAddress()
  expect((await resend({ to }, { Origin: 'https://evil.example' })).status).toBe(421)
  expect((await resend({ to }, { Origin: service.http, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(404)
  // A form of a page on another port of this machine sends no Origin if its policy is no-referrer.
  expect((await resend({ to }, { 'Sec-Fetch-Site': 'same-site' })).status).not.toBe(200)
  const { hostname, port } = new URL(service.http)
  const socket = createConnection(Number(port), hostname)
  socket.write('GET /resend/emails/x HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(String(answer)).toContain(' 421 ')
  expect(await service.emails(to)).toEqual([])
})

test('with MAYFLY_CATCH_ALL mail for every domain is accepted', async () => {
  service = await startSendService({ MAYFLY_CATCH_ALL: 'on' })
  const to = newAddress().replace('mayfly.test', 'any.example')
  await ses().send(simple(to))
  expect(await service.emails(to)).toHaveLength(1)
})

test('a full store is a temporary error, and nothing is stored', async () => {
  service = await startSendService({ MAYFLY_MAX_STORED_BYTES: '40000000' })
  const statuses = new Set<number>()
  const attachment = Buffer.alloc(3_000_000)
  const to = newAddress()
  let accepted = 0
  for (let i = 0; i < 12; i++) {
    const error = await ses()
      .send(simple(to, 'x', attachment))
      .then(
        () => accepted++ && undefined,
        (e: { $metadata: { httpStatusCode: number } }) => e,
      )
    if (typeof error === 'object') statuses.add(error.$metadata.httpStatusCode)
  }
  expect([...statuses]).toEqual([503])
  expect(accepted).toBeGreaterThan(0)
  expect(await service.emails(to)).toHaveLength(accepted)
})

test('50 concurrent sends with 1 MB each are stored', async () => {
  service = await startSendService()
  const attachment = Buffer.alloc(1_000_000, 'mayfly')
  const recipients = Array.from({ length: 50 }, () => newAddress())
  const client = ses()
  await Promise.all(recipients.map((to) => client.send(simple(to, `for ${to}`, attachment))))
  for (const to of recipients) {
    const email = await service.email(to)
    expect(email.body_text.trim()).toBe(`for ${to}`)
    expect(email.attachments[0]?.size).toBe(attachment.length)
  }
})

test('a mail whose answer was sent survives kill -9', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-'))
  const env = { MAYFLY_API_KEYS: API_KEY }
  service = testService(await startService(env, { dataDir }))
  const client = ses()
  const answered: string[] = []
  const attachment = Buffer.alloc(300_000, 'mayfly')
  const sending = Array.from({ length: 8 }, async (_, worker) => {
    for (;;) {
      const to = newAddress()
      try {
        await client.send(simple(to, 'x', worker % 2 === 0 ? attachment : undefined))
        answered.push(to)
      } catch {
        return
      }
      if (answered.length === 40) service.process.kill('SIGKILL')
    }
  })
  await Promise.all(sending)
  await service.stop()
  service = testService(await startService(env, { dataDir }))
  expect(answered.length).toBeGreaterThanOrEqual(40)
  for (const to of answered) expect(await service.emails(to)).toHaveLength(1)
  await service.stop()
  await rm(dataDir, { recursive: true })
})
