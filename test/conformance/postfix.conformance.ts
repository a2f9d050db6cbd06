import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '../support/eventually.ts'
import { freshAddress } from '../support/mail.ts'
import { freePort } from '../support/ports.ts'
import { type RunningService, startService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { type Postfix, startPostfix } from './postfix.ts'
import { recordRow } from './row.ts'

interface Email {
  id: string
  subject: string
  body_text: string
}

const MAILS = 20
const KEY = 'the-key-of-the-operator'
const SENDER = 'app@mayfly.test'

describe('Postfix as the sender, with TLS', () => {
  let service: RunningService
  let dataDir: string
  let postfix: Postfix
  let app: SmtpClient
  let complete = 0

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'mayfly-postfix-data-'))
    service = await start({ MAYFLY_SMTP_PORT: String(await freePort()) })
    postfix = await startPostfix(service.smtp.port, join(dataDir, 'smtp-cert.pem'))
    app = await SmtpClient.open({ host: '127.0.0.1', port: postfix.port })
  })
  afterAll(async () => {
    app?.close()
    await postfix?.close()
    await service?.stop()
    await rm(dataDir, { recursive: true })
  })

  const start = (env: Record<string, string>) =>
    startService({ ...env, MAYFLY_TLS: 'self-signed', MAYFLY_API_KEYS: KEY }, { dataDir })

  /** Hands a message over to Postfix, as an application does. */
  async function send(recipients: string[], message: string, parameters = ''): Promise<void> {
    const reply = await app.say(`MAIL FROM:<${SENDER}>${parameters}`)
    expect(reply).toMatch(/^250/)
    for (const to of recipients) expect(await app.say(`RCPT TO:<${to}>`)).toMatch(/^250/)
    expect(await app.say('DATA')).toMatch(/^354/)
    expect(await app.say(`${message}\r\n.`)).toMatch(/^250/)
  }

  const list = async (address: string): Promise<Email[]> => {
    const response = await fetch(`${service.http}/api/public/emails/${encodeURIComponent(address)}`)
    return ((await response.json()) as { emails: Email[] }).emails
  }
  const emails = (address: string, count = 1) =>
    eventually(
      `${count} emails of ${address}`,
      () => list(address),
      ({ length }) => length >= count,
    )
  async function raw(address: string, { id }: Email): Promise<string> {
    const url = `${service.http}/api/emails/${address}/${id}/raw`
    return (await fetch(url, { headers: { 'X-API-Key': KEY } })).text()
  }

  test('it verifies the certificate, and hands every mail over to several recipients once', async () => {
    const recipients = [freshAddress(), freshAddress(), freshAddress()]
    const subjects = Array.from({ length: MAILS }, (_, i) => `Mail ${i}`)
    for (const subject of subjects) await send(recipients, `Subject: ${subject}\r\n\r\nHello`)
    for (const address of recipients) {
      const arrived = await emails(address, MAILS)
      expect(arrived.map(({ subject }) => subject).sort()).toEqual(subjects.toSorted())
    }
    expect(postfix.log()).toMatch(/Verified TLS connection established to localhost/)
    expect(postfix.log()).not.toMatch(/Untrusted|Anonymous|Cannot start TLS|status=deferred/)
    complete += MAILS * recipients.length
  })

  test('8BITMIME, dots and long lines arrive as they were sent', async () => {
    const to = freshAddress()
    const lines = ['Grüße 李 🦋', '.', '..', '. dot', 'x'.repeat(990), '', 'end']
    const head = `Subject: ü\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n`
    await send([to], head + lines.map((line) => line.replace(/^\./, '..')).join('\r\n'), ' BODY=8BITMIME')
    const [email] = await emails(to)
    expect(email!.subject).toBe('ü')
    expect((await raw(to, email!)).split('\r\n\r\n').slice(1).join('\r\n\r\n').trimEnd()).toBe(
      lines.join('\r\n'),
    )
    complete++
  })

  test('SMTPUTF8: a local part that is not ASCII', async () => {
    const to = `jürgen.${freshAddress()}`
    await send([to], 'Subject: Anmeldung für Jürgen\r\n\r\nHallo', ' SMTPUTF8')
    expect((await emails(to))[0]!.subject).toBe('Anmeldung für Jürgen')
    complete++
  })

  test('a refused recipient comes back to the sender, and the others get the mail', async () => {
    const to = freshAddress()
    await send([to, 'someone@elsewhere.example'], 'Subject: For two\r\n\r\nHello')
    expect((await emails(to))[0]!.subject).toBe('For two')
    const [bounce] = await emails(SENDER)
    expect(await raw(SENDER, bounce!)).toMatch(/^Final-Recipient: rfc822; *someone@elsewhere\.example$/m)
    expect(bounce!.body_text).toMatch(/550[ -]/)
    complete += 2
  })

  test('a service that is down gets the mail when it is back', async () => {
    const to = freshAddress()
    const { smtp, http } = service
    await service.stop()
    await send([to], 'Subject: Later\r\n\r\nHello')
    await eventually('a failed attempt', () => /Connection refused/.test(postfix.log()))
    service = await start({ MAYFLY_SMTP_PORT: String(smtp.port), MAYFLY_HTTP_PORT: new URL(http).port })
    expect((await emails(to)).map(({ subject }) => subject)).toEqual(['Later'])
    complete++
  })

  test('the table has these figures', () => {
    expect(complete).toBe(3 * MAILS + 5)
    recordRow({
      suite: 'Postfix as the sender',
      version: 'of the distribution',
      examined: `${complete} emails by STARTTLS with a verified certificate: several recipients, 8BITMIME, SMTPUTF8, a refused recipient, a service that is down`,
      accepted: 0,
      failedIn030: 'SMTPUTF8 was announced, and recipients that need it were refused',
    })
  })
})
