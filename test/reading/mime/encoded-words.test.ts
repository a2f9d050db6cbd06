import { describe, expect, test } from '@jest/globals'
import { decodeWords } from '../../../reading/mime/encoded-words.ts'

function read(text: string, bodyCharset?: string): string {
  const context = { bodyCharset, wordsLeft: 100, unknownCharsetsLeft: 20 }
  return decodeWords(Buffer.from(text).toString('latin1'), context)
}

describe('encoded words (RFC 2047)', () => {
  test.each([
    ['=?utf-8?Q?a?=', 'a'],
    ['=?UTF-8?q?=C3=A9_b?=', 'é b'],
    ['=?utf-8?B?w6k=?=', 'é'],
    ['=?utf-8?b?w6k?=', 'é'],
    ['=?utf-8?B?w 6*k=?=', 'é'],
    ['=?iso-8859-1?Q?=E9?=', 'é'],
    ['=?iso-8859-1*fr?Q?=E9?=', 'é'],
    ['=?utf-8*?Q?=C3=A9?=', 'é'],
    ['=?us-ascii?Q?a?=', 'a'],
    ['=?unheard-of?Q?=C3=A9?=', 'é'],
    ['=?utf-8?Q??=', ''],
    ['=?utf-8?B??=', ''],
    ['=?utf-8?B?w6k=w6k=w6k?=', 'ééé'],
    ['=?utf-8?Q?a b?=', 'a b'],
    ['=?utf-8?Q?é?=', 'é'],
    ['=?utf-8?Q?a?b?=', 'a?b'],
    ['=?utf-8?Q?=?=', '='],
    ['=?utf-8?Q?=4?=', '=4'],
    ['=?utf-8?Q?=G1=41=1G=zz=?=', '=G1A=1G=zz='],
    ['=?utf-8?Q?=/0=:0=@0=`0=0/=0:?=', '=/0=:0=@0=`0=0/=0:'],
    ['=?utf-8?Q?=20=09=4a=4A=5f=5F?=', ' \tJJ__'],
  ])('%s', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  test.each([
    // Blanks between two words are not text (section 6.2), all others are.
    ['=?utf-8?Q?a?= =?utf-8?Q?b?=', 'ab'],
    ['=?utf-8?Q?a?=  \t =?utf-8?Q?b?=', 'ab'],
    ['=?utf-8?Q?a?==?utf-8?Q?b?=', 'ab'],
    [' =?utf-8?Q?a?= x =?utf-8?Q?b?= ', ' a x b '],
    ['x=?utf-8?Q?a?=y', 'xay'],
    ['"=?utf-8?Q?a?=" <x>', '"a" <x>'],
    ['=?utf-8?Q?a_?= =?utf-8?Q?b?=', 'a b'],
    ['=?utf-8?Q?a?=,=?utf-8?Q?b?=', 'a,b'],
    // A character in two words.
    ['=?utf-8?Q?=C3?= =?utf-8?Q?=A9?=', 'é'],
    ['=?utf-8?Q?=C3?= =?UTF-8?B?qQ==?=', 'é'],
    ['=?utf-8?Q?=C3?= x =?utf-8?Q?=A9?=', '\ufffd x \ufffd'],
    ['=?utf-8?Q?=C3=A9?= =?iso-8859-1?Q?=E9?= =?utf-8?Q?a?=', 'ééa'],
    // No character of ISO-2022 is in two words; each begins in ASCII.
    ['=?iso-2022-jp?B?GyRCJUY=?= =?iso-2022-jp?B?JUY=?=', 'テ%F'],
    // One that a program has split leads back to ASCII first.
    ['=?iso-2022-jp?B?GyRCJUYl?= =?iso-2022-jp?B?OSVIGyhC?=', 'テスト'],
    ['=?iso-2022-jp?B?GyRCJUY=?= =?iso-2022-jp?B?GyRCJUYbKEI=?=', 'テテ'],
    // What only looks like a word.
    ['=?utf-8?Q?a', '=?utf-8?Q?a'],
    ['=?utf-8?X?a?=', '=?utf-8?X?a?='],
    ['=??Q?a?=', '=??Q?a?='],
    ['=?ut f?Q?a?=', '=?ut f?Q?a?='],
    ['= ?utf-8?Q?a?=', '= ?utf-8?Q?a?='],
    ['=?=?utf-8?Q?a?=', '=?a'],
    ['=?utf-8?Q?x =?utf-8?Q?a?= y', '=?utf-8?Q?x a y'],
    ['=?utf-8?Q?x =?utf-8?Q?a?= =?utf-8?Q?b', '=?utf-8?Q?x a =?utf-8?Q?b'],
    ['=?utf-8?Q?a=?=', 'a='],
    ['é =?utf-8?Q?a?= é', 'é a é'],
    ['=?x?= =?utf-8?Q?a?=', '=?x?= a'],
    ['', ''],
  ])('%s', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  test('names of charsets and of languages have up to 60 characters', () => {
    const word = (charset: string) => `=?${charset}?Q?a?=`
    for (const [charset, expected] of [
      ['c'.repeat(60), 'a'],
      ['c'.repeat(61), word('c'.repeat(61))],
      [`utf-8*${'l'.repeat(60)}`, 'a'],
      [`utf-8*${'l'.repeat(61)}`, word(`utf-8*${'l'.repeat(61)}`)],
    ] as const)
      expect(read(word(charset))).toBe(expected)
  })

  test.each([4095, 4096, 4097, 6001])(
    'words and other bytes of any length are decoded to their end: %i',
    (length) => {
      const text = `${'a'.repeat(length - 2)}é`
      expect(read(`=?utf-8?B?${Buffer.from(text).toString('base64')}?=`)).toBe(text)
      expect(read(`=?utf-8?Q?${text}?=`)).toBe(text)
      expect(read(text)).toBe(text)
    },
  )

  test('a byte order mark is left out', () => {
    expect(read('=?utf-8?Q?=EF=BB=BFa?=')).toBe('a')
    expect(read(`=?utf-8?B?${Buffer.from('\ufeffa').toString('base64')}?=`)).toBe('a')
  })

  test('as many words are decoded as the message may have', () => {
    const context = { bodyCharset: undefined, wordsLeft: 2, unknownCharsetsLeft: 20 }
    const word = '=?utf-8?Q?=41?='
    expect(decodeWords(`${word} x ${word} y ${word} z`, context)).toBe(`A x A y ${word} z`)
    expect(context.wordsLeft).toBe(0)
    expect(decodeWords(word, context)).toBe(word)
  })
})

describe('bytes that no encoded word covers', () => {
  const latin1 = (text: string, bodyCharset?: string) =>
    decodeWords(text, { bodyCharset, wordsLeft: 100, unknownCharsetsLeft: 20 })

  test.each([
    ['UTF-8', 'Grüße Köln', undefined, 'Grüße Köln'],
    ['UTF-8, whatever the text is in', 'Grüße', 'koi8-r', 'Grüße'],
  ])('%s', (_name, text, charset, expected) => {
    expect(read(text, charset)).toBe(expected)
  })

  test.each([
    ['Windows-1252 without a charset', '\xfc\x80', undefined, 'ü€'],
    ['Windows-1252 if the text claims UTF-8', '\xfc\x80', 'utf-8', 'ü€'],
    ['Windows-1252 if the text claims ASCII', '\xfc\x80', 'us-ascii', 'ü€'],
    ['the charset of the text', '\xeb\xcf\xc4', 'koi8-r', 'Код'],
    ['a name of that charset', '\x8a', 'cp-1250', 'Š'],
    // One wrong byte beside at least three valid characters spoils one word.
    ['3 characters and 1 wrong byte', '\xd0\x9a\xd0\xbe\xd0\xb4 \xff', 'koi8-r', 'Код ÿ'],
    [
      'a character that is cut',
      '\xd0\x9a\xd0\xbe\xd0\xb4 \xd0\x9a\xd0\xbe\xd0\xb4\xd0',
      'koi8-r',
      'Код Код\ufffd',
    ],
    ['2 characters and 1 wrong byte', '\xd0\x9a\xd0\xbe \xff', 'windows-1251', 'РљРѕ я'],
    ['ASCII does not count', 'abcdef \xff', 'windows-1251', 'abcdef я'],
  ])('%s', (_name, text, charset, expected) => {
    expect(latin1(text, charset)).toBe(expected)
  })
})
