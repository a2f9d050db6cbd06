import { execFileSync } from 'node:child_process'
import { describe, expect, test } from '@jest/globals'
import { entityOf, fieldOf, isShown, partsOf } from '../../../adapters/catcher-apis/header-block.ts'
import { hasCrlf, withCrlf } from '../../../adapters/catcher-apis/line-ends.ts'
import { isCatcherPath } from '../../../adapters/catcher-apis/paths.ts'
import { parseQuery } from '../../../adapters/catcher-apis/query.ts'
import { within } from '../../../adapters/catcher-apis/search.ts'
import { timeIn } from '../../../adapters/catcher-apis/time-zone.ts'

test.each([
  ['/api/v1/x', true],
  ['/api/v2/', true],
  ['//api//v1/x', true],
  ['/api/events', true],
  ['/api//events', true],
  ['/livez', true],
  ['//readyz', true],
  ['/view/x', true],
  ['/api/v3/x', false],
  ['/api/v1', false],
  ['/api/events/x', false],
  ['/livez/x', false],
  ['/view', false],
  ['/x/api/v1/x', false],
])('the path %s is one of Mailpit or MailHog: %s', (path, is) => {
  expect(isCatcherPath(path)).toBe(is)
})

describe('a message', () => {
  test.each<[text: string, fields: [string, string][], body: string]>([
    [
      'A: 1\r\nB : 2 \r\n\r\nbody\r\n',
      [
        ['A', '1'],
        ['B', '2'],
      ],
      'body\r\n',
    ],
    ['A: 1\n\nbody\n\nmore', [['A', '1']], 'body\n\nmore'],
    ['\r\nA: 1\r\n\r\nbody', [], 'A: 1\r\n\r\nbody'],
    ['\nbody', [], 'body'],
    [
      'A: 1\r\nB: 2',
      [
        ['A', '1'],
        ['B', '2'],
      ],
      '',
    ],
    [
      'A: 1\r\n \t2\r\n\t3:4\r\nB:5\r\n\r\n',
      [
        ['A', '1 2 3:4'],
        ['B', '5'],
      ],
      '',
    ],
    ['From someone\r\n: x\r\nA:\r\n\r\n', [['A', '']], ''],
  ])('%j has its fields and its body', (text, fields, body) => {
    expect(entityOf(text)).toEqual({ fields: fields.map(([name, value]) => ({ name, value })), body })
  })

  test('the first field of a name counts, in any case of letters', () => {
    const entity = entityOf('X-A: 1\r\nx-a: 2\r\n\r\n')
    expect([fieldOf(entity, 'x-a'), fieldOf(entity, 'x-b')]).toEqual(['1', ''])
  })

  const parts = (type: string, body: string) => partsOf(entityOf(`Content-Type: ${type}\r\n\r\n${body}`))

  test.each<[type: string, body: string, parts: string[] | undefined]>([
    ['multipart/mixed; boundary=b', '--b\r\none\r\n--b\r\ntwo\r\n--b--\r\nend', ['one', 'two']],
    ['multipart/mixed; boundary="b c"', 'before\n--b c \t\none\n--b c--', ['one']],
    ['MULTIPART/mixed; x=y;BOUNDARY=b;z=1', '--b\r\n\r\none\r\n\r\n--b\r\ntwo', ['\r\none\r\n', 'two']],
    ['multipart/mixed', '--b\r\none', undefined],
    ['text/plain; boundary=b', '--b\r\none\r\n--b--', undefined],
    ['x-multipart/mixed; boundary=b', '--b\r\none\r\n--b--', undefined],
    ['multipart/mixed; boundary=b', 'none', []],
  ])('of type %s has its parts: %j', (type, body, expected) => {
    expect(parts(type, body)).toEqual(expected)
  })

  test('has at most 500 parts, in a depth of 20', () => {
    const body = (count: number) => `${'--b\r\nx\r\n'.repeat(count)}--b--`
    expect(parts('multipart/mixed; boundary=b', body(500))).toHaveLength(500)
    expect(parts('multipart/mixed; boundary=b', body(501))).toHaveLength(500)
    expect([isShown(0), isShown(19), isShown(20)]).toEqual([true, true, false])
  })
})

describe('line ends', () => {
  const text = (type: string, encoding: string, body: string) =>
    `Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`
  const base64 = (body: string) => Buffer.from(body).toString('base64')
  const mixed = (...pieces: string[]) =>
    `Content-Type: multipart/mixed; boundary=b\r\n\r\n${pieces.map((piece) => `--b\r\n${piece}\r\n`).join('')}--b--`

  test.each<[message: string, type: string, has: boolean]>([
    ['Subject: x\r\n\r\nx', 'text/plain', true],
    ['Subject: x\r\n\r\nx', 'text/html', false],
    [text('TEXT/html; charset=x', '7bit', 'x'), 'text/html', true],
    [text('text/plain', 'BASE64', base64('a\r\nb')), 'text/plain', true],
    [text('text/plain', 'base64', base64('a\nb')), 'text/plain', false],
    // The first part of the type decides.
    [mixed(text('text/plain', 'base64', base64('a')), text('text/plain', '8bit', 'a')), 'text/plain', false],
    [mixed(text('text/plain', '8bit', 'a'), text('text/plain', 'base64', base64('a'))), 'text/plain', true],
    [mixed(text('image/png', 'base64', 'AAAA'), mixed(text('text/html', '8bit', 'a'))), 'text/html', true],
    [mixed(text('image/png', 'base64', 'AAAA')), 'text/html', false],
  ])('%j has CR LF in its %s: %s', (message, type, has) => {
    expect(hasCrlf(entityOf(message), type)).toBe(has)
  })

  test('are those of a part in a depth of 20', () => {
    const nested = (depth: number): string => {
      const inner = depth === 1 ? text('text/html', '8bit', 'a') : nested(depth - 1)
      return `Content-Type: multipart/mixed; boundary=b${depth}x\r\n\r\n--b${depth}x\r\n${inner}\r\n--b${depth}x--`
    }
    expect([20, 21].map((depth) => hasCrlf(entityOf(nested(depth)), 'text/html'))).toEqual([true, false])
  })

  test.each(['a\nb\n', 'a\\n\nb', '\\\\n\n', '\n\n', 'a'])('of the JSON of %j are CR LF', (body) => {
    expect(JSON.parse(withCrlf(JSON.stringify(body)))).toBe(body.replaceAll('\n', '\r\n'))
  })
})

describe('a time', () => {
  test.each([
    ['', '1577836800', '2020-01-01T00:00:00Z'],
    ['', '1577836800001', '2020-01-01T00:00:00.001Z'],
    ['', ' 2020-01-02t10:00:00z ', '2020-01-02T10:00:00Z'],
    ['', '2020-01-02T10:00:00+02:00', '2020-01-02T08:00:00Z'],
    ['', '2020-01-02 10:00:00-0230', '2020-01-02T12:30:00Z'],
    ['UTC', '2020-01-02', '2020-01-02T00:00:00Z'],
    ['UTC', '20200102', '2020-01-02T00:00:00Z'],
    ['UTC', '2020-01-02T10:00', '2020-01-02T10:00:00Z'],
    ['UTC', 'Jan 2, 2020', '2020-01-02T00:00:00Z'],
    ['Asia/Kolkata', '2020-01-02 10:00', '2020-01-02T04:30:00Z'],
    // Its year looks like an offset.
    ['Asia/Kolkata', '01-02-2020', '2020-01-01T18:30:00Z'],
    ['America/St_Johns', '2020-01-02 10:00', '2020-01-02T13:30:00Z'],
    ['Europe/Berlin', '2020-01-02 10:00', '2020-01-02T09:00:00Z'],
    ['Europe/Berlin', '2020-07-02 10:00', '2020-07-02T08:00:00Z'],
    // One after the other: the formatter of a zone is kept.
    ['UTC', '2020-07-02 10:00', '2020-07-02T10:00:00Z'],
  ])('in the zone %j: %s', (zone, text, moment) => {
    expect(timeIn(zone, text)).toBe(Date.parse(moment))
  })

  test.each(['', 'foo 5', 'nonsense', '123456789', '12345678901', '2020-13-45', '2020-01-02T99:00:00Z'])(
    'that is none: %j',
    (text) => expect(timeIn('UTC', text)).toBeUndefined(),
  )

  test('in a zone that is unknown, or in none, is that of the machine, on which no other zone depends', () => {
    const program = `import { timeIn } from './adapters/catcher-apis/time-zone.ts'
      for (const zone of ['', 'Mars/Olympus', 'Europe/Berlin']) console.log(timeIn(zone, '2020-01-02 10:00'))`
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
      env: { ...process.env, TZ: 'America/New_York' },
    })
    const moments = ['15:00', '15:00', '09:00'].map((time) => Date.parse(`2020-01-02T${time}:00Z`))
    expect(printed.trim().split('\n').map(Number)).toEqual(moments)
  })
})

describe('a search', () => {
  const matches = (query: string, email: object) => parseQuery(query, 'UTC').matches({ email } as never)

  test.each<[query: string, most: number]>([
    ['100', 100],
    ['100b', 100],
    ['1k', 1024],
    ['1KB', 1024],
    ['"1 k"', 1024],
    ['1.5k', 1536],
    ['1M', 1_048_576],
    ['0.5mb', 524_288],
  ])('for a size of %s compares bytes', async (size, bytes) => {
    const sized = async (query: string) => [
      await matches(query, { size: bytes - 1 }),
      await matches(query, { size: bytes }),
      await matches(query, { size: bytes + 1 }),
    ]
    expect(await sized(`larger:${size}`)).toEqual([false, false, true])
    expect(await sized(`smaller:${size}`)).toEqual([true, false, false])
    expect(await sized(`-smaller:${size}`)).toEqual([false, true, true])
  })

  test('for a time includes it', async () => {
    const received = async (query: string) => [
      await matches(query, { receivedAt: 1_577_836_799_999 }),
      await matches(query, { receivedAt: 1_577_836_800_000 }),
      await matches(query, { receivedAt: 1_577_836_800_001 }),
    ]
    expect(await received('before:2020-01-01')).toEqual([true, true, false])
    expect(await received('after:2020-01-01')).toEqual([false, true, true])
  })

  test('tells the index which addresses and subjects each match has', () => {
    const asked = (query: string) => {
      const { addresses, subjects } = parseQuery(query, '')
      return { addresses, subjects }
    }
    expect(asked('to:Jo from:Bob cc:c bcc:d reply-to:r addressed:a subject:"Two Words" jo@x.test')).toEqual({
      addresses: ['jo', 'bob', 'c', 'd', 'r', 'a', 'jo@x.test'],
      subjects: ['two words'],
    })
    expect(asked('-to:jo !subject:x -jo@x.test word jo@x message-id:m is:read larger:5')).toEqual({
      addresses: [],
      subjects: [],
    })
  })
})

test('an answer lists at most 16 MB of messages, and at least one', async () => {
  const listed = async (...bytes: number[]) =>
    (await within(bytes as never[], async (size) => 'x'.repeat(Number(size) - 2))).length
  const MB = 1024 * 1024
  expect(await listed(8 * MB, 8 * MB, 3)).toBe(2)
  expect(await listed(8 * MB, 8 * MB + 1, 3)).toBe(1)
  expect(await listed(17 * MB, 3)).toBe(1)
})
