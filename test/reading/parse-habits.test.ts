import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import type { ParsedMail } from '../../reading/read.ts'
import { readLines, readWithAttachments } from './read-mail.ts'

/** Habits of mail programs that no RFC describes, and how good mail programs read them. */

const FOLDER = new URL('../fixtures/mime/', import.meta.url)

function fixture(name: string): Promise<{ mail: ParsedMail; attachments: Map<string, Buffer> }> {
  return readWithAttachments(readFileSync(new URL(`${name}.eml`, FOLDER)))
}

describe('boundaries', () => {
  test.each([
    ['blank-after-boundary', 'The tide is high.', null],
    ['inner-never-closed', 'The tide is high.', '<p>The tide is <b>high</b>.</p>'],
    ['boundary-of-another-name', 'The tide is high.', null],
    ['same-boundary-within', 'The tide is high.', null],
  ])('%s: the text and the PDF are read', async (name, text, html) => {
    const { mail, attachments } = await fixture(name)
    expect(mail).toMatchObject({ text, html })
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(['tide.pdf'])
    expect(attachments.get('0')!.toString()).toBe('%PDF-1.4 quay')
    expect(mail).not.toHaveProperty('parseError')
  })

  test('text behind a boundary is ignored; a longer word is not a boundary', async () => {
    const { mail } = await fixture('words-after-boundary')
    expect(mail).toMatchObject({ text: 'The tide is high.\n--quayside\nis no boundary.', attachments: [] })
  })

  test('every kind of multipart has parts', async () => {
    expect((await fixture('multipart-star')).mail.text).toBe('The tide is high.')
  })

  test('a multipart without any part is read as text, and parseError reports it', async () => {
    const { mail } = await fixture('no-part-at-all')
    expect(mail.text).toBe('The tide is high, and nothing parts it.\n')
    expect(mail.parseError).toContain('contains none')
  })

  test('the parts of a digest are messages', async () => {
    const { mail, attachments } = await fixture('digest')
    expect(mail.attachments.map(({ contentType }) => contentType)).toEqual([
      'message/rfc822',
      'message/rfc822',
    ])
    expect(attachments.get('1')!.toString()).toBe('Subject: two\r\n\r\nsecond')
  })

  test('an empty part between two others', async () => {
    const mail = await readLines(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      '--b',
      'Content-Type: a/b',
      '',
      '--b',
      '',
      'end',
      '--b--',
      '',
      'behind',
    )
    expect(mail.text).toBe('\nend')
    expect(mail.attachments).toMatchObject([{ contentType: 'a/b', size: 0 }])
  })
})

describe('the kind of a part', () => {
  test.each(['a', 'b', 'c', 'd', 'e'])('type-invalid-%s is text (RFC 2045, 5.2)', async (name) => {
    const { mail } = await fixture(`type-invalid-${name}`)
    expect(mail).toMatchObject({ text: 'Grüße vom Hafen\n', html: null, attachments: [] })
  })

  test('a parameter without a semicolon before it', async () => {
    const { mail } = await fixture('type-invalid-html')
    expect(mail.html).toBe('<p>Grüße vom <b>Hafen</b></p>\n')
    expect(mail.text).toBe('Grüße vom Hafen')
  })

  test('a text with a name is an attachment, one without a name is text (RFC 8621, 4.1.4)', async () => {
    const { mail, attachments } = await fixture('named-text')
    expect(mail.text).toBe('See the notes.\nA list wrote this line.')
    expect(mail.attachments).toMatchObject([
      { filename: 'notes.txt', contentType: 'text/plain', inline: true },
    ])
    expect(attachments.get('0')!.toString()).toBe('low tide')
  })

  test('the first part, and every part of an alternative, is text even with a name', async () => {
    const { mail } = await fixture('named-first-text')
    expect(mail).toMatchObject({ text: 'High.', html: '<b>High.</b>', attachments: [] })
  })

  test('names as Windows, Outlook, Gmail and RFC 2231 write them', async () => {
    const { mail } = await fixture('windows-path')
    expect(mail.attachments.map(({ filename, contentType }) => [filename, contentType])).toEqual([
      ['a.pdf', 'application/pdf'],
      ['say "ahoy".pdf', 'application/octet-stream'],
      ['high tide.bin', 'application/octet-stream'],
      ['Höhe.bin', 'application/octet-stream'],
      ['Höhe.bin', 'a/b'],
    ])
  })

  test.each([
    ['inline; filename=a.txt', 'text/plain', []],
    ['attachment', 'text/plain', [{ inline: false, filename: null }]],
    ['form-data', 'text/plain', [{ inline: false }]],
    ['', 'text/plain', []],
    ['inline', 'text/calendar', []],
    ['inline', 'image/png', [{ inline: true, contentType: 'image/png' }]],
  ])('a message of disposition %j and type %s', async (disposition, type, attachments) => {
    const mail = await readLines(`Content-Type: ${type}`, `Content-Disposition: ${disposition}`, '', 'x')
    expect(mail.attachments).toMatchObject(attachments)
    expect(mail.attachments).toHaveLength(attachments.length)
    expect(mail.text).toBe(attachments.length === 0 ? 'x' : '')
  })
})

describe('headers', () => {
  test('no header at all', async () => {
    const { mail } = await fixture('code-alone')
    expect(mail).toMatchObject({ headers: [], text: 'Your verification code is 739105\n', codes: ['739105'] })
  })

  test('no blank line behind the header', async () => {
    const { mail } = await fixture('no-blank-line')
    expect(mail).toMatchObject({ subject: 'Tide', from: { address: 'quay@harbour.example' } })
    expect(mail.text).toBe('The tide is high.\nNote: it stays.\n')
  })

  test.each(['bare-cr', 'mailbox-line', 'blank-before-first-field', 'blanks-before-colon'])(
    '%s',
    async (name) => {
      const { mail } = await fixture(name)
      expect(mail).toMatchObject({
        subject: 'Tide',
        from: { name: 'Harbour', address: 'quay@harbour.example' },
      })
      expect(mail.text).toMatch(/^The tide is high\.\n(?:It stays\.\n)?$/)
      expect(mail.headers.map(({ name }) => name)).toContain('From')
    },
  )

  test('a line among the fields that is not a field', async () => {
    const { mail } = await fixture('broken-header-line')
    expect(mail).toMatchObject({ subject: 'Tide', text: 'Grüße\n' })
  })

  test('bytes above ASCII in an encoded word', async () => {
    const { mail } = await fixture('word-raw-8bit')
    expect(mail).toMatchObject({ subject: 'Grüße vom Hafen', from: { name: 'Jörg' } })
  })

  test('a character that is split between two encoded words', async () => {
    expect((await fixture('word-broken-character')).mail.subject).toBe('Grüße Köln')
  })

  test('text that only looks like an encoded word', async () => {
    const words = ['=?', '=?x?', '=?utf-8?Q?open', '=?utf-8?X?a?=', '=??Q?a?=', 'a=?b?=c']
    expect((await readLines(`Subject: ${words.join(' ')}`, '', '')).subject).toBe(words.join(' '))
  })

  test('routes, comments, blanks, groups and semicolons in addresses (RFC 5322, 4.4)', async () => {
    const { mail } = await fixture('addresses-old')
    expect(mail.from).toEqual({ name: null, address: 'ann@harbour.example' })
    expect(mail.to).toEqual([
      { name: 'the (old) one', address: 'bob@harbour.example' },
      { name: 'Carol, C.', address: 'carol@harbour.example' },
      { name: 'Dave', address: 'dave@harbour.example' },
    ])
    expect(mail.cc).toEqual([
      { name: null, address: 'erin@harbour.example' },
      { name: null, address: 'frank@harbour.example' },
      { name: 'Gina', address: 'gina@harbour.example' },
    ])
  })

  test.each([
    ['ann@harbour.example', null, 'ann@harbour.example'],
    ['ann . lee @ harbour . example', null, 'ann.lee@harbour.example'],
    ['"ann lee"@harbour.example', null, '"ann lee"@harbour.example'],
    ['"Ann \\"A\\" Lee" <ann@harbour.example>', 'Ann "A" Lee', 'ann@harbour.example'],
    ['Ann Lee <ann@harbour.example', 'Ann Lee', 'ann@harbour.example'],
    ['"Ann <ann@harbour.example>', 'Ann', 'ann@harbour.example'],
    ['<ann(mine)@harbour.example>', null, 'ann@harbour.example'],
    ['Ann <mailto:ann@harbour.example>', 'Ann', 'ann@harbour.example'],
    ['ann@[IPv6:2001:db8::1]', null, 'ann@[IPv6:2001:db8::1]'],
    ['MAILER-DAEMON', 'MAILER-DAEMON', null],
    ['<>', null, null],
    ['undisclosed-recipients:;', null, null],
    ['(ann)', null, null],
    ['=?utf-8?Q?J=C3=B6rg=2C?= <j@harbour.example>', 'Jörg,', 'j@harbour.example'],
    ['jörg@häfen.example', null, 'jörg@häfen.example'],
  ])('From: %s', async (value, name, address) => {
    expect((await readLines(`From: ${value}`, '', '')).from).toEqual({ name, address })
  })

  test('the cost of all address fields together is bounded', async () => {
    const groups = Array.from({ length: 15 }, () => `To: ${'a:'.repeat(32_000)}b@harbour.example`)
    const mail = await readLines(...groups, 'Subject: s', '', 'x')
    expect(mail).toMatchObject({ subject: 's', text: 'x' })
    expect(mail.to.length).toBeLessThanOrEqual(2)
  })

  test.each([
    ['Sat, 21 Nov 2026 10:00:00 +0900', '2026-11-21T01:00:00.000Z'],
    ['Sat, 21 Nov 2026 10:00:00 JST', '2026-11-21T01:00:00.000Z'],
    ['Sat, 21 Nov 2026 10:00:00 CEST', '2026-11-21T08:00:00.000Z'],
    ['Sat, 21 Nov 2026 10:00:00 EST', '2026-11-21T15:00:00.000Z'],
    ['Sat, 21 Nov 2026 10:00:00 Eastern Daylight Time', '2026-11-21T14:00:00.000Z'],
    ['Sat, 21 Nov 2026 10:00:00 W. Europe Standard Time', '2026-11-21T09:00:00.000Z'],
    ['Sat, 21 Nov 2026 10:00:00 +-0500', '2026-11-21T15:00:00.000Z'],
    ['Sat, 21 Nov 2026 10:00:00 GMT+0200', '2026-11-21T08:00:00.000Z'],
    ['Sat, 21 Nov 2026 10:00:00 -0330 (NST)', '2026-11-21T13:30:00.000Z'],
    ['Sat, 21 Nov 2026 10:00:00 (CET)', '2026-11-21T09:00:00.000Z'],
    ['Sat, 21 Nov 2026 10:00:00', '2026-11-21T10:00:00.000Z'],
    ['Sat, 21 Nov 2026 10:00:00 nowhere', '2026-11-21T10:00:00.000Z'],
    ['21 Nov 26 10:00 Z', '2026-11-21T10:00:00.000Z'],
    ['Sat, 21-Nov-1998 10.00.00 GMT', '1998-11-21T10:00:00.000Z'],
    ['21 Nov 98 10:00:00 GMT', '1998-11-21T10:00:00.000Z'],
    ['21 Nov 126 10:00:00 GMT', '2026-11-21T10:00:00.000Z'],
    ['Saturday, 21 November 2026 10:00:00 +0100', '2026-11-21T09:00:00.000Z'],
    ['Sat Nov 21 10:00:00 2026', '2026-11-21T10:00:00.000Z'],
    ['Sat Nov 21 10:00:00 PST 2026', '2026-11-21T18:00:00.000Z'],
    ['2026-11-21T10:00:00.5+01:00', '2026-11-21T09:00:00.000Z'],
    ['2026-11-21 10:00:00', '2026-11-21T10:00:00.000Z'],
    ['Sat, 32 Nov 2026 10:00:00 +0000', null],
    ['Sat, 21 Foo 2026 10:00:00 +0000', null],
    ['Sat, 21 Nov 2026 10:61:00 +0000', null],
    ['Sat, 21 Nov 2026 10:00:00 +0099', '2026-11-21T08:21:00.000Z'],
    ['Sat, 21 Nov 2026 10:00:00 +2400', null],
    ['now', null],
  ])('Date: %s', async (value, expected) => {
    expect((await readLines(`Date: ${value}`, '', '')).date).toBe(expected)
  })
})

describe('charsets', () => {
  test.each([
    ['ascii-8bit', 'Café € 5\n'],
    ['ascii-utf8', 'Café € 5\n'],
    ['one-wrong-byte', 'Grüße\nfünf\nKöln\n'],
    ['meta-charset', 'Ваш код: 553918'],
    ['meta-outvoted', 'Код'],
    ['utf-16-big', 'Flut 5 €'],
    ['utf-16-big-unmarked', 'Flut 5'],
    ['utf-7', 'Grüße 1 + 1 = 2\n'],
    ['iso-2022-jp-switches', 'テスト\n'],
    ['charset-aliases', '“Flut”\n'],
  ])('%s', async (name, text) => {
    expect((await fixture(name)).mail.text).toBe(text)
  })

  test('a code in HTML that names its charset', async () => {
    expect((await fixture('meta-charset')).mail.codes).toEqual(['553918'])
  })
})

describe('transfer encodings', () => {
  test.each(['x-uuencode', 'uuencode'])('%s', async (name) => {
    const { attachments } = await fixture(name)
    expect([...attachments.get('0')!]).toEqual(Array.from({ length: 200 }, (_, byte) => byte))
  })

  test.each(['semicolon', 'quotes', 'comment', 'case'])('base64 with %s', async (name) => {
    expect((await fixture(`base64-${name}`)).mail.text).toBe('Grüße vom Hafen')
  })

  test('concatenated pieces of base64', async () => {
    expect((await fixture('base64-joined')).attachments.get('0')!.toString()).toBe('HelloWorld')
  })

  test('text that claims to be base64 and is plain', async () => {
    const { mail } = await fixture('base64-claimed')
    expect(mail.text).toBe('The tide is high, and this is not encoded at all.\n')
  })
})

describe('HTML', () => {
  test('text outside the body element is text', async () => {
    const { mail } = await fixture('html-outside-body')
    expect(mail.text).toBe('Before the body.\n\nInside é…\n\nBehind it: 5 €')
  })

  test('list items, breaks, links, cells and blanks as readers see them', async () => {
    const html = [
      '<ul><li>one<li>two</ul>a&nbsp;b<br>c<br><br>d<hr>',
      '<a href="https://harbour.example/?a=1&amp;b=2">Go</a> <a href="https://harbour.example/">https://harbour.example/</a>',
      '<a href="#x">here</a><a href="https://harbour.example/logo"><img src="x.png"></a>',
      '<table><tr><td>k</td><td>v</td></tr></table><pre>x\n  y</pre>',
      '<style>p{}</style><script>no()</script><!-- no --> 1 < 2 &lt; 3',
    ].join('\n')
    const mail = await readLines('Content-Type: text/html', '', html)
    expect(mail.text).toBe(
      [
        '* one\n* two\n\na b\nc\n\nd\n\nGo [https://harbour.example/?a=1&b=2] https://harbour.example/ here',
        'k v',
        'x y',
        '1 < 2 < 3',
      ].join('\n\n'),
    )
  })

  const blocks: [separator: string, names: string][] = [
    ['\n\n', 'p h1 h2 h3 h4 h5 h6 dl blockquote pre center form'],
    ['\n', 'div section article header footer dt dd address main nav figure fieldset'],
  ]
  test.each(blocks)('text is parted by %j from the elements %s', async (separator, names) => {
    for (const name of names.split(' ')) {
      const mail = await readLines('Content-Type: text/html', '', `one<${name}>two</${name}>three`)
      expect([name, mail.text]).toEqual([name, ['one', 'two', 'three'].join(separator)])
    }
  })

  const URL = 'https://harbour.example/?t=1'
  test.each([
    ['Go</a>More', `Go [${URL}] More`],
    ['Go</a>日本', `Go [${URL}] 日本`],
    ['Go</a>, (more)', `Go [${URL}], (more)`],
    ['Go </a> <b>More</b>', `Go [${URL}] More`],
    ['\n Go\n</a>\n<b>More</b>', `Go [${URL}] More`],
    ['Go<br></a>More', `Go\n[${URL}] More`],
    ['Go</a><br>More', `Go [${URL}]\nMore`],
    [`Go<a href="${URL}">Again`, `Go [${URL}] Again [${URL}]`],
    ['Go<p>More', `Go\n\nMore [${URL}]`],
    [`${URL}</a>More`, `${URL} More`],
    [`${URL}</a>, (more)`, `${URL}, (more)`],
  ])('the address of the link in %j is separated from the words behind it', async (html, text) => {
    const mail = await readLines('Content-Type: text/html', '', `<a href="${URL}">${html}`)
    expect(mail).toMatchObject({ text, links: [URL] })
  })
})

test('only the beginning of megabytes of HTML is converted to text; all of the HTML is kept', async () => {
  const html = `<p>before</p>${'<i></i>'.repeat(600_000)}<p>behind</p>`
  const mail = await readLines('Content-Type: text/html', '', html)
  expect(mail.text).toBe('before')
  expect(mail.html).toBe(html)
})

describe('flowed text (RFC 3676)', () => {
  test.each([
    ['format=flowed', 'one \r\ntwo\r\nthree', 'one two\nthree'],
    ['format=flowed; delsp=yes', 'one \r\ntwo', 'onetwo'],
    ['format=flowed', '> one \r\n> two\r\n>> deep \r\nup', '> one two\n>> deep \nup'],
    ['format=flowed', ' stuffed\r\n-- \r\nAnn', 'stuffed\n-- \nAnn'],
    ['format=fixed', 'one \r\ntwo', 'one \ntwo'],
  ])('%s: %j', async (parameter, text, expected) => {
    expect((await readLines(`Content-Type: text/plain; ${parameter}`, '', text)).text).toBe(expected)
  })
})

describe('rare cases', () => {
  const multipart = (type: string, ...parts: string[]) =>
    readWithAttachments(
      Buffer.from(
        `Content-Type: multipart/${type}; boundary=b\r\n\r\n${parts.map((part) => `--b\r\n${part}\r\n`).join('')}`,
      ),
    )

  test('a part behind a closing boundary is read', async () => {
    const { mail } = await multipart('mixed', '\r\none\r\n--b--', '\r\ntwo')
    expect(mail.text).toBe('one\ntwo\n')
  })

  test('a text without a name in multipart/related is an attachment unless it is the first part', async () => {
    const { mail } = await multipart('related', 'Content-Type: text/html\r\n\r\n<p>a</p>', '\r\nb')
    expect(mail).toMatchObject({ text: 'a', attachments: [{ contentType: 'text/plain', inline: true }] })
  })

  test('pieces of a name in any order, and a bracket that is never closed', async () => {
    const names = await readLines(
      'Content-Disposition: attachment; filename*1=de.txt; filename*0=ti',
      '',
      'x',
    )
    expect(names.attachments[0]!.filename).toBe('tide.txt')
    const bracket = await readLines('Content-Disposition: attachment; filename=a(b.txt', '', 'x')
    expect(bracket.attachments[0]!.filename).toBe('a(b.txt')
  })

  test('HTML that can be read as ASCII is not UTF-16, whatever it claims', async () => {
    expect((await readLines('Content-Type: text/html', '', '<meta charset="utf-16"><p>é</p>')).text).toBe('é')
  })

  test('bytes behind the end of uuencode are not content', async () => {
    const { attachments } = await readWithAttachments(
      Buffer.from(
        'Content-Type: a/b\r\nContent-Transfer-Encoding: x-uue\r\n\r\nbegin 644 a\r\n#86)C\r\nend\r\n#86)C\r\n',
      ),
    )
    expect(attachments.get('0')!.toString()).toBe('abc')
  })
})
