import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { LINK_BYTES, LINKS_MAX } from '../../core/limits.ts'
import { htmlLinks } from '../../reading/links/html.ts'
import { SENTENCE_BREAK, sentenceAround } from '../../reading/links/text.ts'
import { findLinks, LINK_SEARCH_WINDOW } from '../../reading/links.ts'

const LIMITS = { links: LINKS_MAX, linkBytes: LINK_BYTES }

interface Row {
  name: string
  text: string
  html?: string
  links: string[]
}

const ROWS = JSON.parse(
  readFileSync(new URL('../fixtures/mails/links.json', import.meta.url), 'utf8'),
) as Row[]

describe('mails', () => {
  test.each(ROWS.map((row): [string, Row] => [row.name, row]))('%s', (_name, { text, html, links }) => {
    expect(findLinks({ subject: '', text, html: html ?? null }, LIMITS).links).toEqual(links)
  })
})

test('white space between two tags separates their words', () => {
  const html =
    '<p><b>Confirm</b>\n<i>your</i> <b>address</b> <a href="https://acme.example/a">\n<u>here</u>\n</a></p>'
  expect(htmlLinks(html, 2048).links).toMatchObject([{ around: 'Confirm your address', words: ' here' }])
})

test('the sentence before a link belongs to it only if the words of the link are its address', () => {
  const around = (words: string) =>
    htmlLinks(`<p>It was changed. <a href="https://acme.example/a">${words}</a> for more.</p>`, 2048)
      .links[0]!.around
  expect([around('Look'), around('https://acme.example/a')]).toEqual([
    `It was changed.${SENTENCE_BREAK}for more`,
    'It was changed for more',
  ])
})

describe('a button without a sentence of its own', () => {
  const button = (n: number) => `<p><a href="https://acme.example/${n}">Go ${n}</a></p>`
  const around = (html: string) => htmlLinks(html, 2048).links.map((link) => link.around)

  test('has the two lines with words above it, whatever is above another button', () => {
    expect(
      around(
        `<p>One</p>${button(1)}<p>Two &amp; a half</p><p>&bull;</p>${button(2)}<p>Three</p>${button(3)}`,
      ),
    ).toEqual(['One', 'One\nTwo & a half', 'Two & a half\nThree'])
  })

  test.each([
    [15, 'Confirm your address'],
    [16, ''],
  ])('has no line that is above %i lines without words', (n, expected) => {
    expect(around(`<p>Confirm your address</p>${'<p>4</p>'.repeat(n)}${button(1)}`)).toEqual([expected])
  })

  test.each([
    [3999, 'end'],
    [4001, ''],
  ])('has of a line with many tags what begins within %i characters', (n, expected) => {
    expect(around(`<p>${'.'.repeat(n)}<b>end</b></p>${button(1)}`)[0]!.replaceAll('.', '')).toBe(expected)
  })
})

describe('limits', () => {
  const many = Array.from({ length: 99 }, (_, n) => `https://acme.example/${n}`)

  test('at most 50 links are returned, and a confirmation link comes first even if it is the last of them', () => {
    const links = findLinks(
      {
        subject: '',
        text: [...many.slice(0, 49), 'https://acme.example/verify/x', ...many.slice(49)].join('\n'),
        html: null,
      },
      LIMITS,
    ).links
    expect(links).toHaveLength(50)
    expect(links.slice(0, 2)).toEqual(['https://acme.example/verify/x', 'https://acme.example/0'])
  })

  test('of a text that was made from HTML the first 20 are read', () => {
    const mail = { subject: '', text: many.join('\n'), html: '<p>Kestrel</p>', isTextOfHtml: true }
    expect(findLinks(mail, LIMITS).links).toEqual(many.slice(0, 20))
  })

  test('a URL that is too long is omitted, not cut', () => {
    const long = `https://acme.example/${'a'.repeat(5000)}`
    expect(
      findLinks({ subject: '', text: `${long} https://b.example/`, html: `<a href="${long}">x</a>` }, LIMITS)
        .links,
    ).toEqual(['https://b.example/'])
  })

  test('links that differ only in the case of their path are two, of their host one', () => {
    const links = ['https://acme.example/i/Ab', 'https://acme.example/i/aB']
    const text = [...links, 'HTTPS://ACME.example/i/Ab'].join(' ')
    expect(findLinks({ subject: '', text, html: null }, LIMITS).links).toEqual(links)
  })

  test.each([
    ['see(HTTPS://acme.example/a)', ['HTTPS://acme.example/a']],
    ['xhttp://acme.example/a', ['http://acme.example/a']],
    ['ftp://acme.example/a://b http://acme.example/c', ['http://acme.example/c']],
    ['https://acme.example/?to=http://b.example/', ['https://acme.example/?to=http://b.example/']],
    [
      'https://acme.example/a\u3000https://acme.example/b文',
      ['https://acme.example/a', 'https://acme.example/b'],
    ],
    ['https://acme.example/a\u00a0b', ['https://acme.example/a']],
    ['://acme.example/a http://', []],
  ])('the URLs of %j', (text, links) => {
    expect(findLinks({ subject: '', text, html: null }, LIMITS).links).toEqual(links)
  })

  test('the words of a link may be written as entities', () => {
    const [help, confirm] = ['https://acme.example/a', 'https://acme.example/b']
    const html = `<p><a href="${help}">Hilfe</a></p><p><a href="${confirm}">Best&auml;tigen</a></p>`
    expect(findLinks({ subject: '', text: '', html }, LIMITS).links).toEqual([confirm, help])
  })

  test('only the beginning of a mail is searched', () => {
    const text = `${' '.repeat(LINK_SEARCH_WINDOW)}https://acme.example/`
    expect(findLinks({ subject: '', text, html: text }, LIMITS).links).toEqual([])
  })
})

/** A size at which a cost that is not linear exceeds the deadline of a test by far. */
const RUNS = 10

describe('hostile mail', () => {
  const PIECES = [
    '<a href="',
    "<a href='",
    '<a href=',
    '<a ',
    '<',
    '<!--',
    '<img src="',
    'href=',
    '<a href="https://a.b/x">confirm</a>',
    'https://',
    'https://a ',
    'https://a.b/(',
    'https://a.b/))) ',
    `https://a.b/${'('.repeat(2000)}${')'.repeat(2050)} `,
    '://',
    ')',
    '&amp;',
    '\n',
  ]

  test.each(PIECES)('%j repeated without an end costs time in proportion to its size', (piece) => {
    const full = piece.repeat(Math.ceil(LINK_SEARCH_WINDOW / piece.length))
    // Squared, the window would cost minutes: the test's own deadline tells the two apart on any machine.
    for (let i = 0; i < RUNS; i++)
      expect(() => findLinks({ subject: '', text: full, html: full }, LIMITS)).not.toThrow()
  })

  test('any characters are accepted', () => {
    const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).join('')
    const text = `https://a.b/${all} <a href="https://${all}">`
    expect(() => findLinks({ subject: '', text, html: text }, LIMITS)).not.toThrow()
  })
})

describe('a mail whose links have more words around them than are searched', () => {
  /** Links in one paragraph: each has 400 other characters around it. */
  const many = Array.from({ length: 90 }, (_, n) => `<a href=http://a.b/a${100_000 + n}>here</a>確認 ${n} `)
  const reset = (words: string) =>
    `<p>${words} <a href="https://app.example/reset?token=9f8e7d6c5b4a">reset your password</a></p>`
  const actionOf = (html: string) => findLinks({ subject: 'Hello', text: '', html }, LIMITS).actionLink

  test('keeps the action above them', () => {
    expect(actionOf(reset('You asked for it:') + many.join(''))).toMatchObject({ kind: 'reset' })
  })

  test('has no action below them, because what denies it is not read', () => {
    const html = (count: number) =>
      `${many.slice(0, count).join('')}</p>${reset('You asked for it:')}${reset('If you did not ask:')}`
    expect(actionOf(html(2))).toMatchObject({ kind: 'reset' })
    expect(actionOf(html(90))).toBeNull()
  })
})

describe('links with the same words are told apart', () => {
  const TOKEN = '?token=a1b2c3d4e5f6'

  function read(html: string, text = '') {
    return findLinks({ subject: 'Welcome', text, html }, { links: 50, linkBytes: 2048 })
  }

  test('by their addresses', () => {
    const url = `https://a.example/reset${TOKEN}`
    const html = `<p><a href="https://a.example/page">Reset your password</a></p><p><a href="${url}">Reset your password</a></p>`
    expect(read(html).actionLink?.url).toBe(url)
  })

  test.each([
    ['by the sentences around them', '<p>News, ', '<p>Confirm your email address '],
    ['by the paragraphs above them', '<p>News.</p><p>', '<p>Confirm your email address.</p><p>'],
  ])('%s', (_title, one, other) => {
    const url = `https://a.example/2${TOKEN}`
    const html = `${one}<a href="https://a.example/1${TOKEN}">here</a></p>${other}<a href="${url}">here</a></p>`
    expect(read(html).actionLink?.url).toBe(url)
  })

  test('and a link of the HTML is judged by its words there, not by those of the text', () => {
    const url = `https://a.example/1${TOKEN}`
    expect(read(`<a href="${url}">Our shop</a>`, `Confirm your email address: ${url}`).actionLink).toBeNull()
  })

  test.each(['finish-signup', 'double-optin', 'bekrafta'])(
    'and an address that confirms comes first: %s',
    (path) => {
      const html = `<a href="https://a.example/1">Products</a> <a href="https://a.example/${path}">Home</a>`
      expect(read(html).links).toEqual([`https://a.example/${path}`, 'https://a.example/1'])
    },
  )

  test('and legal words come last, whatever the address', () => {
    const html = '<a href="https://a.example/1">Privacy policy</a> <a href="https://a.example/2">Products</a>'
    expect(read(html).links).toEqual(['https://a.example/2', 'https://a.example/1'])
  })
})

test.each([
  ['One. Two ', ' three. Four', 'Two   three'],
  ['One! Two ', ' three! Four', 'Two   three'],
  ['One? Two ', ' three? Four', 'One? Two   three'],
  ['一。二', '三。四', '二 三'],
  ['一！二', '三！四', '二 三'],
  ['一？二', '三？四', '一？二 三'],
  ['Confirm here: ', ' Unsubscribe', 'Confirm here:'],
  ['确认：', '退订', '确认：'],
])('the sentence of a link between %j and %j is %j', (before, after, sentence) => {
  expect(sentenceAround(before, after)).toBe(sentence)
})

test('addresses whose slashes are all written as entities are links', () => {
  const url = 'https://acme.example/auth/link'
  for (const slash of ['&#x2F;', '&#x2f;', '&#47;']) {
    const html = `<p><a href="${url.replaceAll('/', slash)}">Log in</a></p>`
    expect(findLinks({ subject: '', text: '', html }, LIMITS).links).toEqual([url])
  }
})
