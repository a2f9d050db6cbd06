import { describe, expect, test } from '@jest/globals'
import { parseParameters } from '../../../reading/mime/parameters.ts'

function read(field: string, left = { words: 100, charsets: 20 }): Record<string, string> {
  const context = { bodyCharset: undefined, wordsLeft: left.words, unknownCharsetsLeft: left.charsets }
  const { value, parameters } = parseParameters(Buffer.from(field).toString('latin1'), context)
  return { value, ...Object.fromEntries(parameters) }
}

/** The file name in a field. */
function nameIn(parameters: string): string | undefined {
  return read(`attachment; ${parameters}`).filename
}

describe('the value', () => {
  test.each([
    ['text/plain', 'text/plain'],
    ['text/plain; charset=x', 'text/plain'],
    ['text/plain;charset=x', 'text/plain'],
    ['text/plain charset=x', 'text/plain'],
    ['  text/plain  ', 'text/plain'],
    ['(a) text/plain (b)', 'text/plain'],
    ['text(a)/plain', 'text/plain'],
    ['; charset=x', ''],
    ['', ''],
  ])('%j', (field, value) => {
    expect(read(field).value).toBe(value)
  })
})

describe('parameters (RFC 2045, 5.1)', () => {
  test.each<[string, Record<string, string>]>([
    ['a/b; charset=x; name=y', { charset: 'x', name: 'y' }],
    ['a/b;charset=x;name=y;', { charset: 'x', name: 'y' }],
    ['a/b; ;;, charset=x,name=y', { charset: 'x,name=y' }],
    ['a/b; CharSet=X', { charset: 'X' }],
    ['a/b; charset = x ; name\t=\ty', { charset: 'x', name: 'y' }],
    ['a/b; charset="x"name="y"', { charset: 'x', name: 'y' }],
    ['a/b charset=x name=y', { charset: 'x', name: 'y' }],
    ['a/b; charset=x name=y', { charset: 'x', name: 'y' }],
    ['a/b; charset=x; charset=z', { charset: 'x' }],
    [
      'a/b; boundary=1; format=2; delsp=3; filename=4',
      { boundary: '1', format: '2', delsp: '3', filename: '4' },
    ],
    ['a/b; other=x; __proto__=y; name=z', { name: 'z' }],
    ['a/b; charset=; name=y', { charset: '', name: 'y' }],
    ['a/b; charset=""; name=y', { charset: '', name: 'y' }],
    ['a/b; charset; name=y', { name: 'y' }],
    ['a/b; =x; name=y', { name: 'y' }],
    ['a/b; "x"; name=y', { name: 'y' }],
    ['a/b; junk more', {}],
    ['a/b; (a) charset (b) = (c) x (d); name=y', { charset: 'x', name: 'y' }],
    ['a/b; charset="(x)"; name=y', { charset: '(x)', name: 'y' }],
    ['a/b; charset=x (y; name=z)', { charset: 'x' }],
    ['a/b; charset=x (y)(z); name=w', { charset: 'x', name: 'w' }],
    ['a/b; charset=(y)(z)x; name=w', { charset: 'x', name: 'w' }],
    ['a/b; charset=x (y (z) y) ; name=w', { charset: 'x', name: 'w' }],
    ['a/b; charset=x (\\) \\( y); name=z', { charset: 'x', name: 'z' }],
    ['a/b; name="\\"("; charset=x', { name: '"(', charset: 'x' }],
    ['a/b; name=x\\(y', { name: 'x\\(y' }],
    ['a/b; name=x(y; charset=z', { name: 'x(y', charset: 'z' }],
    // Brackets in names, and within other values, are no comments.
    ['a/b; name=x(y)); charset=z', { name: 'x(y))', charset: 'z' }],
    ['a/b; name=x (1).pdf; charset=z', { name: 'x (1).pdf', charset: 'z' }],
    ['a/b; name = (x) y=; charset=z (c)', { name: '(x)', charset: 'z' }],
    ['a/b; name=x=(y).pdf', { name: 'x=(y).pdf' }],
    ['a/b; filename*0=x (1; filename*1=).pdf', { filename: 'x (1).pdf' }],
    ['a/b; boundary=x(y)z (c); charset=(c)z', { boundary: 'x(y)z', charset: 'z' }],
    ['a/b; (c) name="(x)"; (c) charset=z', { name: '(x)', charset: 'z' }],
  ])('%j', (field, parameters) => {
    expect(read(field)).toEqual({ value: 'a/b', ...parameters })
  })

  test('only the first 200 parameters are read', () => {
    expect(read(`a/b; ${'x=y; '.repeat(199)}name=z`)).toEqual({ value: 'a/b', name: 'z' })
    expect(read(`a/b; ${'x=y; '.repeat(200)}name=z`)).toEqual({ value: 'a/b' })
  })
})

describe('values', () => {
  test.each([
    ['filename=a.txt', 'a.txt'],
    ['filename="a b;c=d.txt"', 'a b;c=d.txt'],
    ['filename=a b  c.txt', 'a b  c.txt'],
    ['filename=a b name=c', 'a b'],
    ['filename=a b x*=c', 'a b'],
    ['filename=a b x*0=c', 'a b'],
    ['filename=a b x*0*=c', 'a b'],
    ['filename=a b x*y=c', 'a b x*y=c'],
    ['filename=a=b', 'a=b'],
    ['filename=a ; x', 'a'],
    ['filename="a', 'a'],
    ['filename="', ''],
    ['filename=a"b', 'a"b'],
    ['filename=a b"; x', 'a b'],
    ['filename=a""', 'a"'],
    // A backslash counts before a quote and a backslash.
    ['filename="say \\"a\\" \\\\ b"', 'say "a" \\ b'],
    ['filename="C:\\tide\\a.txt"', 'C:\\tide\\a.txt'],
    ['filename="\\\\"', '\\'],
    ['filename="a\\', 'a\\'],
    ['filename="a\\"', 'a"'],
    ['filename=a\\b', 'a\\b'],
    // Encoded words and raw bytes, as Outlook and Gmail write them.
    ['filename="=?utf-8?Q?=C3=A9.txt?="', 'é.txt'],
    ['filename==?utf-8?Q?=C3=A9.txt?=', 'é.txt'],
    ['filename="é.txt"', 'é.txt'],
    ['filename=é à.txt', 'é à.txt'],
  ])('%s', (parameters, filename) => {
    expect(nameIn(parameters)).toBe(filename)
  })
})

describe('RFC 2231', () => {
  test.each([
    ["filename*=utf-8''%C3%A9.txt", 'é.txt'],
    ["filename*=UTF-8'en'%c3%a9.txt", 'é.txt'],
    ["filename*=iso-8859-1''%E9.txt", 'é.txt'],
    ["filename*=koi8-r'ru'%eb.txt", 'К.txt'],
    ["filename*=''%C3%A9.txt", 'é.txt'],
    ['filename*=%C3%A9.txt', 'é.txt'],
    ["filename*=us-ascii''%C3%A9.txt", 'é.txt'],
    ["filename*=nothing''%C3%A9.txt", 'é.txt'],
    ["filename*=utf-8''it's.txt", "it's.txt"],
    ['filename*="utf-8\'\'%C3%A9.txt"', 'é.txt'],
    // Encoded words in several values, and in an encoded one.
    ['filename*0="=?utf-8?Q?=C3=A9"; filename*1="_b.txt?="', 'é b.txt'],
    ["filename*=utf-8''=?utf-8?Q?=C3=A9?=.txt", 'é.txt'],
    // Values that are not percent-encoded.
    ["filename*=utf-8''100%.txt", '100%.txt'],
    ["filename*=utf-8''%4", '%4'],
    ["filename*=utf-8''%zz%41%g0%0g", '%zzA%g0%0g'],
    ["filename*=utf-8''%%41", '%A'],
    // Pieces (section 3), in order of their numbers.
    ['filename*0=a; filename*1=b.txt', 'ab.txt'],
    ['filename*1=b.txt; filename*0=a', 'ab.txt'],
    ['filename*10=c; filename*9=b; filename*0=a', 'abc'],
    ['filename*0="a b"; filename*1=" c"', 'a b c'],
    ['filename*0=a; filename*0=x; filename*1=b', 'xb'],
    ['filename*1=a; filename*3=b', 'ab'],
    ['filename*0=%41; filename*1=b', '%41b'],
    ["filename*0*=utf-8''%C3; filename*1*=%A9; filename*2=%41", 'é%41'],
    ["filename*1*=%A9; filename*0*=utf-8''%C3", 'é'],
    ["filename*0=a'b'c; filename*1*=%41", "a'b'cA"],
    ["filename*0*=iso-8859-1''%E9; filename*1=-x", 'é-x'],
    ["filename*0*=utf-8''a; filename*1*=b'c'd", "ab'c'd"],
    ['filename*0=é; filename*1=a', 'éa'],
    // They win over a plain name.
    ["filename=plain; filename*=utf-8''%C3%A9", 'é'],
    ["filename*=utf-8''%C3%A9; filename=plain", 'é'],
    ['filename=plain; filename*0=a; filename*1=b', 'ab'],
    // Names that are not pieces.
    ['filename*x=a; filename=b', 'b'],
    ['filename*0x=a; filename=b', 'b'],
    ['filename*1000=a; filename=b', 'b'],
    ['filename*999=a; filename=b', 'a'],
    ['filename**=a; filename=b', 'b'],
    ["x*=utf-8''a; filename=b", 'b'],
  ])('%s', (parameters, filename) => {
    expect(nameIn(parameters)).toBe(filename)
  })

  test('a charset costs one of the encoded words of a message', () => {
    const context = { bodyCharset: undefined, wordsLeft: 1, unknownCharsetsLeft: 1 }
    const name = () => parseParameters("a; name*=iso-8859-1''%E9%E8x", context).parameters.get('name')
    expect([name(), context.wordsLeft]).toEqual(['éèx', 0])
    // Without its charset it is read as Windows-1252, which has the same letters here.
    expect([name(), context.wordsLeft]).toEqual(['éèx', 0])
    const cyrillic = "a; name*=koi8-r''%EB"
    expect(read(cyrillic).name).toBe('К')
    expect(read(cyrillic, { words: 0, charsets: 20 }).name).toBe('ë')
    expect(read(cyrillic, { words: 1, charsets: 0 }).name).toBe('ë')
  })
})
