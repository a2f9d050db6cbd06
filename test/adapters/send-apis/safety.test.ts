import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CreateEmailTemplateCommand,
  DeleteEmailTemplateCommand,
  GetEmailTemplateCommand,
  ListEmailTemplatesCommand,
  SESv2Client,
  SendEmailCommand,
} from '@aws-sdk/client-sesv2'
import { afterEach, expect, test } from '@jest/globals'
import { ServerClient } from 'postmark'
import { Resend } from 'resend'
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

const KEY = 'operator-key-0123456789'
const PUBLIC = {
  MAYFLY_HOST: '0.0.0.0',
  MAYFLY_SEND_APIS: 'on',
  MAYFLY_API_KEYS: `other-key-0123456789,${KEY}`,
}
const basic = (password: string) => `Basic ${Buffer.from(`api:${password}`).toString('base64')}`

test.each([
  [
    'ses/v2/email/templates',
    403,
    (key: string) => ({
      Authorization: `AWS4-HMAC-SHA256 Credential=${key}/20261121/us-east-1/ses/aws4_request, SignedHeaders=host, Signature=00`,
    }),
  ],
  ['resend/emails', 401, (key: string) => ({ Authorization: `Bearer ${key}` })],
  ['sendgrid/v3/mail/send', 401, (key: string) => ({ Authorization: `Bearer ${key}` })],
  ['postmark/email', 401, (key: string) => ({ 'X-Postmark-Server-Token': key })],
  ['postmark/templates', 401, (key: string) => ({ 'X-Postmark-Account-Token': key })],
  ['mailgun/v3/mayfly.test/messages', 401, (key: string) => ({ Authorization: basic(key) })],
  ['resend/emails', 401, (key: string) => ({ 'X-API-Key': key })],
])(
  "off loopback %s needs an operator's key, where its SDK sends its credential",
  async (path, status, headersOf) => {
    service = testService(await startService(PUBLIC))
    const url = `${service.http.replace('0.0.0.0', '127.0.0.1')}/${path}`
    const post = async (headers: Record<string, string>) => {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: '{}',
      })
      return { status: answer.status, text: await answer.text() }
    }
    for (const headers of [{}, headersOf('wrong-key-0123456789'), headersOf(''), headersOf(`${KEY}x`)]) {
      const refused = await post(headers as Record<string, string>)
      expect(refused.status).toBe(status)
      expect(refused.text).toContain('MAYFLY_API_KEYS')
    }
    // The next refusal is that of the missing fields of the body.
    expect([200, 400, 404, 422]).toContain((await post(headersOf(KEY) as Record<string, string>)).status)
  },
)

test("off loopback the official SDK of Amazon SES sends with an operator's key", async () => {
  service = testService(await startService(PUBLIC))
  const client = (accessKeyId: string) =>
    new SESv2Client({
      endpoint: `${service.http.replace('0.0.0.0', '127.0.0.1')}/ses`,
      region: 'us-east-1',
      credentials: { accessKeyId, secretAccessKey: 'any' },
      maxAttempts: 1,
    })
  const sent = await client(KEY).send(simple(newAddress()))
  expect(sent.MessageId).toMatch(/./)
  await expect(client('AKIAIOSFODNN7EXAMPLE').send(simple(newAddress()))).rejects.toMatchObject({
    name: 'UnrecognizedClientException',
  })
})

test('web pages cannot send, and unknown host names are rejected', async () => {
  service = await startSendService({ MAYFLY_CORS_ORIGINS: 'https://app.example' })
  const to = newAddress()
  expect((await resend({ to }, { Origin: 'https://evil.example' })).status).toBe(421)
  const pages: Record<string, string>[] = [
    { Origin: service.http, 'Sec-Fetch-Site': 'same-origin' },
    { Origin: 'https://app.example', 'Sec-Fetch-Site': 'cross-site' },
    // A form of a page on another port of this machine sends no Origin if its policy is no-referrer.
    { 'Sec-Fetch-Site': 'same-site' },
  ]
  for (const headers of pages) {
    const refused = await resend({ to }, headers)
    expect([refused.status, refused.headers.get('Access-Control-Allow-Origin')]).toEqual([
      403,
      headers.Origin ?? null,
    ])
    expect(await refused.json()).toMatchObject({
      code: 'cross_site',
      detail: expect.stringMatching(/^Pages in a browser cannot send/),
    })
  }
  for (const method of ['GET', 'HEAD']) {
    const init = { method, headers: { 'Sec-Fetch-Site': 'none' } }
    expect((await fetch(`${service.http}/resend/emails`, init)).status).toBe(404)
  }
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

test('the settings for faults and for the size of a message are those of SMTP', async () => {
  service = await startSendService({ MAYFLY_SMTP_FAULTS: 'off', MAYFLY_MAX_MESSAGE_BYTES: '10000' })
  const to = newAddress().replace('@', '+smtp.450@')
  expect((await resend({ to })).status).toBe(200)
  expect(await service.emails(to)).toHaveLength(1)
  const tooLarge = await resend({ to, text: 'line of text\n'.repeat(1000) })
  expect([tooLarge.status, (await tooLarge.json()).message]).toEqual([
    413,
    expect.stringContaining('10000 bytes'),
  ])
})

test('a full store is a temporary error, and nothing is stored', async () => {
  service = await startSendService({ MAYFLY_MAX_STORED_BYTES: '10000000' })
  const attachment = Buffer.alloc(750_000)
  const to = newAddress()
  let accepted = 0
  let status: number | undefined
  while (status === undefined && accepted < 12) {
    await ses()
      .send(simple(to, 'x', attachment))
      .then(
        () => accepted++,
        (e: { $metadata: { httpStatusCode: number } }) => (status = e.$metadata.httpStatusCode),
      )
  }
  expect(status).toBe(503)
  expect(accepted).toBeGreaterThan(0)
  expect(await service.emails(to)).toHaveLength(accepted)
})

/** `npm run test:faults` sends 50 times 1 MB. */
const [SENDS, SEND_BYTES] = process.env.MAYFLY_FAULT_ROUNDS === undefined ? [10, 200_000] : [50, 1_000_000]

test(`${SENDS} concurrent sends of ${SEND_BYTES} bytes are stored`, async () => {
  service = await startSendService()
  const attachment = Buffer.alloc(SEND_BYTES, 'mayfly')
  const recipients = Array.from({ length: SENDS }, () => newAddress())
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

test('off loopback templates and sent mails belong to the key that made them', async () => {
  service = testService(await startService(PUBLIC))
  const base = service.http.replace('0.0.0.0', '127.0.0.1')
  const ses = (accessKeyId: string) => {
    const credentials = { accessKeyId, secretAccessKey: 'any' }
    return new SESv2Client({ endpoint: `${base}/ses`, region: 'us-east-1', credentials, maxAttempts: 1 })
  }
  const postmark = (key: string) =>
    new ServerClient(key, { useHttps: false, requestHost: `${new URL(base).host}/postmark` })
  const resend = (key: string) => new Resend(key, { baseUrl: `${base}/resend` })
  const [mine, other] = [KEY, 'other-key-0123456789']

  const content = (Subject: string) => ({ TemplateName: 'welcome', TemplateContent: { Subject, Text: 'x' } })
  await ses(mine).send(new CreateEmailTemplateCommand(content('Mine')))
  await expect(
    ses(other).send(new GetEmailTemplateCommand({ TemplateName: 'welcome' })),
  ).rejects.toMatchObject({
    name: 'NotFoundException',
  })
  await ses(other).send(new CreateEmailTemplateCommand(content('Other')))
  await ses(other).send(new DeleteEmailTemplateCommand({ TemplateName: 'welcome' }))
  const kept = await ses(mine).send(new GetEmailTemplateCommand({ TemplateName: 'welcome' }))
  expect(kept.TemplateContent?.Subject).toBe('Mine')
  expect((await ses(other).send(new ListEmailTemplatesCommand({}))).TemplatesMetadata).toEqual([])

  await postmark(mine).createTemplate({ Name: 'Welcome', Alias: 'welcome', Subject: 'Mine', TextBody: 'x' })
  await expect(postmark(other).getTemplate('welcome')).rejects.toThrow()
  expect((await postmark(mine).getTemplate('welcome')).Subject).toBe('Mine')

  const mail = { from: 'shop@example.com', to: newAddress(), subject: 'Mine', text: 'x' }
  const { data } = await resend(mine).emails.send(mail)
  expect((await resend(mine).emails.get(data!.id)).data?.subject).toBe('Mine')
  expect((await resend(other).emails.get(data!.id)).error).toMatchObject({ name: 'not_found' })
})

test('when the thread of the send APIs ends, its requests are refused, and the next one has another thread', async () => {
  const preload = new URL('../../faults/kill-thread.mjs', import.meta.url).href
  service = await startSendService({ KILL_THREAD: 'send-thread', NODE_OPTIONS: `--import=${preload}` })
  const send = async () => {
    const answer = await resend({ to: newAddress(), text: 'x'.repeat(500_000) })
    return [answer.status, ((await answer.json()) as { message?: string }).message]
  }
  const sends = Array.from({ length: 20 }, send)
  await Promise.race(sends)
  service.process.kill('SIGUSR2')
  const refused = (await Promise.all(sends)).filter(([status]) => status !== 200)
  expect(refused.length).toBeGreaterThan(0)
  const message = 'The request could not be handled, because it or another one needs too much memory.'
  expect(refused).toEqual(refused.map(() => [503, message]))
  expect(await send()).toEqual([200, undefined])
})

test('a thread of the send APIs that needs more than its memory ends alone, and the next request has another one', async () => {
  const preload = new URL('../../faults/fill-thread.mjs', import.meta.url).href
  service = await startSendService({
    FILL_THREAD: 'more-than-its-memory',
    NODE_OPTIONS: `--import=${preload}`,
  })
  expect((await resend({ to: newAddress(), text: 'more-than-its-memory' })).status).toBe(503)
  expect((await resend({ to: newAddress() })).status).toBe(200)
})
