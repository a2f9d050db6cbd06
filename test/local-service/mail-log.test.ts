import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { pino } from 'pino'
import { MailLog } from '../../local-service/mail-log.ts'
import { eventually } from '../support/eventually.ts'
import { sendMail } from '../support/mail.ts'
import { startService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'

const NOW = Date.UTC(2026, 10, 23, 12)

function mailLog() {
  const lines: { msg: string; mail?: object }[] = []
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
  let now = NOW
  return {
    lines,
    messages: () => lines.map(({ msg }) => msg),
    mails: new MailLog(log, () => now),
    pass(ms: number) {
      now += ms
    },
  }
}

const refusal = { at: NOW, client: '127.0.0.1', mailFrom: 'app@example.org', code: 550 }

describe('the log of mail', () => {
  test('has a line for each accepted and each refused recipient', () => {
    const { mails, lines, messages } = mailLog()
    const envelope = {
      messageId: 'm',
      mailFrom: null,
      recipients: ['a@b.test', 'c@d.test'],
      verdicts: {} as never,
    }
    mails.accepted(envelope)
    mails.refused({ ...refusal, recipient: 'x@y.test', reply: '5.1.2 No such domain' })
    mails.refused({ ...refusal, recipient: null, reply: '4.3.1 Full' })
    expect(messages()).toEqual([
      'accepted mail for a@b.test from <>',
      'accepted mail for c@d.test from <>',
      'refused mail for x@y.test: 550 5.1.2 No such domain',
      'refused mail from app@example.org: 550 4.3.1 Full',
    ])
    expect(lines[2]?.mail).toEqual({ to: 'x@y.test', from: 'app@example.org', code: 550 })
  })

  test('writes no character that a terminal obeys', () => {
    const { mails, messages } = mailLog()
    mails.refused({ ...refusal, recipient: 'a\u001b[2J\n\u202e\ud800\u2028\u2029@b.test', reply: 'x' })
    expect(messages()).toEqual(['refused mail for a?[2J?????@b.test: 550 x'])
  })

  test('has at most 600 lines a minute, and says so', () => {
    const { mails, messages, pass } = mailLog()
    const refuse = () => mails.refused({ ...refusal, recipient: 'a@b.test', reply: 'x' })
    for (let i = 0; i < 1000; i++) refuse()
    expect(messages()).toHaveLength(601)
    expect(messages().at(-1)).toBe('more than 600 mails in this minute; the others are not listed')
    pass(60_000)
    refuse()
    expect(messages()).toHaveLength(602)
  })
})

test('a service in a pipe writes JSON lines for mail by SMTP and by a send API', async () => {
  const service = await startService({ MAYFLY_CATCH_ALL: 'off' })
  await sendMail(service.smtp, { to: 'jo@mayfly.test', text: 'x' })
  const client = await SmtpClient.open(service.smtp)
  await client.say('EHLO app')
  await client.say('MAIL FROM:<app@example.org>')
  await client.say('RCPT TO:<jo@elsewhere.test>')
  client.close()
  const headers = { Authorization: 'Bearer x', 'Content-Type': 'application/json' }
  const mail = { from: 'app@example.org', to: 'ann@elsewhere.test', subject: 's', text: 'x' }
  await fetch(`${service.http}/resend/emails`, { method: 'POST', headers, body: JSON.stringify(mail) })
  const lines = () =>
    service
      .output()
      .split('\n')
      .filter((line) => line.includes('"mail":'))
      .map((line) => (JSON.parse(line) as { msg: string }).msg)
  await eventually('three lines', lines, ({ length }) => length >= 3)
  expect(lines()).toEqual([
    'accepted mail for jo@mayfly.test from sender@example.org',
    expect.stringMatching(/^refused mail for jo@elsewhere\.test: 550 5\.1\.2 .*MAYFLY_CATCH_ALL=on/),
    expect.stringMatching(/^refused mail for ann@elsewhere\.test: 400 This service does not accept/),
  ])
  await service.stop()
})

test('on a terminal each of them is one readable line', async () => {
  const program = `
const { createLogger } = await import(${JSON.stringify(new URL('../../local-service/log.ts', import.meta.url).href)})
const { MailLog } = await import(${JSON.stringify(new URL('../../local-service/mail-log.ts', import.meta.url).href)})
const mails = new MailLog(await createLogger('info', true), Date.now)
mails.accepted({ mailFrom: 'app@example.org', recipients: ['jo@example.com'] })`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of the terminal
  const line = stdout.replace(/\u001b\[\d+m/g, '')
  expect(line).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: accepted mail for jo@example\.com from app@example\.org\n$/)
})
