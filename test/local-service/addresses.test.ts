import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openStream } from '../support/event-source.ts'
import { eventually } from '../support/eventually.ts'
import { listening } from '../support/http-server.ts'
import { sendMail } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'

const OPERATOR = 'the-key-of-the-operator'

/** What a program writes as the recipient, and the address at which its mail is read. */
const ADDRESSES: [string, string][] = [
  ['Jürgen@example.com', 'jürgen@example.com'],
  ['用户@例え.test', '用户@xn--r8jz45g.test'],
  ['foo.@docomo.ne.jp', 'foo.@docomo.ne.jp'],
  ['a..b@docomo.ne.jp', 'a..b@docomo.ne.jp'],
  ['"John Doe"@example.com', '"john doe"@example.com'],
  ['x@localhost', 'x@localhost'],
]

describe('addresses of real senders', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await startService({ MAYFLY_CATCH_ALL: 'on', MAYFLY_API_KEYS: OPERATOR })
  })
  afterAll(() => service?.stop())

  const list = async (address: string) => {
    const response = await fetch(`${service.http}/api/public/emails/${encodeURIComponent(address)}`)
    const { emails } = (await response.json()) as { emails: { address: string; subject: string }[] }
    return emails.map(({ address, subject }) => ({ address, subject }))
  }

  test.each(ADDRESSES)('Nodemailer to %s: stream, webhook and list name %s', async (text, address) => {
    const target = await webhookTarget()
    const headers = { 'X-API-Key': OPERATOR, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ url: target.url, address: text })
    expect((await fetch(`${service.http}/api/webhooks`, { method: 'POST', headers, body })).status).toBe(201)
    const stream = await openStream(`${service.http}/api/sse/${encodeURIComponent(text)}`)
    await sendMail(service.smtp, { to: text, subject: 'By Nodemailer' })
    expect((await stream.until(1))[0]?.data.email).toMatchObject({ address })
    expect(await list(text)).toEqual([{ address, subject: 'By Nodemailer' }])
    expect(await list(address)).toHaveLength(1)
    await eventually('a request of the webhook', () => target.addresses.includes(address))
    stream.close()
    await target.close()
  })

  test.each(ADDRESSES)('Python’s smtplib to %s', async (text, address) => {
    const program = `
import smtplib, sys
with smtplib.SMTP(sys.argv[1], int(sys.argv[2])) as smtp:
    smtp.ehlo()
    smtp.mail('app@example.org', ['SMTPUTF8'])
    code, reply = smtp.rcpt(sys.argv[3])
    assert code == 250, reply
    code, reply = smtp.data('Subject: By smtplib\\r\\n\\r\\nx')
    assert code == 250, reply
`
    const { host, port } = service.smtp
    await promisify(execFile)('python3', ['-c', program, host, String(port), text])
    expect(await list(address)).toContainEqual({ address, subject: 'By smtplib' })
  })

  test('the recipients <root> and <postmaster>', async () => {
    const client = await SmtpClient.open(service.smtp)
    await client.say('EHLO cron')
    for (const recipient of ['root', 'POSTMASTER']) {
      expect(await client.say('MAIL FROM:<>')).toMatch(/^250/)
      expect(await client.say(`RCPT TO:<${recipient}>`)).toMatch(/^250/)
      expect(await client.say('DATA')).toMatch(/^354/)
      expect(await client.say('Subject: By cron\r\n\r\nx\r\n.')).toMatch(/^250/)
    }
    client.close()
    expect(await list('root@localhost')).toEqual([{ address: 'root@localhost', subject: 'By cron' }])
    expect(await list('postmaster@mayfly.test')).toHaveLength(1)
  })

  test.each(ADDRESSES)('a send API to %s', async (text, address) => {
    const response = await fetch(`${service.http}/resend/emails`, {
      method: 'POST',
      headers: { Authorization: 'Bearer re_any', 'Content-Type': 'application/json' },
      body: JSON.stringify({ from: 'app@example.org', to: text, subject: 'By API', text: 'x' }),
    })
    expect(await response.text()).toMatch(/"id"/)
    expect(await list(address)).toContainEqual({ address, subject: 'By API' })
  })
})

test('a service that does not accept every domain refuses odd dots and names without a domain', async () => {
  const service = await startService({ MAYFLY_CATCH_ALL: 'off' })
  const client = await SmtpClient.open(service.smtp)
  await client.say('EHLO app')
  await client.say('MAIL FROM:<> SMTPUTF8')
  expect(await client.say('RCPT TO:<jürgen@mayfly.test>')).toMatch(/^250/)
  expect(await client.say('RCPT TO:<"a b"@mayfly.test>')).toMatch(/^250/)
  expect(await client.say('RCPT TO:<a..b@mayfly.test>')).toMatch(/^553 5\.1\.3/)
  expect(await client.say('RCPT TO:<x@localhost>')).toMatch(/^550 5\.1\.2/)
  expect(await client.say('RCPT TO:<root>')).toMatch(/^550 5\.1\.2/)
  client.close()
  await service.stop()
})

/** A server that collects the addresses of the emails that a webhook sends. */
async function webhookTarget() {
  const addresses: unknown[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    addresses.push((JSON.parse(body) as { data?: { email?: { address: string } } }).data?.email?.address)
    response.writeHead(204).end()
  })
  return { addresses, ...(await listening(server)) }
}
