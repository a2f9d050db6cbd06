import { describe, expect, test } from '@jest/globals'
import { READING_LIMITS } from '../../core/limits.ts'
import { type ParsedMail, parseMail } from '../../reading/read.ts'
import { readLines, readMail, readWithAttachments } from './read-mail.ts'

const SIZE = 500_000
const fill = (text: string, size = SIZE): string => text.repeat(Math.ceil(size / text.length))

/**
 * The bytes that are stored for a message in addition to itself: attachments, and the rest as JSON.
 */
async function derivedBytes(raw: Buffer): Promise<{ bytes: number; mail: ParsedMail }> {
  const { mail, attachments } = await readWithAttachments(raw)
  const { headers, text, html } = mail
  let bytes = Buffer.byteLength(JSON.stringify({ headers, text, html, attachments: mail.attachments }))
  for (const content of attachments.values()) bytes += content.length
  return { bytes, mail }
}

describe('what is stored for a message is bounded by its size', () => {
  test.each<[string, string]>([
    [
      'short uuencode lines',
      `Content-Type: a/b\nContent-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n${fill('M\n')}`,
    ],
    ['uuencoded text', `Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n${fill('M!!!!\n')}`],
    ['one byte of Windows-1252 is three of UTF-8', `\n${fill('\x80')}`],
    ['one byte of TIS-620 is three of UTF-8', `Content-Type: text/plain; charset=tis-620\n\n${fill('\xa1')}`],
    ['control characters are six bytes of JSON', `\n${fill('\x01')}`],
    ['60 KB of control characters', `\n${fill('\x01', 60_000)}`],
    ['control characters at the end', `\n${fill('x')}${fill('\x01')}`],
    ['line feeds are two bytes of JSON', `\n${fill('\n')}`],
    ['quotes in HTML', `Content-Type: text/html\n\n${fill('"')}`],
    ['HTML and its text', `Content-Type: text/html\n\n${fill('<p>Thank you for shopping with us.</p>')}`],
    ['entities of HTML', `Content-Type: text/html\n\n${fill('&nGt;')}`],
    ['header fields', `${fill('X:y\n')}\nx`],
    ['a header of control characters', `X: ${fill('\x01')}\n\nx`],
    ['a header of Windows-1252', `X: ${fill('\x80')}\n\nx`],
    ['base64 with padding', `Content-Transfer-Encoding: base64\n\n${fill('QQ==')}`],
    ['attachments', `Content-Type: multipart/mixed; boundary=b\n\n${fill('--b\nContent-Type: a/b\n\nx\n')}`],
    ['UTF-7', `Content-Type: text/plain; charset=utf-7\n\n${fill('+4AA-')}`],
  ])('%s', async (_name, text) => {
    const raw = Buffer.from(text, 'latin1')
    const { bytes } = await derivedBytes(raw)
    const { derivedBytes: constant, derivedFactor } = READING_LIMITS
    // The keys and brackets of the JSON do not count.
    expect(bytes).toBeLessThanOrEqual(constant + derivedFactor * raw.length + 1000)
  })

  test('a text that is cut keeps its beginning, and parseError reports it', async () => {
    const { mail } = await derivedBytes(Buffer.from(`\nbegin${fill('\x80', 1_000_000)}`, 'latin1'))
    expect(mail.text.startsWith('begin€')).toBe(true)
    expect(mail.parseError).toMatch(/text is cut/)
  })

  test('HTML that is cut still has a text', async () => {
    const { mail } = await derivedBytes(
      Buffer.from(`Content-Type: text/html; charset=windows-1251\n\n${fill('\xe6')}`, 'latin1'),
    )
    expect(mail.text).toMatch(/^ж{1000}/)
    expect(mail.parseError).toMatch(/text is cut/)
  })

  test.each([60_000, 100_000, 120_000])(
    'HTML of %i characters without a text part has its whole text',
    async (size) => {
      const html = `${fill('<p>lorem ipsum dolor sit amet</p>', size)}<p>the end</p>`
      const { mail } = await derivedBytes(Buffer.from(`Content-Type: text/html\n\n${html}`))
      expect(mail.text.endsWith('\n\nthe end')).toBe(true)
      expect(mail).not.toHaveProperty('parseError')
    },
  )

  test('a text of HTML that is cut is reported', async () => {
    const { mail } = await derivedBytes(Buffer.from(`Content-Type: text/html\n\n${fill('lorem ipsum ')}`))
    expect(mail.text).toMatch(/^(?:lorem ipsum ?)+/)
    expect(mail.parseError).toMatch(/text that is made of the HTML is cut/)
  })

  test('the text of very long HTML is that of its beginning, which is reported', async () => {
    const html = `<p>the beginning</p>${fill('<i></i>', READING_LIMITS.htmlToTextCharacters)}<p>the end</p>`
    const { mail } = await derivedBytes(Buffer.from(`Content-Type: text/html\n\n${html}`))
    expect([mail.text, mail.html?.endsWith('<p>the end</p>')]).toEqual(['the beginning', true])
    expect(mail.parseError).toMatch(/text is made of the beginning/)
  })

  test('an ordinary large mail is kept completely', async () => {
    const lines = fill('Grüße aus "Köln", und vielen Dank.\n')
    const html = fill('<p class="a">Grüße aus K&ouml;ln</p>\n')
    const { mail } = await derivedBytes(
      Buffer.from(
        `Subject: s\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain; charset=utf-8\n\n${lines}\n--b\nContent-Type: text/html; charset=utf-8\n\n${html}\n--b--\n`,
      ),
    )
    expect(mail).toMatchObject({ text: lines, html })
    expect(mail).not.toHaveProperty('parseError')
  })
})

describe('no transfer encoding yields more bytes than it is given', () => {
  test.each<[string, string]>([
    ['x-uuencode', 'M\n'],
    ['x-uuencode', `M${'A'.repeat(60)}\n`],
    ['base64', 'QUJD'],
    ['base64', 'QQ='],
    ['quoted-printable', '=41'],
    ['quoted-printable', ' \n'],
  ])('%s of %j', async (encoding, text) => {
    const body = `begin 644 a\n${fill(text, 100_000)}`
    const mail = await readLines('Content-Type: a/b', `Content-Transfer-Encoding: ${encoding}`, '', body)
    expect(mail.attachments[0]?.size).toBeLessThanOrEqual(body.length)
  })

  test('uuencoded zeros that a program cut from line ends are restored', async () => {
    const line = `M${'A'.repeat(56)}`
    const { attachments } = await readWithAttachments(
      Buffer.from(
        `Content-Type: a/b\nContent-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n${line}\n${line}\nend\n`,
      ),
    )
    const content = attachments.get('0')
    expect(content).toHaveLength(90)
    expect(content?.subarray(42, 45)).toEqual(Buffer.alloc(3))
  })
})

describe('structure', () => {
  const nested = (depth: number) =>
    Array.from(
      { length: depth },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}x\r\n\r\n--b${n}x\r\n`,
    ).join('')

  test('20 multiparts inside one another are read', async () => {
    const mail = await readMail(Buffer.from(`${nested(20)}\r\ndeep\r\n--b19x--\r\n--b0x\r\n\r\nlast`))
    expect(mail.text).toBe('deep\nlast')
    expect(mail).not.toHaveProperty('parseError')
  })

  test('a deeper multipart is an attachment; the parts behind it are read', async () => {
    const mail = await readMail(Buffer.from(`${nested(21)}\r\ndeep\r\n--b20x--\r\n--b0x\r\n\r\nlast`))
    expect(mail.text).toBe('last')
    expect(mail.attachments).toMatchObject([{ contentType: 'multipart/mixed' }])
    expect(mail.parseError).toMatch(/nested more than 20 deep/)
  })

  test('fields beyond the limit are omitted; the fields before it and the body are read', async () => {
    const mail = await readLines('Subject: s', ...Array.from({ length: 1100 }, () => 'X: y'), '', 'body')
    expect(mail).toMatchObject({ subject: 's', text: 'body' })
    expect(mail.headers).toHaveLength(1000)
    expect(mail.parseError).toMatch(/more than 1000 fields/)
    const oneMore = await readLines(...Array.from({ length: 1001 }, () => 'X: y'), '', 'body')
    expect(oneMore.headers).toHaveLength(1000)
    expect(oneMore.parseError).toMatch(/more than 1000 fields/)
    const most = await readLines(...Array.from({ length: 1000 }, () => 'X: y'), '', 'body')
    expect(most.headers).toHaveLength(1000)
    expect(most).not.toHaveProperty('parseError')
  })

  test('a boundary may be a prefix of another one', async () => {
    const mail = await readLines(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: multipart/mixed; boundary=b--b',
      '',
      '--b--b',
      '',
      'inner',
      '--b--b--',
      '--b',
      '',
      'outer',
      '--b--',
    )
    expect(mail.text).toBe('inner\nouter')
  })

  test('a line that may close one multipart or open another closes the one that is not closed yet', async () => {
    const mail = await readLines(
      'Content-Type: multipart/mixed; boundary=a--',
      '',
      '--a--',
      'Content-Type: multipart/mixed; boundary=a----',
      '',
      '--a----',
      '',
      'inner',
      '--a------',
      'behind the inner parts',
      '--a----',
      'behind all parts',
    )
    expect(mail.text).toBe('inner')
  })

  test('a boundary of bytes above ASCII', async () => {
    const mail = await readLines(
      'Content-Type: multipart/mixed; boundary="grüße"',
      '',
      '--grüße',
      '',
      'x',
      '--grüße--',
    )
    expect(mail).toMatchObject({ text: 'x' })
    expect(mail).not.toHaveProperty('parseError')
  })
})

test('the caller sets the limits', async () => {
  const limits = { ...READING_LIMITS, subjectBytes: 3, addresses: 1, links: 1, nameBytes: 4 }
  const raw = Buffer.from('Subject: Tide\nTo: abcdef <a@b.c>, d@e.f\n\nhttps://a.example/ https://b.example/')
  expect(await parseMail(raw, async () => {}, limits)).toMatchObject({
    subject: 'Tid',
    to: [{ name: 'abcd' }],
    links: ['https://a.example/'],
  })
})

test('encoded words beyond the limit are not decoded', async () => {
  const word = '=?utf-8?Q?=C3=A9?='
  const { headers } = await readLines(`X: ${`${word} x `.repeat(2500)}`, `Y: ${word}`, '', 'body')
  expect(headers[0]?.value.match(/é/g)).toHaveLength(READING_LIMITS.encodedWords)
  expect(headers[1]?.value).toBe(word)
})
