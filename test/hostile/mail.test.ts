import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { MB, memoryOf, RawHttp } from '../faults/raw-http.ts'
import { inTheLongRun, ROUNDS } from '../faults/rounds.ts'
import { freshAddress } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { CORPUS } from './corpus.ts'

const SEED = 20_261_121
const PREFIX = 'hostile'

/** The message as it is sent: each line that begins with a dot gets another dot. */
const stuffed = (raw: Buffer) =>
  Buffer.from(raw.toString('latin1').replaceAll(/(^|\r\n)\./g, '$1..'), 'latin1')

describe('hostile mail, in by SMTP and out by REST and SSE', () => {
  let service: RunningService
  const keys: string[] = []
  let calls = 0
  let stream: RawHttp

  beforeAll(async () => {
    service = await startService({
      MAYFLY_LOG_LEVEL: 'trace',
      MAYFLY_DOMAINS: `mayfly.test,watched.test=${PREFIX}-key`,
      MAYFLY_TRUST_PROXY: '127.0.0.1',
    })
    stream = new RawHttp(service.http).get(`/api/user-dashboard/sse?key=${PREFIX}-key`)
    await stream.until(/event: connected\nid: .*\ndata: {}\n\n/)
  })

  afterAll(async () => {
    stream?.close()
    await service?.stop()
  })

  /** Calls with a key that has requests left. */
  async function call(path: string): Promise<Response> {
    if (calls++ % 110 === 0) {
      const answer = await fetch(`${service.http}/api/keys`, {
        method: 'POST',
        headers: { 'X-Forwarded-For': `198.51.100.${keys.length}` },
      })
      keys.push(((await answer.json()) as { key: string }).key)
    }
    return fetch(service.http + path, {
      headers: { 'X-API-Key': keys.at(-1)!, 'X-Domain-Key': `${PREFIX}-key` },
    })
  }

  /**
   * Sends a mail, and checks that every output contains it unchanged, and no other output anything
   * of it.
   */
  async function check(raw: Buffer, onTheWire = stuffed(raw)): Promise<Record<string, unknown>> {
    const address = freshAddress('watched.test')
    const seen = stream.eventIds().length
    const smtp = await SmtpClient.open(service.smtp)
    const reply = await smtp.send('s@example.org', [address], onTheWire)
    // The connection continues: no part of the message was read as a command.
    expect(await smtp.say('NOOP')).toMatch(/^250/)
    smtp.close()
    const id = /^250 2\.0\.0 Ok: (\S+)$/.exec(reply)?.[1]
    expect({ reply, id }).toMatchObject({ id: expect.any(String) })
    // The client writes a line break before the dot.
    const kept = Buffer.concat([raw, Buffer.from('\r\n')])

    const list = await (await call(`/api/emails/${address}`)).json()
    expect(list.emails.map((email: { id: string }) => email.id)).toEqual([id])
    const [summary] = list.emails

    const answer = await call(`/api/emails/${address}/${id}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    const text = await answer.text()
    expect(text.isWellFormed()).toBe(true)
    const { email } = JSON.parse(text)
    expect(email).toMatchObject({ id, address, read: true, size: kept.length })

    const untouched = await call(`/api/emails/${address}/${id}/raw`)
    expect(untouched.headers.get('content-type')).toBe('message/rfc822')
    expect(Buffer.from(await untouched.arrayBuffer()).equals(kept)).toBe(true)

    // Checks some attachments: each is a download with a type and a name that cannot end a header.
    for (const attachment of email.attachments.slice(0, 3)) {
      const part = await call(attachment.url)
      expect(part.status).toBe(200)
      expect(part.headers.get('content-disposition')).toMatch(
        /^attachment; filename="[^"\\/]*"; filename\*=UTF-8''[^;"\s/]*$/,
      )
      expect(part.headers.get('content-type')).toMatch(/^[a-z0-9][\w.+!#$&^-]*\/[a-z0-9][\w.+!#$&^-]*$/)
      expect(part.headers.get('x-content-type-options')).toBe('nosniff')
      expect(part.headers.get('content-security-policy')).toContain('sandbox')
      for (const name of ['x-evil', 'set-cookie']) expect(part.headers.get(name)).toBeNull()
      expect((await part.arrayBuffer()).byteLength).toBe(attachment.size)
    }

    // The event: two lines, with the same content as the list.
    await stream.untilEvents(seen + 1)
    expect(stream.eventIds().slice(seen)).toEqual([id])
    const event = new RegExp(`^id: ${id}\ndata: ([^\n]*)\n\n`, 'm').exec(
      Buffer.from(stream.text, 'latin1').toString(),
    )!
    expect(JSON.parse(event[1]!)).toEqual({ type: 'new-email', domain: 'watched.test', email: summary })
    return email
  }

  test.each(CORPUS.map(({ name, raw }): [string, string] => [name, raw]))('%s', async (_name, raw) => {
    await check(Buffer.from(raw, 'latin1'))
  })

  test('the summary contains the text of the mails in a harmless form', async () => {
    const raw = (name: string) => Buffer.from(CORPUS.find((mail) => mail.name === name)!.raw, 'latin1')
    const paths = await check(raw('names with paths'))
    for (const { filename } of paths.attachments as { filename: string | null }[]) {
      expect(filename ?? 'x').toMatch(/^[^/\\\p{Cc}]+$/u)
      expect(['.', '..']).not.toContain(filename)
    }
    const tricks = await check(raw('RFC 2231 tricks'))
    expect((tricks.attachments as { filename: string }[])[0]!.filename).not.toMatch(/[/\\\r\n\0]/)
    expect((tricks.attachments as { filename: string }[])[1]!.filename).toBe('gpj.exe')
  })

  test('seeded: the elements of MIME in random order', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...[
          '\r\n',
          '\r\n\r\n',
          '\n',
          '\r',
          '.',
          '..',
          '\r\n.\r',
          '\n.\n',
          '--b\r\n',
          '--b--\r\n',
          '\0',
          '\xff',
          '\t',
        ],
        'From: =?utf-8?Q?=0D=0Adata:?= <a@b.c>\r\n',
        'Subject: =?utf-8?B?DQpkYXRhOiB4?=\r\n',
        'Content-Type: multipart/mixed; boundary=b\r\n',
        'Content-Type: text/html\r\n',
        'Content-Type: message/rfc822\r\n',
        'Content-Type: application/x; name="a\r\n b"\r\n',
        "Content-Disposition: attachment; filename*0*=utf-8''%0d%0a; filename*1=/../x\r\n",
        'Content-Transfer-Encoding: base64\r\n',
        'Content-Transfer-Encoding: quoted-printable\r\n',
        'SGVsbG8=',
        '=0D=0Adata: x',
        'data: {"type":"new-email"}\r\n\r\n',
      ),
      fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    )
    const message = fc.array(piece, { maxLength: 30 }).map((pieces) => Buffer.from(pieces.join(''), 'latin1'))
    await fc.assert(
      fc.asyncProperty(message, async (raw) => {
        await check(raw)
      }),
      { seed: SEED, numRuns: 60 * ROUNDS, endOnFailure: true },
    )
  }, 300_000)

  const END_LOOKALIKES = [
    '\n.\n',
    '\n.\r\n',
    '\r.\r',
    '\r\n.\n',
    '\r\n.\r',
    '\r.\r\n',
    '\r\n\0.\r\n',
    '\r\n.\0\r\n',
  ]

  test.each(END_LOOKALIKES)(
    'smuggling: %j does not end the message, and no command behind it is executed',
    async (end) => {
      const victim = freshAddress('watched.test')
      const smuggled = `MAIL FROM:<evil@example.org>\r\nRCPT TO:<${victim}>\r\nDATA\r\nSubject: smuggled\r\n\r\nx`
      const body = `Subject: first\r\n\r\nbefore${end}${smuggled}`
      // Not dot-stuffed, as from a server that sees no line there. The first dot of a line is
      // removed.
      const email = await check(
        Buffer.from(body.replaceAll('\r\n.', '\r\n'), 'latin1'),
        Buffer.from(body, 'latin1'),
      )
      expect(email.subject).toBe('first')
      const raw = await (await call(String(email.raw_url))).text()
      expect(raw).toContain('Subject: smuggled')
      expect((await (await call(`/api/emails/${victim}`)).json()).emails).toEqual([])
      expect((await fetch(`${service.http}/api/health`)).status).toBe(200)
    },
  )

  test('a mail does not leak into another one, on one connection or on many at the same time', async () => {
    const mails = Array.from({ length: 200 }, (_, i) => ({
      address: freshAddress('watched.test'),
      text: `secret-of-${i}-${'x'.repeat((i * 997) % 30_000)}`,
    }))
    await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        const smtp = await SmtpClient.open(service.smtp)
        for (const { address, text } of mails.filter((_mail, i) => i % 10 === n)) {
          expect(await smtp.send('s@example.org', [address], `Subject: s\r\n\r\n${text}`)).toMatch(/^250/)
        }
        smtp.close()
      }),
    )
    for (const { address, text } of mails) {
      const answer = await fetch(`${service.http}/api/public/emails/${address}?key=${PREFIX}-key`)
      const { emails } = await answer.json()
      expect(emails).toHaveLength(1)
      expect(emails[0].body_text.trim().slice(0, 16_000)).toBe(text.slice(0, 16_000))
      expect(emails[0].size).toBe(`Subject: s\r\n\r\n${text}\r\n`.length)
    }
  })

  test('Unicode addresses: the domain in any form, the local part in ASCII, the sender unchanged', async () => {
    const smtp = await SmtpClient.open(service.smtp)
    const envelope = async (from: string, to: string, client = smtp) => {
      await client.say('RSET')
      const sender = await client.say(from)
      return sender.startsWith('250') ? client.say(`RCPT TO:<${to}>`) : sender
    }
    expect(await envelope('MAIL FROM:<jürgen@bücher.example> SMTPUTF8', 'a@watched.test')).toMatch(/^250/)
    expect(await smtp.say('DATA')).toMatch(/^354/)
    expect(
      await smtp.say('Subject: grüße 你好\r\nFrom: Jürgen <jürgen@bücher.example>\r\n\r\nx\r\n.'),
    ).toMatch(/^250/)
    const { emails } = await (await call('/api/emails/a@watched.test')).json()
    expect(emails[0]).toMatchObject({ subject: 'grüße 你好', from: { name: 'Jürgen' } })
    expect(await envelope('MAIL FROM:<a@b.example> SMTPUTF8', 'jürgen@watched.test')).toMatch(/^250/)
    expect(await envelope('MAIL FROM:<a@b.example>', 'jürgen@watched.test')).toMatch(/^553 5\.6\.7/)
    expect(await envelope('MAIL FROM:<a@b.example>', 'a@wätched.test')).toMatch(/^550 5\.1\.2/)
    // Full-width letters have the same A-label form.
    expect(await envelope('MAIL FROM:<a@b.example>', 'a@ｗatched.test')).toMatch(/^250/)
    for (const bad of [
      'a\u0000b@watched.test',
      'a@watched.test\u2028',
      'a@watched.test.',
      '\u202ea@watched.test',
    ]) {
      // One connection may send ten commands without a mail.
      const other = await SmtpClient.open(service.smtp)
      expect(await envelope('MAIL FROM:<a@b.example>', bad, other)).toMatch(/^5/)
      other.close()
    }
    smtp.close()
  })

  inTheLongRun(
    '38 MB of HTML: memory and time are proportional, and no other mail waits for it',
    async () => {
      const before = memoryOf(service)
      const html = Buffer.from(
        `Subject: large\r\nContent-Type: text/html\r\n\r\n${'<div><p>w <b>x</b></p>\r\n'.repeat(1_580_000)}`,
      )
      const large = check(html)
      for (let i = 0; i < 20; i++) {
        const address = freshAddress()
        const smtp = await SmtpClient.open(service.smtp)
        expect(await smtp.send('s@example.org', [address], 'Subject: small\r\n\r\nx')).toMatch(/^250/)
        smtp.close()
      }
      await large
      expect(memoryOf(service) - before).toBeLessThan(700 * MB)
    },
  )

  test('the log contains none of this, and reports no failure', () => {
    const log = service.output()
    expect(log).toContain('"type":"delivered"')
    for (const text of ['forged', 'smuggled', 'secret-of', 'X-Evil', `${PREFIX}-key`, 'alert(1)', ...keys]) {
      expect(log).not.toContain(text)
    }
    expect(log).not.toMatch(/"level":[456]0/)
    for (const line of log.split('\n').filter((line) => line.startsWith('{'))) JSON.parse(line)
  })
})
