import { describe, expect, test } from '@jest/globals'
import {
  beginsHeader,
  firstField,
  firstValue,
  headerList,
  splitHeader,
  startOfHeader,
} from '../../../reading/mime/headers.ts'

describe('the fields of a header', () => {
  const fields = (block: string, most = 1000) => {
    const { fields, body, hasMore } = splitHeader(block, most)
    return [
      ...fields.map(({ key, line }) => `${key}|${line}`),
      ...(hasMore ? ['more'] : []),
      block.slice(body),
    ].slice(0, body === -1 ? -1 : undefined)
  }

  test.each<[string, ...string[]]>([
    ['A: b\r\nC: d\r\n', 'a|A: b', 'c|C: d'],
    ['A: b\nC: d', 'a|A: b', 'c|C: d'],
    ['A:b', 'a|A:b'],
    ['A:', 'a|A:'],
    ['A \t: b', 'a|A \t: b'],
    ['A: b: c', 'a|A: b: c'],
    ['!~09-x: b', '!~09-x|!~09-x: b'],
    ['A: b \t\r\n', 'a|A: b'],
    ['A: b\r\n c\r\n\td\r\nE: f', 'a|A: b\r\n c\r\n\td', 'e|E: f'],
    ['A:\r\n b', 'a|A:\r\n b'],
    ['A: b\n \nC: d', 'a|A: b', 'c|C: d'],
    [''],
    // The body begins at a line that is no field, if no common field follows.
    ['A: b\nHello\nthere', 'a|A: b', 'Hello\nthere'],
    ['A: b\n: c', 'a|A: b', ': c'],
    ['A: b\nx', 'a|A: b', 'x'],
    ['A: b\nx y: c', 'a|A: b', 'x y: c'],
    ['A: b\nx\u00e4: c', 'a|A: b', 'x\u00e4: c'],
    ['A: b\nx\u007f: c', 'a|A: b', 'x\u007f: c'],
    ['From: b\nHello\nX: y', 'from|From: b', 'Hello\nX: y'],
    ['Hello', 'Hello'],
    // Otherwise the line is a broken field, with the lines that continue it.
    ['A: b\nHello\nFrom: c', 'a|A: b', 'from|From: c'],
    ['A: b\nHello\n there\nFrom: c', 'a|A: b', 'from|From: c'],
    ['A: b\nHello\nX: y\nsubject : c\nend', 'a|A: b', 'x|X: y', 'subject|subject : c', 'end'],
    ['Hello\nDate: c', 'date|Date: c'],
    ['A: b\nHello\nXFrom: c', 'a|A: b', 'Hello\nXFrom: c'],
    // A blank before the first field continues nothing.
    [' From: b\n c\nX: y', 'from|From: b\n c', 'x|X: y'],
    ['\t To : b', 'to|To : b'],
    [' X: b\nY: c', ' X: b\nY: c'],
    [' X: b\nFrom: c', 'from|From: c'],
    // The line before a header in a mailbox file.
    ['From a@x.test Sat Nov 21\nX: y', 'x|X: y'],
    ['>From a@x.test Sat Nov 21\nX: y', 'x|X: y'],
    ['X: y\nFrom a@x.test Sat', 'x|X: y', 'From a@x.test Sat'],
    ['From a@x.test Sat\nHello', 'Hello'],
  ])('%j', (block, ...expected) => {
    expect(fields(block)).toEqual(expected)
  })

  test.each([
    'Content-Type',
    'content-transfer-encoding',
    'Content-Disposition',
    'Content-ID',
    'MIME-Version',
    'From',
    'To',
    'Cc',
    'Subject',
    'Date',
    'Message-ID',
    'RECEIVED',
  ])('%s is a common field', (name) => {
    expect(fields(`Hello\n${name}: x`)).toEqual([`${name.toLowerCase()}|${name}: x`])
    expect(beginsHeader(` ${name} : x`)).toBe(true)
  })

  test('not more fields than are allowed', () => {
    expect(fields('A: b\n c\nD: e\n', 2)).toEqual(['a|A: b\n c', 'd|D: e'])
    expect(fields('A: b\nC: d\nE: f\n', 2)).toEqual(['a|A: b', 'c|C: d', 'more'])
  })
})

describe('a header begins with', () => {
  test.each([
    ['X: y', true],
    ['X \t: y', true],
    ['X:', true],
    ['From a@x.test Sat', true],
    ['>From a@x.test Sat', true],
    [' From: a@x.test', true],
    ['\tsubject : x', true],
    [' X: y', false],
    ['FromX a', false],
    ['x >From a', false],
    ['Hello', false],
    ['Hello there: you', false],
    [': y', false],
    ['', false],
  ])('%j: %s', (line, expected) => {
    expect(beginsHeader(line)).toBe(expected)
  })
})

describe('the beginning of a message', () => {
  const blanks = (count: number) => ' '.repeat(count - 1).concat('\n')
  test.each<[string, number | undefined, number]>([
    ['From: a', 0, 0],
    ['Hello', 0, 0],
    ['\r\nFrom: a', undefined, 2],
    ['\r\nFrom: a\n', 2, 2],
    ['\n \t\r\n\nFrom: a\n', 6, 6],
    ['\n From: a\n', 1, 1],
    [' From: a\n', 0, 0],
    ['\nX: a\n', undefined, 0],
    ['\nX: a\nb\n', 0, 0],
    ['\nX: a\nY: b\n', 1, 1],
    ['\nX: a\n b\n', 1, 1],
    ['\nHello\nX: a\n', 0, 0],
    ['\n\n', undefined, 0],
    ['', undefined, 0],
    [' ', undefined, 0],
    // The end of a field whose beginning is missing.
    [' x=y;\n z\nFrom: a\n', 9, 9],
    ['\n x=y\r\n\tz\r\nFrom: a\r\n', 11, 11],
    [' x=y\nFrom: a', undefined, 5],
    [' x=y\nFr', undefined, 0],
    [' x=y', undefined, 0],
    [' x=y\nDear all\n', 0, 0],
    [' x=y\nX-Other: a\nFrom: a\n', 0, 0],
    [' x=y\n\nFrom: a\n', 0, 0],
    [`${blanks(4000)}From: a\n`, 4000, 4000],
    [`${blanks(4090)}From: a\n`, 4090, 4090],
    [`${blanks(4092)}From: a\n`, 0, 0],
    [`${blanks(4096)}From: a\n`, 0, 0],
    [`${blanks(4095)}`, undefined, 0],
    [`${blanks(4096)}`, 0, 0],
  ])('case %#', (data, expected, atEnd) => {
    expect(startOfHeader(Buffer.from(data), false)).toBe(expected)
    expect(startOfHeader(Buffer.from(data), true)).toBe(atEnd)
  })
})

describe('values', () => {
  const context = () => ({ bodyCharset: undefined, wordsLeft: 100, unknownCharsetsLeft: 20 })
  const { fields } = splitHeader(
    'Subject:  =?utf-8?Q?=C3=A9?= \r\n\tx\r\nX :a\0\nSUBJECT: second\nY: a\r\n \r\n\t b\nZ: \u00c3\u00a9\u00c2\u00a0\n',
    100,
  )

  test('are unfolded, decoded and trimmed; names are as they were written', () => {
    expect(headerList(fields, context())).toEqual([
      { name: 'Subject', value: 'é  x' },
      { name: 'X', value: 'a' },
      { name: 'SUBJECT', value: 'second' },
      { name: 'Y', value: 'a  b' },
      { name: 'Z', value: 'é' },
    ])
  })

  test('the first field of a name counts, in any case', () => {
    const headers = headerList(fields, context())
    expect(firstValue(headers, 'subject')).toBe('é  x')
    expect(firstValue(headers, 'x')).toBe('a')
    expect(firstValue(headers, 'w')).toBeUndefined()
    expect(firstField(fields, 'subject')).toBe('  =?utf-8?Q?=C3=A9?=  x')
    expect(firstField(fields, 'w')).toBeUndefined()
  })
})
