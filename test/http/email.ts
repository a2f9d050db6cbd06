import { createHash } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { freshAddress } from '../support/mail.ts'
import { at, CRLF, expectProblem, type Json, plain, type Requests } from './requests.ts'

/** A single email, its raw message and attachments, and its deletion. */
export function emailContract(requests: Requests): void {
  test('mail in old character sets is decoded', async () => {
    const get = await requests.caller()
    const samples: [string, string, string][] = [
      ['windows-1251', 'cff0e8e2e5f2', 'Привет'],
      ['gb18030', 'c4e3bac3', '你好'],
      ['iso-2022-jp', '1b244224332473244b2441244f1b2842', 'こんにちは'],
    ]
    for (const [charset, bytes, text] of samples) {
      const address = freshAddress(requests.host.domain)
      const head = [
        'From: a@example.org',
        'Subject: x',
        `Content-Type: text/plain; charset=${charset}`,
        '',
        '',
      ]
      const raw = Buffer.concat([Buffer.from(head.join(CRLF)), Buffer.from(bytes, 'hex')])
      const { id } = await requests.deliver(address, raw)
      expect((await get(at(address, `/${id}`))).body.email.body_text.trim()).toBe(text)
    }
  })

  test('10 and HEAD of 11 do not mark an email as read; 11 does, and returns the complete email', async () => {
    const address = freshAddress(requests.host.domain)
    const raw = [
      'From: "Doe, Jane" <jane@example.org>',
      'To: A <a@example.net>, b@example.net',
      'Cc: =?utf-8?q?J=C3=BCrgen?= <j@example.net>',
      'Subject: =?utf-8?b?SGVsbG8g4pyT?=',
      'X-Twice: one',
      'X-Twice: two',
      'Message-ID: <m1@example.org>',
      'Date: Sat, 21 Nov 2026 10:00:00 +0100',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b1',
      '',
      '--b1',
      'Content-Type: multipart/alternative; boundary=b2',
      '',
      '--b2',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Gr=C3=BC=C3=9Fe',
      '--b2',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>Grüße</p>',
      '--b2--',
      '--b1',
      'Content-Type: application/pdf; name="../../etc/r.pdf"',
      'Content-Disposition: attachment; filename="../../etc/r.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      'JVBERi0=',
      '--b1',
      'Content-Type: image/png; name=i.png',
      'Content-Disposition: inline; filename=i.png',
      'Content-ID: <pic@1>',
      'Content-Transfer-Encoding: base64',
      '',
      'iVBORw0K',
      '--b1--',
      '',
    ].join(CRLF)
    const { id } = await requests.deliver(address, raw)
    const asBot = await requests.caller()
    const head = await asBot(at(address, `/${id}`), { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/json'])
    const missing = await asBot(at(address, '/01M84WWW9H36WCNK6VY98FDKBA'), { method: 'HEAD' })
    expect(missing.status).toBe(404)
    expect((await asBot(at(address, '/latest'))).body.email).toMatchObject({ id, read: false })
    const { status, headers, body } = await asBot(at(address, `/${id}`))
    expect(headers.get('content-type')).toBe('application/json')
    expect(status).toBe(200)
    expect(body.success).toBe(true)
    const path = at(address, `/${id}`)
    expect(body.email).toMatchObject({
      id,
      address,
      read: true,
      subject: 'Hello ✓',
      from: { name: 'Doe, Jane', address: 'jane@example.org' },
      to: [
        { name: 'A', address: 'a@example.net' },
        { name: null, address: 'b@example.net' },
      ],
      cc: [{ name: 'Jürgen', address: 'j@example.net' }],
      body_text: expect.stringContaining('Grüße'),
      body_html: expect.stringContaining('<p>Grüße</p>'),
      message_id: '<m1@example.org>',
      date: '2026-11-21T09:00:00.000Z',
      verdicts: { spam: null, virus: null, spf: null, dkim: null, dmarc: null },
      mail_from: 'sender@example.org',
      raw_url: `${path}/raw`,
      attachment_count: 2,
      attachments: [
        {
          id: '0',
          filename: 'r.pdf',
          content_type: 'application/pdf',
          size: 5,
          inline: false,
          content_id: null,
          sha256: createHash('sha256').update('%PDF-').digest('hex'),
          url: `${path}/attachments/0`,
        },
        expect.objectContaining({ id: '1', filename: 'i.png', inline: true, content_id: 'pic@1', size: 6 }),
      ],
    })
    const names = body.email.headers.map((header: Json) => `${header.name}: ${header.value}`)
    expect(names.filter((line: string) => line.startsWith('X-Twice'))).toEqual([
      'X-Twice: one',
      'X-Twice: two',
    ])
    expect((await asBot(at(address, '/latest'))).body.email).toMatchObject({ id, read: true })
    expect((await requests.inbox(address))[0]).toMatchObject({ id, read: true })

    // Endpoints c and d.
    const fetched = await fetch(requests.host.url + body.email.raw_url, {
      headers: { 'X-API-Key': await requests.newKey() },
    })
    expect(fetched.status).toBe(200)
    expect(fetched.headers.get('content-type')).toBe('message/rfc822')
    expect(Buffer.from(await fetched.arrayBuffer()).toString()).toContain('X-Twice: one\r\nX-Twice: two')
    const pdf = await fetch(requests.host.url + body.email.attachments[0].url, {
      headers: { 'X-API-Key': await requests.newKey() },
    })
    expect(await pdf.text()).toBe('%PDF-')
    expect(pdf.headers.get('content-disposition')).toMatch(/^attachment; filename="r\.pdf"/)
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expectProblem(await asBot(`${path}/attachments/2`), 404, 'attachment_not_found')
    expectProblem(await asBot(`${path}/attachments/x`), 404, 'attachment_not_found')
  })

  test('the raw message has exactly the bytes that were sent', async () => {
    const address = freshAddress(requests.host.domain)
    const raw = Buffer.concat([
      Buffer.from(plain('Bytes', '.leading dot\r\n..two\r\nlast')),
      Buffer.from([0xff, 0xfe, 0x80, 0x0d, 0x0a]),
    ])
    const { id } = await requests.deliver(address, raw)
    const answer = await fetch(requests.host.url + at(address, `/${id}/raw`), {
      headers: { 'X-API-Key': await requests.newKey() },
    })
    expect(Buffer.from(await answer.arrayBuffer()).equals(raw)).toBe(true)
    expect(answer.headers.get('Content-Disposition')).toContain(`attachment; filename="${id}.eml"`)
  })

  test('a text beyond 16 KiB is cut in lists at a character boundary, and complete in the single email', async () => {
    const address = freshAddress(requests.host.domain)
    const text = 'ä😀'.repeat(5000)
    const email = await requests.deliver(address, plain('Long', text))
    expect(email.body_text_truncated).toBe(true)
    expect(Buffer.byteLength(email.body_text)).toBeLessThanOrEqual(16 * 1024)
    expect(Buffer.byteLength(email.body_text)).toBeGreaterThan(16 * 1024 - 8)
    expect(text.startsWith(email.body_text)).toBe(true)
    expect(email.body_text.isWellFormed()).toBe(true)
    const whole = (await (await requests.caller())(at(address, `/${email.id}`))).body.email
    expect(whole.body_text.trim()).toBe(text)
    expect(whole.body_text_truncated).toBe(false)
  })

  test('the text of an email without a text part is generated from its HTML', async () => {
    const address = freshAddress(requests.host.domain)
    const raw = plain('H', '').replace('text/plain', 'text/html').trimEnd()
    const email = await requests.deliver(
      address,
      `${raw}${CRLF}${CRLF}<p>Your code is <b>771204</b></p>${CRLF}`,
    )
    expect(email.body_text).toContain('Your code is 771204')
    expect(email.codes).toEqual(['771204'])
  })

  test('mail that cannot be parsed is stored', async () => {
    const address = freshAddress(requests.host.domain)
    const email = await requests.deliver(address, Buffer.from('\u0000\u0001 not a mail at all\r\n\r\n\u0000'))
    expect(email).toMatchObject({ address, subject: '' })
    expect((await (await requests.caller())(at(address, `/${email.id}`))).status).toBe(200)
  })

  test('12 and b: an email and a whole inbox can be deleted', async () => {
    const address = freshAddress(requests.host.domain)
    const first = await requests.deliver(address, plain('1', 'x'))
    await requests.deliver(address, plain('2', 'x'))
    await requests.deliver(address, plain('3', 'x'))
    const asBot = await requests.caller()
    const path = at(address, `/${first.id}`)
    expect((await asBot(path, { method: 'DELETE' })).body).toEqual({ success: true, id: first.id })
    expectProblem(await asBot(path, { method: 'DELETE' }), 404, 'email_not_found')
    expectProblem(await asBot(path), 404, 'email_not_found')
    expectProblem(await asBot(`${path}/raw`), 404, 'email_not_found')
    expect(await requests.inbox(address)).toHaveLength(2)
    expect((await asBot(at(address), { method: 'DELETE' })).body).toEqual({ success: true, deleted: 2 })
    expect((await asBot(at(address), { method: 'DELETE' })).body).toEqual({ success: true, deleted: 0 })
    expect(await requests.inbox(address)).toEqual([])
    expectProblem(await asBot(at(address, '/not-an-id')), 404, 'email_not_found')
  })
}
