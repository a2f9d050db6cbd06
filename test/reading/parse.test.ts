import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import type { ParsedMail } from '../../reading/read.ts'
import { readLines, readMail, readWithAttachments } from './read-mail.ts'

const FOLDER = new URL('../fixtures/mime/', import.meta.url)

async function fixture(name: string): Promise<{ mail: ParsedMail; attachments: Map<string, Buffer> }> {
  return readWithAttachments(readFileSync(new URL(`${name}.eml`, FOLDER)))
}

describe('charsets and encodings', () => {
  test.each([
    ['iso-2022-jp', '株式会社テスト', '確認コード', 'あなたの認証コードは 482913 です。\n'],
    ['shift-jis', null, '確認コード', 'あなたの認証コードは 482913 です。'],
    ['gb18030', '测试服务', '您的验证码', '您的验证码是 482913，十分钟内有效。\n'],
    ['big5', null, '驗證碼', '您的驗證碼是 482913。\n'],
    ['euc-kr', null, '인증번호', '인증번호는 482913 입니다.\n'],
    ['koi8-r', 'Сервис', 'Код подтверждения', 'Ваш код: 482913\n'],
    ['windows-1252', 'Café €', 'Votre code – déjà', 'Votre code – déjà envoyé €\n'],
    ['utf-16', null, 'UTF-16', 'Code 482913 für dich 😀\n'],
    ['undeclared-8bit', null, '8 bit', 'Grüße aus Köln\n'],
    ['unknown-charset', null, 'Hi', 'Grüße\n'],
    ['utf8-headers', 'Jörg Müller', 'Grüße – 482913', 'Hallo\n'],
    ['bare-lf', null, 'Bare', 'line one\nline two\n'],
    ['unclosed', null, 'Cut off', 'Grüße 482913'],
  ])('%s', async (name, sender, subject, text) => {
    const { mail } = await fixture(name)
    expect(mail.from.name).toBe(sender)
    expect(mail.subject).toBe(subject)
    expect(mail.text).toBe(text)
    expect(mail).not.toHaveProperty('parseError')
  })

  test('a multi-byte character in two chunks', async () => {
    for (const charset of ['utf-8', undefined]) {
      const type = charset === undefined ? '' : `Content-Type: text/plain; charset=${charset}\r\n`
      const raw = Buffer.from(`${type}\r\n${'x'.repeat(70_000)}\u{1f600}é${'y'.repeat(70_000)}é`)
      const at = raw.indexOf(0xf0) + 2
      async function* halves(): AsyncIterable<Uint8Array> {
        yield raw.subarray(0, at)
        yield raw.subarray(at)
      }
      const mail = await readMail(halves(), async () => {})
      expect(mail.text).toContain('x\u{1f600}éy')
      expect(mail.text.endsWith('é')).toBe(true)
    }
  })

  test('format=flowed is joined into paragraphs', async () => {
    const { mail } = await fixture('format-flowed')
    expect(mail.text).toContain('This is one paragraph that was broken in the middle.\n')
    expect(mail.text).toContain('\n-- \nAnn')
  })
})

describe('parts', () => {
  test('nested parts: the text, the unchanged HTML, and attachments with all their fields', async () => {
    const { mail, attachments } = await fixture('nested')
    expect(mail.from).toEqual({ name: 'Shop, The', address: 'shop@example.com' })
    expect(mail.text).toBe('Thank you ✓ https://shop.example.com/verify?t=abc')
    expect(mail.html).toContain('<img src="cid:logo@shop">')
    expect(mail.attachments.map(({ sha256: _, ...rest }) => rest)).toEqual([
      {
        id: '0',
        filename: 'logo.png',
        contentType: 'image/png',
        size: 70,
        inline: true,
        contentId: 'logo@shop',
      },
      {
        id: '1',
        filename: 'Rechnung März.pdf',
        contentType: 'application/pdf',
        size: 19,
        inline: false,
        contentId: null,
      },
      { id: '2', filename: 'passwd', contentType: 'text/plain', size: 4, inline: false, contentId: null },
    ])
    expect(attachments.get('1')!.toString()).toBe('%PDF-1.4 not really')
    for (const { id, size, sha256 } of mail.attachments) {
      expect(attachments.get(id)!.length).toBe(size)
      expect(createHash('sha256').update(attachments.get(id)!).digest('hex')).toBe(sha256)
    }
  })

  test('text is generated from HTML only if there is no text', async () => {
    const { mail } = await fixture('html-only')
    expect(mail.text).toBe('Welcome\n\nYour code is 482913.\n\nConfirm [https://example.com/c?a=1&b=2]')
    expect(mail.html).toContain('<script>')
    const blank = await readLines(
      'Content-Type: multipart/alternative; boundary=b',
      '',
      '--b',
      '',
      ' ',
      '--b',
      'Content-Type: text/html',
      '',
      '<p>Hello</p>',
      '--b--',
    )
    expect(blank.text).toBe('Hello')
  })

  test.each([
    ['calendar', 'You are invited.', ['text/calendar']],
    ['bounce', "I'm sorry to have to inform", ['message/delivery-status', 'message/rfc822']],
    ['smime', 'Signed text.', ['application/pkcs7-signature']],
    ['tnef', 'See the attachment.', ['application/ms-tnef']],
  ])('%s: parts that are not text are attachments', async (name, text, types) => {
    const { mail, attachments } = await fixture(name)
    expect(mail.text).toContain(text)
    expect(mail.html).toBeNull()
    expect(mail.attachments.map((attachment) => attachment.contentType)).toEqual(types)
    expect(attachments.size).toBe(types.length)
  })

  test('table cells are separated by a blank, rows are lines', async () => {
    const rows = '<tr><td>Your code:</td><td>839201</td></tr><tr><td>If not</td></tr>'
    const mail = await readLines('Content-Type: text/html', '', `<table>${rows}</table>`)
    expect(mail.text).toBe('Your code: 839201\nIf not')
  })

  test('an attached message is one attachment; its text is not text of the mail', async () => {
    const { mail, attachments } = await fixture('bounce')
    expect(mail.text).not.toContain('inner')
    expect(attachments.get('1')!.toString()).toContain('\r\n--inner--')
  })

  test.each([
    ['C:\\Users\\ann\\a.txt', 'a.txt'],
    ['/', null],
    ['..', null],
    ['', null],
    ['a\u0007b.txt', 'ab.txt'],
    ['invoice\u202excod.exe', 'invoicexcod.exe'],
    ['Ж'.repeat(400), 'Ж'.repeat(256)],
  ])('filename %j becomes %j', async (given, expected) => {
    const { attachments } = await readLines(
      `Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent(given)}`,
      '',
      'x',
    )
    expect(attachments[0]!.filename).toBe(expected)
  })

  test.each(['text', 'a b/c', 'a/b/c', `a/${'b'.repeat(200)}`])(
    'type %j is not a media type',
    async (type) => {
      const { attachments } = await readLines(
        `Content-Type: ${type}`,
        'Content-Disposition: attachment',
        '',
        'x',
      )
      expect(attachments[0]!.contentType).toBe('application/octet-stream')
    },
  )
})

describe('headers', () => {
  test('are listed in order, unfolded and decoded, with duplicates', async () => {
    const { mail } = await fixture('dkim')
    expect(mail.headers.map(({ name }) => name).slice(0, 5)).toEqual([
      'DKIM-Signature',
      'Authentication-Results',
      'Received',
      'Received',
      'From',
    ])
    expect(mail.headers[0]!.value).toContain('d=example.com; s=s2026; h=from:to:subject:date;')
    expect(mail.messageId).toBe('<f1@example.com>')
    expect(mail.date).toBe('2026-11-21T10:00:00.000Z')
  })

  test('groups are flattened, and the first subject counts', async () => {
    const { mail } = await fixture('groups')
    expect(mail.from).toEqual({ name: 'Ann "A" B.', address: 'ann@example.com' })
    expect(mail.to).toEqual([
      { name: null, address: 'bob@example.com' },
      { name: 'Carol C.', address: 'carol@example.com' },
      { name: null, address: 'dave@example.com' },
    ])
    expect(mail.cc).toEqual([])
    expect(mail.subject).toBe('Hello World')
    expect(mail.headers.filter(({ name }) => name === 'Subject')).toHaveLength(2)
  })

  test('names, addresses and the subject are cut between characters to the limits of a summary', async () => {
    const mail = await readLines(
      `From: ${'é'.repeat(600)} <a@example.com>`,
      `To: ${'a@example.com, '.repeat(5000)}`,
      `Subject: ${'\u{1f600}'.repeat(5000)}x`,
      '',
      '',
    )
    expect(mail.from).toEqual({ name: 'é'.repeat(256), address: 'a@example.com' })
    expect(mail.to).toHaveLength(100)
    expect(mail.subject).toBe('\u{1f600}'.repeat(1024))
    expect(mail.headers[2]!.value).toHaveLength(10_001)
  })

  test.each([
    ['Sat, 21 Nov 2026 11:00:00 +0100 (CET)', '2026-11-21T10:00:00.000Z'],
    ['yesterday', null],
    ['Sat, 21 Nov 12026 11:00:00 +0100', null],
    ['', null],
  ])('date %j', async (value, expected) => {
    expect((await readLines(`Date: ${value}`, '', '')).date).toBe(expected)
  })

  test('NUL and lone surrogates are removed', async () => {
    const lone = Buffer.from([0, 0xd8]).toString('base64')
    const mail = await readLines(
      `From: a\0b <a@example.com>`,
      `Subject: x\0y=?utf-16le?B?${lone}?=`,
      'X-A: \0',
      '',
      'te\0xt &#xD800;',
    )
    expect(JSON.stringify(mail)).not.toMatch(/\\u0000|\\ud8/)
    expect(mail.text).toBe('text &#xD800;')
  })
})

describe('malformed messages are read as far as possible', () => {
  test.each([
    ['empty', '', ''],
    ['headers-only', 'Only this', ''],
    ['no-headers', '', 'Hello, this has no header at all.\n'],
  ])('%s is not an error', async (name, subject, text) => {
    const { mail } = await fixture(name)
    expect(mail).toMatchObject({ subject, text, html: null, attachments: [] })
    expect(mail).not.toHaveProperty('parseError')
  })

  test('base64 with other characters', async () => {
    const { attachments } = await fixture('broken-base64')
    expect(attachments.get('0')!.toString()).toBe('HelloWorld')
  })

  test('a multipart whose header names no boundary', async () => {
    const { mail } = await fixture('no-boundary')
    expect(mail).toMatchObject({ subject: 'No boundary', text: 'lost' })
    expect(mail).not.toHaveProperty('parseError')
  })

  test('a header beyond the limit: the fields before it are read', async () => {
    const mail = await readLines(
      'From: a@example.com',
      'Subject: still here',
      `X: ${'x'.repeat(2_000_000)}`,
      '',
      'body',
    )
    expect(mail).toMatchObject({ from: { address: 'a@example.com' }, subject: 'still here', text: '' })
    expect(mail.parseError).toBeDefined()
  })

  test('too many parts: those before the limit are read, the last attachment completely', async () => {
    const parts = Array.from({ length: 1100 }, (_, i) => `--b\r\nContent-Type: a/b\r\n\r\n${i}\r\n`)
    const raw = Buffer.from(
      `Subject: s\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhi\r\n${parts.join('')}`,
    )
    const { mail, attachments } = await readWithAttachments(raw)
    expect(mail).toMatchObject({ subject: 's', text: 'hi' })
    expect(mail.parseError).toBeDefined()
    expect(mail.attachments.length).toBeGreaterThan(150)
    expect(attachments.size).toBe(mail.attachments.length)
  })
})

describe('streams', () => {
  const raw = Buffer.from(
    `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: a/b\r\n\r\n${'x'.repeat(500_000)}\r\n--b--\r\n`,
  )

  async function* chunked(): AsyncIterable<Uint8Array> {
    for (let at = 0; at < raw.length; at += 10_000) yield raw.subarray(at, at + 10_000)
  }

  test('an error while storing an attachment rejects the parse, and closes the source', async () => {
    const full = new Error('the store is full')
    async function save(_id: string, content: AsyncIterable<Uint8Array>): Promise<void> {
      for await (const _ of content) throw full
    }
    await expect(readMail(chunked(), save)).rejects.toBe(full)
    await expect(readMail(raw, () => Promise.reject(full))).rejects.toBe(full)
    let closed = false
    async function* source(): AsyncIterable<Uint8Array> {
      try {
        for (;;) yield* chunked()
      } finally {
        closed = true
      }
    }
    await expect(readMail(source(), save)).rejects.toBe(full)
    expect(closed).toBe(true)
  })

  test('an error of the source rejects the parse, and no attachment ends as if it were complete', async () => {
    const gone = new Error('the client is gone')
    async function* source(): AsyncIterable<Uint8Array> {
      yield raw.subarray(0, 300_000)
      await begun.promise
      throw gone
    }
    const begun = Promise.withResolvers<void>()
    let ended = false
    let failed: unknown
    async function save(_id: string, content: AsyncIterable<Uint8Array>): Promise<void> {
      try {
        for await (const _ of content) begun.resolve()
        ended = true
      } catch (error) {
        failed = error
        throw error
      }
    }
    await expect(readMail(source(), save)).rejects.toBe(gone)
    expect(ended).toBe(false)
    expect(failed).toBe(gone)
  })

  test('an attachment whose content is not read is still described', async () => {
    const mail = await readMail(chunked(), async () => {})
    expect(mail.attachments[0]).toMatchObject({ size: 500_000 })
  })

  test('a slow consumer slows the source down', async () => {
    let sent = 0
    let ahead = 0
    async function* source(): AsyncIterable<Uint8Array> {
      yield Buffer.from('Content-Type: a/b\r\n\r\n')
      for (let i = 0; i < 100; i++) {
        sent += 65_536
        yield Buffer.alloc(65_536, 'x\n')
      }
    }
    await readMail(source(), async (_id, content) => {
      let read = 0
      for await (const chunk of content) {
        await new Promise((resolve) => setImmediate(resolve))
        read += chunk.length
        ahead = Math.max(ahead, sent - read)
      }
    })
    expect(sent).toBe(6_553_600)
    expect(ahead).toBeLessThan(2_000_000)
  })

  test('a consumer that stops makes the source wait', async () => {
    let sent = 0
    async function* source(): AsyncIterable<Uint8Array> {
      yield Buffer.from('Content-Type: a/b\r\nContent-Transfer-Encoding: base64\r\n\r\n')
      for (let i = 0; i < 100; i++) {
        sent += 65_536
        yield Buffer.alloc(65_536, `${'A'.repeat(62)}\r\n`)
      }
    }
    const ahead: number[] = []
    await readMail(source(), async (_id, content) => {
      for await (const _ of content) {
        if (ahead.length > 0) continue
        for (let turns = 0; turns < 2000; turns++) await new Promise((resolve) => setImmediate(resolve))
        ahead.push(sent)
      }
    })
    expect(sent).toBe(6_553_600)
    expect(ahead[0]).toBeLessThan(2_000_000)
  })

  test('an attachment is stored before the next one begins', async () => {
    const two = '--b\r\nContent-Type: a/b\r\n\r\nfirst\r\n--b\r\nContent-Type: a/b\r\n\r\nsecond\r\n--b--\r\n'
    const begun: string[] = []
    await readMail(
      Buffer.from(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${two}`),
      async (id, content) => {
        begun.push(id)
        for (let turns = 0; turns < 100; turns++) await new Promise((resolve) => setImmediate(resolve))
        if (id === '0') expect(begun).toEqual(['0'])
        for await (const _ of content);
      },
    )
    expect(begun).toEqual(['0', '1'])
  })
})
