import { describe, expect, test } from '@jest/globals'
import { decodeText, decodingOf } from '../../../reading/mime/charset.ts'
import { decoded } from './in-chunks.ts'

/** Decodes text of one character per byte, in chunks of several sizes, and in one step. */
function read(charset: string | undefined, bytes: string): string {
  const buffer = Buffer.from(bytes, 'latin1')
  const budget = () => ({ unknownCharsetsLeft: 20 })
  const text = decoded(() => decodingOf(charset, budget()), buffer)
  for (let round = 0; round < 2; round++) expect(decodeText(buffer, charset ?? '', budget())).toBe(text)
  return text
}

/** The bytes of a text in UTF-8, one character per byte. */
const utf8 = (text: string): string => Buffer.from(text).toString('latin1')

describe('each charset', () => {
  test.each([
    ['utf-8', utf8('Grüße 你好 😀'), 'Grüße 你好 😀'],
    ['utf-8', 'a\xffb', 'a\ufffdb'],
    ['utf-8', 'a\xc3', 'a\ufffd'],
    ['iso-8859-1', '\xe9', 'é'],
    ['iso-8859-2', '\xb9', 'š'],
    ['windows-1252', '\x80', '€'],
    ['koi8-r', '\xeb\xcf\xc4', 'Код'],
    ['gbk', '\xc4\xfa', '您'],
    ['gb18030', '\x81\x30\x84\x36', '¥'],
    ['shift_jis', '\x83\x65', 'テ'],
    ['euc-jp', '\xa5\xc6', 'テ'],
    ['euc-kr', '\xc0\xce', '인'],
    // Those that only iconv-lite has.
    ['big5', '\xfb\x48', '嘅'],
    ['big5-hkscs', '\xfb\x48', '嘅'],
    ['big5hkscs', '\xfb\x48', '嘅'],
    ['cp437', '\x81', 'ü'],
    ['cp850', '\x9b', 'ø'],
    ['cp1125', '\x80', 'А'],
    ['macroman', '\x8e', 'é'],
    ['macintosh', '\x8e', 'é'],
    ['x-mac-cyrillic', '\x80\xa2', 'АҐ'],
    ['mac-cyrillic', '\x80\xa2', 'АҐ'],
    ['maccyrillic', '\x80\xa2', 'АҐ'],
    ['x-mac-ukrainian', '\x80\xa2', 'АҐ'],
    ['mac-ukrainian', '\x80\xa2', 'АҐ'],
    ['x-mac-roman', '\x8e', 'é'],
    ['x-mac-greek', '\xe1', 'α'],
    ['x-mac-ce', '\xe4', 'š'],
    ['x-mac-centraleurroman', '\xe4', 'š'],
    ['utf-32', '\0\0\x04\x1a\0\x01\xf6\0', 'К😀'],
    ['utf32', '\xff\xfe\0\0\x1a\x04\0\0', 'К'],
    ['ucs-4', '\0\0\xfe\xff\0\0\x04\x1a', 'К'],
    ['utf-32le', '\x1a\x04\0\0\0\xf6\x01\0', 'К😀'],
    ['utf-32be', '\0\0\x04\x1a', 'К'],
    ['maccroatian', '\xa9', 'Š'],
    ['viscii', '\xe2', 'â'],
    ['tcvn', '\xa9', 'â'],
    ['armscii8', '\xb2', 'Ա'],
    ['armscii-8', '\xb2', 'Ա'],
    ['georgianacademy', '\xc0', 'ა'],
    ['hp-roman8', '\xc0', 'â'],
    ['hproman8', '\xc0', 'â'],
    // A character that is cut at the end of the text.
    ['utf-16', '\0a\0b\0', 'ab\ufffd'],
    ['utf-16', 'a\0b\0c', 'ab\ufffd'],
    ['utf-16', 'a', '\ufffd'],
    ['utf-16', 'a\0\x3d\xd8', 'a\ufffd'],
    ['gbk', 'a\xc4', 'a\ufffd'],
    ['shift_jis', 'a\x83', 'a\ufffd'],
    ['big5', 'a\xfb', 'a\ufffd'],
    // A name like theirs that does not exist.
    ['cp999', utf8('é'), 'é'],
  ])('%s: %j', (charset, bytes, expected) => {
    expect(read(charset, bytes)).toBe(expected)
  })
})

describe('without a known charset each line is UTF-8 or Windows-1252', () => {
  test.each([
    ['UTF-8', utf8('Grüße\nKöln 😀'), 'Grüße\nKöln 😀'],
    ['Windows-1252', 'Gr\xfc\xdfe\nK\xf6ln \x80', 'Grüße\nKöln €'],
    ['lines of both', `${utf8('é')}\n\xe9\n${utf8('é')}\na\n\xe9`, 'é\né\né\na\né'],
    ['the other way around', `\xe9\n${utf8('é')}\n\xe9\n`, 'é\né\né\n'],
    ['both in one line', `${utf8('é')}\xe9\nx`, 'Ã©é\nx'],
    ['a character that is cut behind three others', `${utf8('где')}\xd0\n\xe9`, 'где\ufffd\né'],
    ['a character that is cut behind two others', `${utf8('гд')}\xd0\n\xe9`, 'Ð³Ð´Ð\né'],
    [
      'the same in a long line',
      utf8(`где${'x'.repeat(70_000)}`).replace('x', '\xd0'),
      `где\ufffd${'x'.repeat(69_999)}`,
    ],
    ['the replacement character in UTF-8', `${utf8('\ufffdé')}\n\xe9`, '\ufffdé\né'],
    [
      'the same behind other lines',
      `\xe9\n${utf8('é\ufffd')}\n\xe9\n${utf8('\ufffd')}`,
      'é\né\ufffd\né\n\ufffd',
    ],
    ['a byte order mark', utf8('\ufeffé'), 'é'],
    ['a byte order mark before another line', utf8('\ufeffa\n\ufeffb'), 'a\n\ufeffb'],
    ['a character that is cut off', 'abc\xe2\x82', 'abcâ‚'],
    ['empty lines', '\n\n\xe9\n\n', '\n\né\n\n'],
    ['nothing', '', ''],
    ['almost a byte order mark', '\xef\xbbx', 'ï»x'],
    ['almost its last byte', '\xef\xbb\xbea', '\ufefea'],
    ['almost its second byte', '\xef\xbe\xbfa', '\uffbfa'],
    ['almost its first byte', '\xe2\xbb\xbfa', '\u2effa'],
  ])('%s', (_name, bytes, expected) => {
    expect(read(undefined, bytes)).toBe(expected)
    expect(read('us-ascii', bytes)).toBe(expected)
    expect(read('unheard-of', bytes)).toBe(expected)
  })

  test.each([
    ['a', 'é', 'é'],
    ['ab', 'é', 'é'],
    ['a', '€', '€'],
    ['ab', '€', '€'],
    ['abc', '€', '€'],
    ['', 'अ', 'अ'],
    ['a', 'अ', 'अ'],
    ['ab', 'अ', 'अ'],
    ['a', '😀', '😀'],
    ['ab', '😀', '😀'],
    ['abc', '😀', '😀'],
    ['abcd', '😀', '😀'],
  ])(
    'a line of more than 64 KB, in pieces that do not end inside a character: %s, then %s',
    (before, char, expected) => {
      const count = 40_000
      const bytes = `${utf8(before + char.repeat(count))}\n\xe9\n`
      expect(read(undefined, bytes)).toBe(`${before}${expected.repeat(count)}\né\n`)
    },
  )

  test('a wrong byte spoils one piece of 64 KB of a line and no other line', () => {
    const bytes = `${'a'.repeat(65_534)}${utf8('é')}\xe9${'b'.repeat(65_535)}${utf8('é')}\n${utf8('é')}`
    const expected = `${'a'.repeat(65_534)}éé${'b'.repeat(65_535)}é\né`
    expect(read(undefined, bytes)).toBe(expected)
  })

  test('a piece of 64 KB is judged by itself, though most of its line is UTF-8', () => {
    const bytes = `${utf8('é'.repeat(40_000))}${'a'.repeat(65_536)}\xe9\n`
    expect(read(undefined, bytes)).toBe(`${'é'.repeat(40_000)}${'a'.repeat(65_536)}é\n`)
  })
})

describe('as many unknown charsets as a message may have', () => {
  test('are looked up; then none is decoded', () => {
    const budget = { unknownCharsetsLeft: 1 }
    expect(decodeText(Buffer.of(0xeb), 'koi8-u', budget)).toBe('К')
    expect(decodeText(Buffer.of(0xe9), 'no-such-1', budget)).toBe('é')
    expect(budget.unknownCharsetsLeft).toBe(0)
    expect(decodeText(Buffer.of(0xb9), 'iso-8859-3', budget)).toBe('¹')
    expect(decodingOf('iso-8859-2', budget).write(Buffer.from([0xb9, 10]))).toBe('¹\n')
    // A decoder that exists is used again.
    expect(decodeText(Buffer.of(0xeb), 'koi8-u', budget)).toBe('К')
  })

  test('a charset that is known costs nothing, nor does one that says nothing', () => {
    const budget = { unknownCharsetsLeft: 5 }
    for (const charset of ['utf-8', 'us-ascii', '', undefined, 'cp437', 'utf-7']) decodingOf(charset, budget)
    expect(budget.unknownCharsetsLeft).toBe(5)
    decodingOf('cp998', budget)
    expect(budget.unknownCharsetsLeft).toBe(4)
    decodingOf('cp998', budget)
    expect(budget.unknownCharsetsLeft).toBe(4)
  })

  test('at most a thousand names that are unknown are kept', () => {
    const budget = { unknownCharsetsLeft: 2000 }
    for (let n = 0; n <= 1000; n++) decodingOf(`no-such-charset-${n}`, budget)
    const { unknownCharsetsLeft } = budget
    decodingOf('no-such-charset-1000', budget)
    expect(budget.unknownCharsetsLeft).toBe(unknownCharsetsLeft)
    decodingOf('no-such-charset-0', budget)
    expect(budget.unknownCharsetsLeft).toBe(unknownCharsetsLeft - 1)
  })
})

describe('UTF-16', () => {
  const little = (text: string) => Buffer.from(text, 'utf16le').toString('latin1')
  const big = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('latin1')

  test.each([
    ['little-endian', little('aé€😀'), 'aé€😀'],
    ['little-endian, marked', little('\ufeffaé'), 'aé'],
    ['big-endian, marked', big('\ufeffé😀'), 'é😀'],
    ['big-endian, Latin', big('aé'), 'aé'],
    ['big-endian, unmarked and not Latin', big('код'), little(big('')).concat('㨄㸄㐄')],
    ['zeros', '\0\0a\0', '\0a'],
    ['FE without FF', '\xfea', '懾'],
    ['FF without FE', '\xffa', '懿'],
    ['FF behind another byte', 'a\xff', '\uff61'],
    ['marked little-endian, then a zero', little('\ufeff\u0100'), '\u0100'],
    ['half a character', 'a', '\ufffd'],
    ['a zero', '\0', '\ufffd'],
    ['nothing', '', ''],
  ])('%s', (_name, bytes, expected) => {
    expect(read('utf-16', bytes)).toBe(expected)
    expect(read('utf16', bytes)).toBe(expected)
  })

  test('that is named big- or little-endian', () => {
    expect(read('utf-16be', big('код'))).toBe('код')
    expect(read('utf-16le', little('код'))).toBe('код')
    expect(read('utf-16-be', big('код'))).toBe('код')
  })
})

describe('UTF-7 (RFC 2152)', () => {
  test.each([
    ['Hi Mom +Jjo-!', 'Hi Mom ☺!'],
    ['A+ImIDkQ.', 'A≢Α.'],
    ['+ZeVnLIqe-', '日本語'],
    ['+2D3eAA-', '😀'],
    ['1 +- 1 = 2', '1 + 1 = 2'],
    ['+AOk', 'é'],
    ['+AOk-+AOk-', 'éé'],
    ['+AOk--', 'é-'],
    ['+AOk x', 'é x'],
    ['+AOk\n+AOk\n', 'é\né\n'],
    ['+/+8-', '\uffef'],
    ['+AAAA-', '\0'],
    ['+A-', ''],
    ['+AO-x', 'x'],
    ['a+', 'a+'],
    ['+', '+'],
    ['a+!b', 'a+!b'],
    ['++', ''],
    ['-a-', '-a-'],
    ['\xe9', 'é'],
    ['', ''],
  ])('%j', (bytes, expected) => {
    for (const name of ['utf-7', 'utf7', 'unicode-1-1-utf-7', 'x-unicode-1-1-utf-7', 'x-utf-7'])
      expect(read(name, bytes)).toBe(expected)
  })

  test('a long sequence', () => {
    expect(read('utf-7', `+${'AOkA6QDp'.repeat(8000)}-x`)).toBe(`${'é'.repeat(24_000)}x`)
  })

  test.each(['xutf-7', 'utf-7x', 'utf-77'])('%s is no name of it', (name) => {
    expect(read(name, '+AOk-')).toBe('+AOk-')
  })
})

describe('7-bit charsets', () => {
  test.each([
    // RFC 1468; the Encoding Standard rejects adjacent switches, and mail has them.
    ['iso-2022-jp', 'a\x1b$B%F%9%H\x1b(Bb', 'aテストb'],
    ['iso-2022-jp', '\x1b$@%F\x1b(J\\\x1b(B\\', 'テ¥\\'],
    ['iso-2022-jp', '\x1b(B\x1b$B%F\x1b(B\x1b(B\n', 'テ\n'],
    ['iso-2022-jp', '\x1b$B\x1b(J\x1b(B\x1b$B%F\x1b(B', 'テ'],
    ['iso-2022-jp', '\x1b(I6\x1b(B', 'カ'.normalize('NFKC').replace('カ', 'ｶ')],
    ['iso-2022-jp', '\x1b$B%F\x1b(A\x1b(B', 'テ'],
    ['iso-2022-jp', '\x1b$B%F\n\x1b(Ba', 'テ\na'],
    ['iso-2022-jp', 'plain\ntext', 'plain\ntext'],
    // RFC 1557.
    ['iso-2022-kr', '\x1b$)C\n\x0e@NAu\x0f 1 \x0e9xH#\x0f', '\n인증 1 번호'],
    ['iso-2022-kr', '\x0e@N Au\nx', '인 증\nx'],
    ['iso-2022-kr', '\x0e@N\n@N', '인\n@N'],
    ['iso-2022-kr', '\x0e@N\n@N\n', '인\n@N\n'],
    ['iso-2022-kr', 'a\x1b$)Dx\x1b', 'a\x1b$)Dx\x1b'],
    ['iso-2022-kr', '\x0f@N\x0e\x0e@N\x0f\x0f@N', '@N인@N'],
    // RFC 1843.
    ['hz-gb-2312', '~{QiV$~} ~~ 1', '验证 ~ 1'],
    ['hz-gb-2312', 'a~\nb~{Qi\nQi', 'ab验\nQi'],
    ['hz-gb-2312', '~{Qi V$~}~{Qi~}', '验 证验'],
    ['hz-gb-2312', 'a~b~', 'a~b~'],
    ['hz-gb-2312', '~}Qi', 'Qi'],
    // Bytes above 127 before the first switch: the label is wrong.
    ['iso-2022-jp', utf8('認証 é'), '認証 é'],
    ['iso-2022-kr', utf8('인증 é'), '인증 é'],
    ['hz-gb-2312', utf8('验证 é'), '验证 é'],
    ['iso-2022-jp', '\xe9\x1b$B%F', 'é\x1b$B%F'],
    ['hz-gb-2312', '\xe9~{Qi~}', 'é~{Qi~}'],
    ['iso-2022-kr', 'ascii\n\xe9', 'ascii\né'],
  ])('%s: %j', (charset, bytes, expected) => {
    expect(read(charset, bytes)).toBe(expected)
  })

  test('a line of more than 64 KB of ISO-2022-JP', () => {
    const bytes = `\x1b$B${'%F'.repeat(40_000)}\x1b(B\nend`
    expect(read('iso-2022-jp', bytes)).toBe(`${'テ'.repeat(40_000)}\nend`)
  })

  test('text is passed on line by line', () => {
    for (const [charset, bytes, expected] of [
      ['iso-2022-jp', '\x1b$B%F\x1b(B', 'テ'],
      ['iso-2022-kr', '\x0e@N\x0f', '인'],
      ['hz-gb-2312', '~{Qi~}', '验'],
      [undefined, utf8('é'), 'é'],
    ] as const) {
      const decoding = decodingOf(charset, { unknownCharsetsLeft: 1 })
      expect(decoding.write(Buffer.from(`${bytes}\n${bytes}`, 'latin1'))).toBe(`${expected}\n`)
      expect(decoding.end()).toBe(expected)
      // It can decode another text.
      expect(decoding.write(Buffer.from(`${bytes}\n`, 'latin1')) + decoding.end()).toBe(`${expected}\n`)
    }
  })
})

test('texts that are decoded at the same time do not disturb one another', () => {
  const begin = () => decodingOf('euc-kr', { unknownCharsetsLeft: 1 })
  const bytes = (text: string) => Buffer.from(text, 'latin1')
  const decodings = [begin(), begin()]
  // Half a character of each, then the other half. Each may decode another text after that, beside a new one.
  for (let round = 0; round < 3; round++) {
    expect(decodings.map((one, n) => one.write(bytes(n % 2 === 0 ? '\xc0' : 'a\xb0')))).toEqual(
      decodings.map((_, n) => (n % 2 === 0 ? '' : 'a')),
    )
    expect(decodings.map((one, n) => one.write(bytes(n % 2 === 0 ? '\xce' : '\xa1')))).toEqual(
      decodings.map((_, n) => (n % 2 === 0 ? '인' : '가')),
    )
    expect(decodings.map((one) => one.end())).toEqual(decodings.map(() => ''))
    decodings.push(begin())
  }
  const [first] = decodings
  expect(first!.write(bytes('\xb0')) + first!.end()).toBe('\ufffd')
})

test.each(Array.from({ length: 128 }, (_, n) => 0x80 + n))(
  'without a charset, the byte %i that is not UTF-8 is read as Windows-1252',
  (byte) => {
    const expected = new TextDecoder('windows-1252').decode(Uint8Array.of(byte))
    expect(read(undefined, String.fromCharCode(byte))).toBe(expected)
  },
)
