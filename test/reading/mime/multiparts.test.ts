import { describe, expect, test } from '@jest/globals'
import { READING_LIMITS } from '../../../core/limits.ts'
import { parseMail } from '../../../reading/read.ts'
import { CHUNK_SIZES, chunksOf } from './in-chunks.ts'

/**
 * Reads a message of these lines in chunks of several sizes, and returns its text, then each
 * attachment as `type: content`, then what parseError says.
 */
async function read(lines: string[], end = '\r\n', limits = READING_LIMITS): Promise<string[]> {
  const raw = Buffer.from(lines.join(end), 'latin1')
  const results: string[][] = []
  for (const size of CHUNK_SIZES) {
    const contents: string[] = []
    async function* source(): AsyncIterable<Uint8Array> {
      yield* chunksOf(raw, size)
    }
    async function save(_id: string, content: AsyncIterable<Uint8Array>): Promise<void> {
      const chunks: Uint8Array[] = []
      for await (const chunk of content) chunks.push(chunk)
      contents.push(Buffer.concat(chunks).toString('latin1').replaceAll('\r\n', '\n'))
    }
    const mail = await parseMail(source(), save, limits)
    results.push([
      mail.text,
      ...mail.attachments.map(({ contentType }, n) => `${contentType}: ${contents[n]}`),
      ...(mail.parseError === undefined ? [] : [mail.parseError]),
    ])
  }
  for (const result of results) expect(result).toEqual(results[0])
  return results[0]!
}

const MIXED = ['Content-Type: multipart/mixed; boundary=b', '']
const inner = (boundary: string) => [`Content-Type: multipart/mixed; boundary="${boundary}"`, '']

describe('parts', () => {
  test.each<[string, string[], string[]]>([
    ['two texts', [...MIXED, '--b', '', 'one', '--b', '', 'two', '--b--'], ['one\ntwo']],
    ['text before and behind them', [...MIXED, 'before', '--b', '', 'one', '--b--', 'behind', ''], ['one']],
    ['the last one is not closed', [...MIXED, '--b', '', 'one', '--b', '', 'two'], ['one\ntwo']],
    ['the last line is a boundary', [...MIXED, '--b', '', 'one', '--b'], ['one\n']],
    [
      'a boundary without a line break before it',
      ['Content-Type: multipart/mixed; boundary=b', '--b', '', 'one', '--b--'],
      ['one'],
    ],
    ['blank lines are content', [...MIXED, '--b', '', '', 'one', '', '', '--b--'], ['\none\n\n']],
    ['an empty one', [...MIXED, '--b', '', '--b', 'Content-Type: a/b', '', '--b--'], ['', 'a/b: ']],
    [
      'no blank line before the boundary',
      [...MIXED, '--b', 'Content-Type: a/b', '--b', '', 'two', '--b--'],
      ['two', 'a/b: '],
    ],
    ['no header and no blank line', [...MIXED, '--b', 'one, two', '--b--'], ['one, two']],
    [
      'a header without a blank line behind it',
      [...MIXED, '--b', 'Content-Type: a/b', 'one two', 'three', '--b--'],
      ['', 'a/b: one two\nthree'],
    ],
    [
      'a header with a line of one character behind it',
      [...MIXED, '--b', 'Content-Type: a/b', '-', 'three', '--b--'],
      ['', 'a/b: -\nthree'],
    ],
    [
      'a header with a line behind it that begins with a carriage return',
      [...MIXED, '--b', 'Content-Type: a/b', '\rone', 'three', '--b--'],
      ['', 'a/b: \rone\nthree'],
    ],
    [
      'behind a closing boundary',
      [...MIXED, '--b', '', 'one', '--b--', 'x', '--b', '', 'two', '--b--'],
      ['one\ntwo'],
    ],
    [
      'a boundary that closes twice',
      [...MIXED, '--b', '', 'one', '--b--', '--b--', '--b--x', '--b', '', 'two'],
      ['one\ntwo'],
    ],
    ['closed before the first one', [...MIXED, '--b--', '--b', '', 'one'], ['one']],
    [
      'HTML, and a text that a mailing list appends',
      [...MIXED, '--b', 'Content-Type: text/html', '', '<p>one</p>', '--b', '', 'two', '--b--'],
      ['one\n\ntwo'],
    ],
    [
      'HTML without a word, and a text',
      [...MIXED, '--b', 'Content-Type: text/html', '', '<p></p>', '--b', '', 'two', '--b--'],
      ['two'],
    ],
    [
      'a text, and HTML that repeats it',
      [...MIXED, '--b', '', 'one', '--b', 'Content-Type: text/html', '', '<h1>two</h1><p>One</p>', '--b--'],
      ['one'],
    ],
    [
      'HTML, and a text that repeats it',
      [...MIXED, '--b', 'Content-Type: text/html', '', '<p>One</p>', '--b', '', 'one', '--b--'],
      ['one'],
    ],
    [
      'a text that a gateway puts before HTML',
      [
        ...MIXED,
        '--b',
        '',
        'From outside.',
        '--b',
        'Content-Type: text/html',
        '',
        '<p>Your code</p>',
        '--b--',
      ],
      ['From outside.\n\nYour code'],
    ],
    [
      'a text without a word, and HTML',
      [...MIXED, '--b', '', '--', '--b', 'Content-Type: text/html', '', '<p>two</p>', '--b--'],
      ['--\n\ntwo'],
    ],
    [
      'an alternative whose HTML is beside a file',
      [
        'Content-Type: multipart/alternative; boundary=b',
        '',
        '--b',
        '',
        'one',
        '--b',
        ...inner('c'),
        '--c',
        'Content-Type: text/html',
        '',
        '<p>two</p>',
        '--c--',
        '--b--',
      ],
      ['one'],
    ],
    [
      'an alternative that begins with its HTML',
      [
        'Content-Type: multipart/alternative; boundary=b',
        '',
        '--b',
        'Content-Type: text/html',
        '',
        '<p>one</p>',
        '--b',
        '',
        'one',
        '--b--',
      ],
      ['one'],
    ],
    [
      'several of one alternative',
      [
        'Content-Type: multipart/alternative; boundary=b',
        '',
        '--b',
        '',
        'a',
        '--b',
        'Content-Type: text/plain; name=x',
        '',
        'b',
        '--b--',
      ],
      ['a\nb'],
    ],
  ])('%s', async (_name, lines, expected) => {
    expect(await read(lines)).toEqual(expected)
    expect(await read(lines, '\n')).toEqual(expected)
  })

  test('line breaks before a boundary belong to it, and no others', async () => {
    const raw = (...content: string[]) => [
      [...MIXED, '--b', 'Content-Type: a/b', '', ''].join('\n') + content.join(''),
      '--b--',
    ]
    expect(await read(raw('x\r'), '\n')).toEqual(['', 'a/b: x'])
    expect(await read(raw('x\r\r'), '\n')).toEqual(['', 'a/b: x\r'])
    expect(await read(raw('x\n\r'), '\n')).toEqual(['', 'a/b: x\n'])
    expect(await read(raw('x\n-\n-\n--\n---'), '\n')).toEqual(['', 'a/b: x\n-\n-\n--\n---'])
    expect(await read(raw('x\n--bx\n--\r'), '\n')).toEqual(['', 'a/b: x\n--bx\n--'])
    expect(await read([...MIXED, '--b', 'Content-Type: a/b', '', 'x\n-'], '\n')).toEqual(['', 'a/b: x\n-'])
    expect(await read([...MIXED, '--b', 'Content-Type: a/b', '', 'x\n\r'], '\n')).toEqual(['', 'a/b: x\n\r'])
    expect(await read([...MIXED, '--b', 'Content-Type: a/b', '', 'x\n'], '\n')).toEqual(['', 'a/b: x\n'])
    expect(await read([...MIXED, '--b', 'Content-Type: a/b', '', '-'], '\n')).toEqual(['', 'a/b: -'])
  })
})

describe('what is a boundary', () => {
  test.each<[string, string, string[], string[]]>([
    ['blanks behind it', 'b', ['--b \t', '', 'one', '--b-- '], ['one']],
    ['words behind it', 'b', ['--b words', '', 'one', '--b-- words', '--b', '', 'two'], ['one\ntwo']],
    [
      'a longer word',
      'b',
      ['--b', '', '--bb', '--b-', '--b-x', '--B', '-- b', ' --b', '-b', 'b', '--b--'],
      ['--bb\n--b-\n--b-x\n--B\n-- b\n --b\n-b\nb'],
    ],
    ['two dashes and a letter', 'b', ['--b', '', '--b--x', '--b--0', '--b--', 'x'], ['--b--x\n--b--0']],
    ['two dashes and a mark', 'b', ['--b', '', 'one', '--b--.', 'x'], ['one']],
    ['three dashes', 'b', ['--b', '', 'one', '--b---', 'x'], ['one']],
    ['dashes in it', '--', ['----', '', 'one', '------', 'x'], ['one']],
    ['blanks in it', 'a b', ['--a b', '', '--a', '--a  b', 'one', '--a b--'], ['--a\n--a  b\none']],
    ['blanks at its end in the header', 'b \t', ['--b', '', 'one', '--b--'], ['one']],
    ['special characters', "'()+_,-./:=?", ["--'()+_,-./:=?", '', 'one', "--'()+_,-./:=?--"], ['one']],
    [
      'bytes above ASCII',
      'gr\xc3\xbc\xc3\x9fe',
      ['--gr\xc3\xbc\xc3\x9fe', '', 'one', '--gr\xc3\xbc\xc3\x9fe--'],
      ['one'],
    ],
    ['a backslash', 'a\\\\b', ['--a\\b', '', 'one', '--a\\b--'], ['one']],
  ])('%s', async (_name, boundary, lines, expected) => {
    expect(await read([...inner(boundary), ...lines])).toEqual(expected)
  })

  test('a line of up to 4096 bytes', async () => {
    const lines = (length: number) => [...MIXED, '--b', '', 'one', `--b ${'x'.repeat(length - 4)}`, '', 'two']
    expect(await read(lines(4095))).toEqual(['one\ntwo'])
    expect(await read(lines(4096), '\n')).toEqual(['one\ntwo'])
    expect((await read(lines(4097), '\n'))[0]).toMatch(/^one\n--b x{4093}\n\ntwo$/)
  })
})

describe('a header that names no boundary: the first line that looks like one', () => {
  const NONE = ['Content-Type: multipart/mixed', '']

  test.each<[string, string[], string[]]>([
    ['letters', ['--abc', '', 'one', '--abc--'], ['one']],
    [
      'behind other lines',
      ['--', 'x', '---', '-- x', '--a b', 'x--abc', '--=_.x', '', 'one', '--=_.x--'],
      ['one'],
    ],
    ['0', ['--0', '', 'one', '--0--'], ['one']],
    ['9', ['--9', '', 'one', '--9--'], ['one']],
    ['a', ['--a', '', 'one', '--a--'], ['one']],
    ['z', ['--z', '', 'one', '--z--'], ['one']],
    ['A', ['--A', '', 'one', '--A--'], ['one']],
    ['Z', ['--Z', '', 'one', '--Z--'], ['one']],
    [
      'no letter and no digit',
      ['--/', '--:', '--@', '--[', '--`', '--{', '--x', '', 'one', '--x--'],
      ['one'],
    ],
    ['blanks behind it', ['--abc \t', '', 'one', '--abc--'], ['one']],
    ['it is the last line', ['x', '--abc'], ['']],
  ])('%s', async (_name, lines, expected) => {
    expect(await read([...NONE, ...lines])).toEqual(expected)
    expect(await read(['Content-Type: multipart/mixed; boundary=""', '', ...lines])).toEqual(expected)
  })

  test('only for the innermost multipart', async () => {
    const lines = [...MIXED, '--b', ...NONE, '--i', '', 'one', '--i--', '--b', '', 'two', '--i', '--b--']
    expect(await read(lines)).toEqual(['one\ntwo\n--i'])
    expect(await read([...MIXED, '--b', ...NONE, 'x', '--b', '', 'two', '--b--'])).toEqual([
      'x\ntwo',
      'The message says that it has parts, but contains none.',
    ])
  })
})

describe('parts in parts', () => {
  const nested = (outer: string, within: string, lines: string[]) => [
    ...inner(outer),
    `--${outer}`,
    ...inner(within),
    ...lines,
  ]

  test.each<[string, string[], string[]]>([
    [
      'both closed',
      nested('o', 'i', ['--i', '', 'one', '--i--', 'x', '--o', '', 'two', '--o--']),
      ['one\ntwo'],
    ],
    [
      'the inner one is never closed',
      nested('o', 'i', ['--i', '', 'one', '--o', '', 'two', '--o--']),
      ['one\ntwo'],
    ],
    [
      'the outer one closes both',
      nested('o', 'i', ['--i', '', 'one', '--o--', 'x', '--i', '', 'y']),
      ['one'],
    ],
    [
      'the inner boundary behind the inner parts is text',
      nested('o', 'i', ['--i', '', 'one', '--i--', '--o', '', 'two', '--i', 'x', '--o--']),
      ['one\ntwo\n--i\nx'],
    ],
    [
      'an inner part behind the inner end',
      nested('o', 'i', ['--i', '', 'one', '--i--', '--i', '', 'two', '--o', '', 'three', '--o--']),
      ['one\ntwo\nthree'],
    ],
    [
      'the same boundary',
      nested('b', 'b', ['--b', '', 'one', '--b--', '--b', '', 'two', '--b--']),
      ['one\ntwo'],
    ],
    [
      'the same boundary, and a part of the outer one behind the inner end',
      [
        ...inner('b'),
        '--b',
        'Content-Type: multipart/related; boundary=b',
        '',
        '--b',
        '',
        'one',
        '--b--',
        '--b',
        '',
        'two',
        '--b--',
      ],
      ['one\ntwo'],
    ],
    ['the same boundary, all closed', nested('b', 'b', ['--b', '', 'one', '--b--', '--b--', 'x']), ['one']],
    [
      'the outer boundary is the beginning of the inner one',
      nested('b', 'bb', ['--bb', '', 'one', '--bb--', '--b', '', 'two', '--b--']),
      ['one\ntwo'],
    ],
    [
      'the inner boundary is the beginning of the outer one',
      nested('bb', 'b', ['--b', '', 'one', '--b--', '--bb', '', 'two', '--bb--']),
      ['one\ntwo'],
    ],
    [
      'the outer end is the inner boundary',
      nested('b', 'b--', ['--b--', '', 'one', '--b----', '--b', '', 'two', '--b--']),
      ['one\ntwo'],
    ],
    [
      'the inner parts have ended, and the outer end is the inner boundary',
      nested('b', 'b--', ['--b--', '', 'one', '--b----', '--b--', 'x', '--b--', '', 'y']),
      ['one'],
    ],
    [
      'no inner part',
      nested('o', 'i', ['text', '--o', '', 'two', '--o--']),
      ['text\ntwo', 'The message says that it has parts, but contains none.'],
    ],
    [
      'no inner part and no text',
      nested('o', 'i, ', ['--o', '', 'two', '--o--']),
      ['\ntwo', 'The message says that it has parts, but contains none.'],
    ],
    [
      'three deep, closed by the outermost',
      [
        ...inner('o'),
        '--o',
        ...inner('m'),
        '--m',
        ...inner('i'),
        '--i',
        '',
        'one',
        '--o',
        '',
        'two',
        '--m',
        '--i',
        '--o--',
      ],
      ['one\ntwo\n--m\n--i'],
    ],
    [
      'a digest',
      [
        'Content-Type: multipart/digest; boundary=b',
        '',
        '--b',
        '',
        'Subject: x',
        '',
        'one',
        '--b',
        'Content-Type: text/plain',
        '',
        'two',
        '--b--',
      ],
      ['two', 'message/rfc822: Subject: x\n\none'],
    ],
  ])('%s', async (_name, lines, expected) => {
    expect(await read(lines)).toEqual(expected)
    expect(await read(lines, '\n')).toEqual(expected)
  })

  test('a kind of multipart that is malformed has parts if it names a boundary', async () => {
    const parts = ['', '--b', '', 'one', '--b--']
    for (const type of ['multipart', 'multipart/', 'multipart/*;x', 'MULTIPART/Mixed'])
      expect(await read([`Content-Type: ${type}; boundary=b`, ...parts])).toEqual(['one'])
    expect(
      await read(['Content-Type: multi/part; boundary=b', 'Content-Disposition: inline', ...parts]),
    ).toEqual(['', 'multi/part: --b\n\none\n--b--'])
    expect(await read(['Content-Type: multipart', ...parts])).toEqual(['--b\n\none\n--b--'])
  })
})

describe('an attached message', () => {
  const attached = (header: string[], ...lines: string[]) => [
    ...MIXED,
    '--b',
    'Content-Type: message/rfc822',
    '',
    ...header,
    ...lines,
    '--b',
    '',
    'behind',
    '--b--',
  ]
  const SAME = ['Subject: x', ...MIXED]

  test.each<[string, string[], string[]]>([
    [
      'with the boundary of the message around it',
      attached(SAME, '--b', '', 'one', '--b--'),
      ['behind', `message/rfc822: ${[...SAME, '--b', '', 'one', '--b--'].join('\n')}`],
    ],
    [
      'that closes it twice',
      attached(SAME, '--b', '', 'one', '--b--', '--b--', 'x'),
      ['behind', `message/rfc822: ${[...SAME, '--b', '', 'one', '--b--'].join('\n')}`],
    ],
    [
      'with another boundary',
      attached(inner('i'), '--i', '', 'one', '--i--'),
      ['behind', `message/rfc822: ${[...inner('i'), '--i', '', 'one', '--i--'].join('\n')}`],
    ],
    [
      'that is no multipart',
      attached(['Content-Type: text/plain; boundary=b', ''], 'one'),
      ['behind', 'message/rfc822: Content-Type: text/plain; boundary=b\n\none'],
    ],
    [
      'with a text before its first part',
      attached(SAME, 'text', '--b', '', 'one', '--b--'),
      ['behind', `message/rfc822: ${[...SAME, 'text', '--b', '', 'one', '--b--'].join('\n')}`],
    ],
    [
      'with the boundary in an encoded word',
      attached(inner('=?utf-8?q?b?='), '--b', '', 'one', '--b--'),
      ['behind', `message/rfc822: ${[...inner('=?utf-8?q?b?='), '--b', '', 'one', '--b--'].join('\n')}`],
    ],
    [
      'whose header does not end',
      attached(['Content-Type: multipart/mixed; boundary=b'], '--b', '', 'one', '--b--'),
      ['one\nbehind', 'message/rfc822: Content-Type: multipart/mixed; boundary=b'],
    ],
    ['without a header', attached([], 'one'), ['behind', 'message/rfc822: one']],
    ['that is empty', attached([]), ['behind', 'message/rfc822: ']],
    [
      'whose body begins with the boundary',
      attached(['Content-Type: multipart/mixed; boundary=b'], '', '--b', '', 'one', '--b--'),
      ['behind', 'message/rfc822: Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b--'],
    ],
    [
      'whose boundary is in a text further down',
      attached(['Subject: x', ''], ...MIXED, 'one'),
      ['behind', `message/rfc822: ${['Subject: x', '', ...MIXED, 'one'].join('\n')}`],
    ],
  ])('%s', async (_name, lines, expected) => {
    expect(await read(lines)).toEqual(expected)
    expect(await read(lines, '\n')).toEqual(expected)
  })
})

describe('limits', () => {
  const limits = { ...READING_LIMITS, parts: 2, partFields: 3, depth: 2, headerBytes: 60, headerFields: 2 }
  const parts = (count: number) => Array.from({ length: count }, (_, n) => ['--b', '', String(n)]).flat()

  test('as many parts as are allowed', async () => {
    expect(await read([...MIXED, ...parts(2), '--b--'], '\r\n', limits)).toEqual(['0\n1'])
    expect(await read([...MIXED, ...parts(3), '--b--'], '\r\n', limits)).toEqual([
      '0\n1',
      'The message has more than 2 parts.',
    ])
  })

  test('as many fields of parts as are allowed', async () => {
    const fields = (count: number) => Array.from({ length: count }, (_, n) => `X-${n}: x`)
    const message = (first: number, second: number) => [
      '--b',
      ...fields(first),
      '',
      'one',
      '--b',
      ...fields(second),
      '',
      'two',
      '--b--',
    ]
    expect(await read([...MIXED, ...message(1, 2)], '\r\n', limits)).toEqual(['one\ntwo'])
    expect(await read([...MIXED, ...message(2, 2)], '\r\n', limits)).toEqual([
      'one',
      'The headers of the parts have more than 3 fields.',
    ])
  })

  test('as deep as is allowed', async () => {
    const deep = (count: number) =>
      Array.from({ length: count }, (_, n) => [...inner(`b${n}`), `--b${n}`]).flat()
    expect(await read([...deep(2), '', 'x'], '\r\n', limits)).toEqual(['x'])
    expect(await read([...deep(3), '', 'x'], '\r\n', limits)).toEqual([
      '',
      'multipart/mixed: --b2\n\nx',
      'Parts are nested more than 2 deep.',
    ])
  })

  test('a header as long as is allowed', async () => {
    // The blank line counts too.
    const header = (bytes: number) => ['Subject: x', `X: ${'x'.repeat(bytes - 12 - 3 - 2 - 2)}`, '', 'text']
    expect(await read(header(60), '\r\n', limits)).toEqual(['text'])
    expect(await read(header(61), '\r\n', limits)).toEqual(['', 'A header is longer than 60 bytes.'])
    expect(await read([...MIXED, '--b', ...header(60)], '\r\n', limits)).toEqual(['text'])
    expect(await read([...MIXED, '--b', '', 'one', '--b', ...header(61)], '\r\n', limits)).toEqual([
      'one',
      'A header is longer than 60 bytes.',
    ])
  })

  test('as many fields as are allowed', async () => {
    expect(await read(['A: b', 'C: d', '', 'text'], '\r\n', limits)).toEqual(['text'])
    expect(await read(['A: b', 'C: d', 'E: f', '', 'text'], '\r\n', limits)).toEqual([
      'text',
      'A header has more than 2 fields.',
    ])
  })
})

test('a header that a carriage return ends', async () => {
  expect(await read(['Subject: x', '\r'], '\n')).toEqual([''])
})
