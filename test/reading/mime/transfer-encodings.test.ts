import { describe, expect, test } from '@jest/globals'
import { transferOf } from '../../../reading/mime/part-header.ts'
import { decoded } from './in-chunks.ts'

/** Decodes text of one character per byte, in chunks of several sizes. */
function transferred(encoding: string | undefined, body: string, isText = false): string {
  return decoded(() => transferOf(encoding, isText), Buffer.from(body, 'latin1'))
}

describe('the name of the encoding', () => {
  test.each([
    ['base64', 'A'],
    ['BASE64', 'A'],
    [' base64', 'A'],
    ['"base64"', 'A'],
    ["'base64'", 'A'],
    ['base64; x=y', 'A'],
    ['base64 (comment)', 'A'],
    ['(comment) base64', 'A'],
    ['(comment)base64', 'A'],
    ['(comment)  base64', 'A'],
    ['(comment base64', 'QQ=='],
    ['comment) base64', 'QQ=='],
    ['x base64', 'QQ=='],
    ['base-64', 'QQ=='],
    ['base64x', 'QQ=='],
    ['!base64', 'QQ=='],
    ['7bit', 'QQ=='],
    ['8bit', 'QQ=='],
    ['binary', 'QQ=='],
    ['', 'QQ=='],
    [undefined, 'QQ=='],
  ])('%j', (name, expected) => {
    expect(transferred(name, 'QQ==')).toBe(expected)
  })

  test.each([
    ['quoted-printable', 'A'],
    ['Quoted-Printable', 'A'],
    ['quoted', '=41'],
    ['quoted-printable-x', '=41'],
  ])('%s', (name, expected) => {
    expect(transferred(name, '=41')).toBe(expected)
  })

  test.each([
    ['x-uuencode', 'abc'],
    ['uuencode', 'abc'],
    ['x-uue', 'abc'],
    ['uue', 'abc'],
    ['X-UUE', 'abc'],
    ['xx-uue', 'begin 644 a\n#86)C\n'],
    ['x-uuencoded', 'begin 644 a\n#86)C\n'],
    ['x-uu', 'begin 644 a\n#86)C\n'],
  ])('%s', (name, expected) => {
    expect(transferred(name, 'begin 644 a\n#86)C\n')).toBe(expected)
  })
})

describe('base64 (RFC 2045, 6.8)', () => {
  test.each([
    ['', ''],
    ['QQ==', 'A'],
    ['QUI=', 'AB'],
    ['QUJD', 'ABC'],
    ['QUJDRA==', 'ABCD'],
    ['0123', '\xd3\x5d\xb7'],
    ['+/+/', '\xfb\xff\xbf'],
    // Without padding, or with too much of it.
    ['QQ', 'A'],
    ['QUI', 'AB'],
    ['QUI==', 'AB'],
    ['=', ''],
    ['=QUJD', 'ABC'],
    // One character is no byte.
    ['A', ''],
    ['QUJDA', 'ABC'],
    ['QUJD=A=QUJD', 'ABCABC'],
    // Pieces that a program joined.
    ['QQ==QUI=QUJD', 'AABABC'],
    ['QQ==\r\nQg==\r\n', 'AB'],
    ['QQ=QUJDR', 'AABC'],
    // Other characters are ignored.
    ['Q\r\nU\tJ D', 'ABC'],
    ['Q!U-J_D\xe9', 'ABC'],
    ['Q*Q*=*=', 'A'],
    ['@[`{:.', ''],
  ])('%j', (body, expected) => {
    expect(transferred('base64', body)).toBe(expected)
  })

  test('all bytes', () => {
    const all = Buffer.from(Array.from({ length: 1024 }, (_, n) => (n * 37) % 256))
    const lines = all.toString('base64').replaceAll(/.{76}/g, '$&\r\n')
    expect(transferred('base64', lines)).toBe(all.toString('latin1'))
  })
})

describe('a text that claims to be base64', () => {
  const valid = 'QUJD'.repeat(200)

  test.each([
    ['an empty text', '', ''],
    ['a short one', 'QUJD', 'ABC'],
    ['with line ends', 'QUJD\r\nQUJD\n', 'ABCABC'],
    ['with digits, slashes, pluses and padding', '09/+QQ==', '\xd3\xdf\xfeA'],
    ['8 of 100 bytes are none', `${'AUJD'.repeat(23)}${'!'.repeat(8)}`, '\x01BC'.repeat(23)],
    [
      '9 of 100 bytes are none',
      `${'AUJD'.repeat(22)}QUJ${'!'.repeat(9)}`,
      `${'AUJD'.repeat(22)}QUJ${'!'.repeat(9)}`,
    ],
    // What decodes to text is base64, whatever is between.
    ['with blanks', '  Q U J D\t\r\n Q U I = \r\n', 'ABCAB'],
    ['with garbage', 'SGVs*bG8g\n!!d29y#bGQ=', 'Hello world'],
    ['UTF-8 with blanks', 'w 6 k g w 6 k =', '\xc3\xa9 \xc3\xa9'],
    ['a text that decodes to no UTF-8', '/ / / /', '/ / / /'],
    ['a short plain text', 'Hi there, plain text 123456.', 'Hi there, plain text 123456.'],
    ['long base64', valid, 'ABC'.repeat(200)],
    [
      'only its first 512 bytes count',
      `${valid.slice(0, 512)}${' no '.repeat(100)}`,
      `${'ABC'.repeat(128)}${Buffer.from('no'.repeat(100), 'base64').toString('latin1')}`,
    ],
    [
      'plain behind 400 bytes',
      `AUJD${valid.slice(0, 396)}${' . '.repeat(100)}`,
      `AUJD${valid.slice(0, 396)}${' . '.repeat(100)}`,
    ],
    ['plain and long', 'no base64, '.repeat(100), 'no base64, '.repeat(100)],
  ])('%s', (_name, body, expected) => {
    expect(transferred('base64', body, true)).toBe(expected)
  })

  test('is decided by 512 bytes, which may arrive in several chunks', () => {
    const transfer = transferOf('base64', true)
    expect(transfer.write(Buffer.from(valid.slice(0, 511)))).toHaveLength(0)
    expect(transfer.write(Buffer.from(valid.slice(511, 512))).toString()).toBe('ABC'.repeat(128))
    expect(transfer.write(Buffer.from('QUJ')).toString()).toBe('')
    expect(transfer.end().toString()).toBe('AB')
  })
})

describe('quoted-printable (RFC 2045, 6.7)', () => {
  test('every byte, in capitals and in small letters', () => {
    for (let byte = 0; byte < 256; byte++) {
      const hex = byte.toString(16).padStart(2, '0')
      const expected = String.fromCharCode(byte)
      expect(transferred('quoted-printable', `=${hex}`)).toBe(expected)
      expect(transferred('quoted-printable', `=${hex.toUpperCase()}x`)).toBe(`${expected}x`)
    }
  })

  test('an equals sign before anything but two hexadecimal digits is left unchanged', () => {
    for (let byte = 0; byte < 256; byte++) {
      const char = String.fromCharCode(byte)
      if (/[0-9A-Fa-f \t\n=]/.test(char)) continue
      for (const body of [`=${char}0`, `=0${char}.`, `=F${char}`])
        expect(transferred('quoted-printable', body)).toBe(body)
    }
  })

  test.each([
    // Soft line breaks, with what was added to them on the way.
    ['a=\r\nb', 'ab'],
    ['a=\nb', 'ab'],
    ['a= \t\r\nb', 'ab'],
    ['a= \nb', 'ab'],
    ['a=\r\n', 'a'],
    ['a=\r\n\r\nb', 'a\r\nb'],
    ['a=\r\n=\r\nb', 'ab'],
    ['=\r\n', ''],
    ['a=', 'a'],
    ['a= \t', 'a'],
    // Blanks at the end of a line.
    ['a \r\nb', 'a\r\nb'],
    ['a\t \t\nb', 'a\nb'],
    ['a \t', 'a'],
    [' ', ''],
    [' \n', '\n'],
    ['a=20\r\nb', 'a \r\nb'],
    ['a=20 \r\nb', 'a \r\nb'],
    // Blanks within a line.
    ['a b\tc', 'a b\tc'],
    ['a  \t b', 'a  \t b'],
    [' a', ' a'],
    ['a =41', 'a A'],
    ['a \rb', 'a \rb'],
    ['a b\nc d\n', 'a b\nc d\n'],
    ['a=x\nb', 'a=x\nb'],
    ['a \r', 'a \r'],
    // Names that are not encodings.
    ['a=b', 'a=b'],
    ['1 = 2', '1 = 2'],
    ['a=\rb', 'a=\rb'],
    ['a=\r', 'a=\r'],
    ['a= x', 'a= x'],
    ['=4', '=4'],
    ['==41', '=A'],
    ['=\r\r\n', '=\r\r\n'],
    ['\xe9 =\xe9', '\xe9 =\xe9'],
    ['', ''],
  ])('%j', (body, expected) => {
    expect(transferred('quoted-printable', body)).toBe(expected)
  })

  test('at most 4096 blanks at the end of a chunk wait for the next one', () => {
    for (const [blanks, kept] of [
      [4096, 0],
      [4097, 4097],
    ] as const) {
      const transfer = transferOf('quoted-printable', false)
      const first = transfer.write(Buffer.from(`x${' '.repeat(blanks)}`)).toString()
      expect(first + transfer.write(Buffer.from('\r\n')).toString()).toBe(`x${' '.repeat(kept)}\r\n`)
    }
  })
})

test.each([
  ['base64', 'QUJDQUJD=QUJDQ', 'ABCABCABC'],
  ['quoted-printable', 'a b= c=41 =x d\r\n ', 'a b= cA =x d\r\n'],
  ['quoted-printable', 'a b=4', 'a b'],
  ['quoted-printable', 'a\tb=', 'a\tb'],
  ['x-uuencode', 'begin 644 a\n#86)C\n#86)', 'abc'],
  ['8bit', 'abc ', 'abc '],
])('%s is decoded as it arrives: %j', (encoding, chunk, expected) => {
  expect(transferOf(encoding, false).write(Buffer.from(chunk)).toString()).toBe(expected)
})

describe('uuencode', () => {
  const lines = (...body: string[]) => body.join('\n')

  test.each([
    ['a whole file', lines('begin 644 a.txt', '#86)C', '`', 'end', ''), 'abc'],
    ['lines that end with CR and LF', lines('begin 644 a.txt\r', '#86)C\r', '`\r', 'end\r', ''), 'abc'],
    [
      'one byte, two bytes, four bytes',
      lines('begin 644 a', '!80``', '"86(`', '$86)C9```', 'end'),
      'aababcd',
    ],
    ['an empty line', lines('begin 644 a', '', '#86)C', 'end'), 'abc'],
    [
      'an empty line that ends with CR and LF',
      lines('begin 644 a\r', '\r', '#86)C\r', '\r', 'end\r', ''),
      'abc',
    ],
    ['a mode of four digits', lines('begin 0644 a', '#86)C'), 'abc'],
    ['no name', lines('begin 644', '#86)C'), 'abc'],
    ['a mode of two digits', lines('begin 64 a', '#86)C'), ''],
    ['a mode of five digits', lines('begin 00644 a', '#86)C'), ''],
    ['a mode that is not octal', lines('begin 684 a', '#86)C'), ''],
    ['another word before the mode', lines('beginning 644 a', '#86)C'), ''],
    [
      'text before the first line',
      lines('Hello', 'beg', 'x begin 644 a', '', '#86)C', 'begin 644 a', '#86)C'),
      'abc',
    ],
    [
      'text behind the last line',
      lines('begin 644 a', '#86)C', 'end', '#86)C', 'begin 644 b', '#86)C'),
      'abc',
    ],
    ['zeros', lines('begin 644 a', '&``````', '#    ', 'end'), '\0'.repeat(9)],
    ['blanks that were cut at the end of a line', lines('begin 644 a', '#86', 'end'), 'a`\0'],
    ['the same with CR and LF', lines('begin 644 a\r', '#86\r', 'end\r'), 'a`\0'],
    ['no end', lines('begin 644 a', '#86)C', '"86('), 'abcab'],
    ['more on a line than it says', lines('begin 644 a', '#86)CXXXX', 'end'), 'abc'],
    [
      'lines that begin almost like the last one',
      lines('begin 644 a', 'eNd86)C86', 'enD86)C86', '#nd8'),
      '\xb8F\x16&6:F\x16&68F\x00',
    ],
    ['no body', 'begin 644 a', ''],
    ['nothing', '', ''],
  ])('%s', (_name, body, expected) => {
    expect(transferred('x-uuencode', body)).toBe(expected)
  })

  test('long content', () => {
    const body = Array.from({ length: 300 }, () => "$5'=I;@``")
    expect(transferred('uuencode', lines('begin 644 a', ...body, 'end'))).toBe('Twin'.repeat(300))
  })

  test('no more bytes than were given', () => {
    expect(transferred('x-uuencode', 'begin 644 a\nM\nM\n')).toHaveLength(16)
  })

  test('a line of more than 1000 bytes is left out', () => {
    for (const [length, expected] of [
      [1000, '\0abc'],
      [1001, 'abc'],
    ] as const) {
      const transfer = transferOf('uuencode', false)
      const chunks = ['begin 644 a\n', `!${'`'.repeat(length - 1)}`, '\n#86)C\n']
      const pieces = chunks.map((chunk) => transfer.write(Buffer.from(chunk)).toString())
      expect(pieces.join('')).toBe(expected)
    }
  })
})
