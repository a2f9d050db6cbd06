import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { readMail } from './read-mail.ts'

/** Reads a message of text and bytes. */
function ofBytes(...parts: (string | readonly number[])[]): ReturnType<typeof readMail> {
  return readMail(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part)))),
  )
}

function latin1(text: string): ReturnType<typeof readMail> {
  return readMail(Buffer.from(text, 'latin1'))
}

describe('raw bytes in headers', () => {
  test.each([
    ['From: Роман <r@x.test>', { from: { name: 'Роман', address: 'r@x.test' } }],
    ['Subject: Novità', { subject: 'Novità' }],
    ['Subject: à', { subject: 'à' }],
    ['From: <voilà@x.test>', { from: { name: null, address: 'voilà@x.test' } }],
    ['From: à la carte <a@x.test>', { from: { name: 'à la carte', address: 'a@x.test' } }],
  ])('%s: the byte A0 is not white space', async (header, expected) => {
    expect(await ofBytes(`${header}\r\n\r\nx`)).toMatchObject(expected)
  })

  test.each(['filename=città.pdf', 'filename="città.pdf"'])('%s', async (parameter) => {
    const mail = await ofBytes(`Content-Disposition: attachment; ${parameter}\r\n\r\nx`)
    expect(mail.attachments[0]?.filename).toBe('città.pdf')
  })

  test('read like the same text in encoded words', async () => {
    const word = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .map((text) => text.replaceAll(/[\p{Cc}\s"(),:;<>@[\]\\=?]/gu, ''))
      .filter((text) => text.isWellFormed() && text.trim() === text && text !== '')
    const words = fc.array(word, { minLength: 1, maxLength: 5 }).map((all) => all.join(' '))
    const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
    const message = (text: string) =>
      ofBytes(`Subject: ${text}\r\nFrom: ${text} <a@x.test>\r\nTo: ${text} <b@x.test>\r\n\r\nx`)
    await fc.assert(
      fc.asyncProperty(words, async (text) => {
        const { subject, from, to } = await message(text)
        const expected = await message(encoded(text))
        expect({ subject, from, to }).toEqual({
          subject: expected.subject,
          from: expected.from,
          to: expected.to,
        })
        expect(subject).toBe(text)
      }),
      { seed: 20_261_123, numRuns: 500 },
    )
  })

  test('one wrong byte spoils one word and not the header', async () => {
    expect((await ofBytes('Subject: Ваш код ', [0xff], ' готов\r\n\r\nx')).subject).toBe('Ваш код ÿ готов')
    const cyrillic = 'Content-Type: text/plain; charset=koi8-r\r\n'
    expect((await ofBytes(`${cyrillic}Subject: Ваш код `, [0xff], ' готов\r\n\r\nx')).subject).toBe(
      'Ваш код ÿ готов',
    )
    // Bytes that are valid UTF-8 stay what they are, even if they are the replacement character.
    expect((await ofBytes('Subject: Ваш \ufffd код ', [0xff], ' готов\r\n\r\nx')).subject).toBe(
      'Ваш \ufffd код ÿ готов',
    )
  })

  test.each([
    ['koi8-r', [0xeb, 0xcf, 0xc4], 'Код'],
    ['euc-kr', [0xc0, 0xce, 0xc1, 0xf5], '인증'],
    ['big5', [0xc5, 0xe7, 0xc3, 0xd2], '驗證'],
    ['us-ascii', [0x80, 0x20, 0x35], '€ 5'],
    ['utf-8', [0x4b, 0xf6, 0x6c, 0x6e], 'Köln'],
  ])('bytes that are not UTF-8 are in the charset of the text: %s', async (charset, bytes, expected) => {
    const type = `Content-Type: text/plain; charset=${charset}\r\n`
    expect((await ofBytes('Subject: ', bytes, `\r\n${type}\r\nx`)).subject).toBe(expected)
    const mixed = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${type}\r\nx\r\n--b--\r\n`
    expect((await ofBytes('From: ', bytes, ` <a@x.test>\r\n${mixed}`)).from.name).toBe(expected)
  })
})

describe('before the header', () => {
  const header = 'From: Ann <ann@x.test>\r\nSubject: Tide\r\nContent-Type: text/html\r\n\r\n<p>High</p>'

  test.each([
    ['a byte order mark', '\ufeff'],
    ['a blank line', '\r\n'],
    ['a line of blanks', '   \t\r\n'],
    ['several of them', '\ufeff\r\n  \r\n\n'],
  ])('%s is ignored', async (_name, before) => {
    expect(await ofBytes(before + header)).toMatchObject({
      from: { address: 'ann@x.test' },
      subject: 'Tide',
      text: 'High',
    })
  })

  test.each(['\r\nNot a header: but text', '\r\n\r\nHello'])('%j is text', async (raw) => {
    expect((await ofBytes(raw)).text).toBe(raw.replaceAll('\r\n', '\n').slice(1))
  })
})

describe('charsets', () => {
  test.each(['iso-2022-jp', 'iso-2022-kr', 'hz-gb-2312'])(
    '8-bit text with the label %s is decoded by its bytes',
    async (charset) => {
      const text = '認証コードは 381940 です\nsecond line\n'
      const mail = await ofBytes(`Content-Type: text/plain; charset=${charset}\r\n\r\nASCII first\n${text}`)
      expect(mail).toMatchObject({ text: `ASCII first\n${text}`, codes: ['381940'] })
    },
  )

  test.each([
    ['iso-2022-kr', '\x1b$)C\r\n\x0e@NAu\x0f 482913\r\n\x0e9xH#\r\nnext', '\n인증 482913\n번호\nnext'],
    ['hz-gb-2312', '~{QiV$~} ~~ 482913~\n end\n~{Bk\nnext', '验证 ~ 482913 end\n码\nnext'],
    ['big5-hkscs', '\xfb\x48', '嘅'],
    ['big5', '\xfb\x48', '嘅'],
    ['cp437', '\x81\x9b', 'ü¢'],
    ['IBM850', '\x81\x9b', 'üø'],
    ['cp-1252', '\x80', '€'],
    ['a-name-that-is-far-too-long-for-any-charset'.repeat(5), 'Gr\xfc\xdfe', 'Grüße'],
  ])('%s', async (charset, body, expected) => {
    expect((await latin1(`Content-Type: text/plain; charset=${charset}\r\n\r\n${body}`)).text).toBe(expected)
  })

  test.each([
    ['iso-2022-kr', '=?iso-2022-kr?B?GyQpQw5ATkF1Dw==?=', '인증'],
    ['big5-hkscs', '=?big5-hkscs?Q?=FB=48?=', '嘅'],
    ['cp437, twice', '=?cp437?Q?=81?= x =?cp437?Q?=9B?=', 'ü x ¢'],
    ['utf-16, little-endian and then big-endian', '=?utf-16?B?QQA=?= x =?utf-16?B?/v8AQg==?=', 'A x B'],
    ['iso-2022-jp, 7-bit and then 8-bit', '=?iso-2022-jp?B?GyRCJUYbKEI=?= x =?iso-2022-jp?Q?=FC?=', 'テ x ü'],
    ['iso-2022-jp, 8-bit and then 7-bit', '=?iso-2022-jp?Q?=FC?= x =?iso-2022-jp?B?GyRCJUYbKEI=?=', 'ü x テ'],
  ])('encoded words in %s', async (_charset, words, expected) => {
    expect((await latin1(`Subject: ${words}\r\n\r\nx`)).subject).toBe(expected)
  })

  // No other test may have these names, which are kept: names of KOI8-R, and those that are unknown.
  test.each([
    [0, 'koi', 'Код'],
    [7, 'koi8', 'Код'],
    [8, 'koi8_r', 'ëÏÄ'],
  ])('after %d charsets that do not exist, words in %s are %s', async (count, charset, expected) => {
    const names = Array.from({ length: count }, (_, n) => `=?no-${count}-${n}?Q?a?=`)
    const subject = `${names.join(' ')} x =?${charset}?Q?=EB=CF=C4?=`
    expect((await latin1(`Subject: ${subject}\r\n\r\nx`)).subject.split(' ').at(-1)).toBe(expected)
  })

  test('8-bit bytes behind ASCII in another chunk', async () => {
    async function* chunks(): AsyncIterable<Uint8Array> {
      yield Buffer.from('Content-Type: text/plain; charset=iso-2022-jp\r\n\r\nfirst ')
      yield Buffer.from('認証\r\n')
    }
    expect((await readMail(chunks())).text).toBe('first 認証\n')
  })
})
