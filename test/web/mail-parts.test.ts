import { describe, expect, test } from '@jest/globals'
import { nameOf, previewOf, sorted } from '../../web/inbox/attachment-kinds.ts'
import { linkTexts } from '../../web/inbox/link-texts.ts'
import type { Attachment, WholeEmail } from '../../web/lib/api.ts'
import { dayAndTime } from '../../web/lib/format.ts'

const file = (facts: Partial<Attachment>) =>
  ({ id: '0', filename: null, content_type: 'text/plain', content_id: null, ...facts }) as Attachment

describe('the texts of links', () => {
  test.each([
    ['<a href="https://a.example/1">Read <b>the</b>\n story</a>', 'https://a.example/1', 'Read the story'],
    ["<a class=x href='https://a.example/2'><img src=x alt='A &amp; B'></a>", 'https://a.example/2', 'A & B'],
    ['<A HREF=https://a.example/3>&#8594;&#x2192; &hellip;</A>', 'https://a.example/3', '→→ …'],
    [
      '<a href="https://a.example/names">&amp;&lt;&gt;&quot;&apos;&nbsp;&rarr;&raquo;&rsquo;&hellip;</a>',
      'https://a.example/names',
      `&<>"' →»’…`,
    ],
    [
      '<a href="https://a.example/capitals">&AMP; &#X2192; &NBSP;&#x2F;</a>',
      'https://a.example/capitals',
      '& → /',
    ],
    ['<a href="https://a.example/?a=1&amp;b=2">x</a>', 'https://a.example/?a=1&b=2', 'x'],
    ['<a href="https://a.example/4">one<a href="https://a.example/5">two</a>', 'https://a.example/5', 'two'],
    ['<a href="https://a.example/6">Go <b</a>', 'https://a.example/6', 'Go'],
    // Numbers that no character has stay as they are.
    [
      '<a href="https://a.example/7">&#0; &#x110000; &#x1f600;</a>',
      'https://a.example/7',
      '&#0; &#x110000; 😀',
    ],
  ])('%s', (html, url, text) => {
    expect(linkTexts(html).get(url)).toBe(text)
  })

  test('links without a text, an end or a URL are left out', () => {
    const html = '<a href="https://a.example"> </a><a name="x">x</a><a href="https://b.example">never closed'
    expect([...linkTexts(html)]).toEqual([])
    expect(linkTexts('<a '.repeat(100_000)).size).toBe(0)
    expect(linkTexts(`<a href="x">${'<'.repeat(100_000)}`).size).toBe(0)
  })
})

describe('of the markup of links is read', () => {
  const texts = (html: string) => [...linkTexts(html).values()]
  const link = (n: number) => `<a href="https://a.example/${n}">x</a>`
  const links = (count: number) => Array.from({ length: count }, (_, n) => link(n)).join('')

  test.each<[what: string, html: (most: number) => string, most: number]>([
    ['so many links', (count) => links(500 - 1) + '<a x>x</a>'.repeat(count - 500) + link(500), 500],
    ['so much of a tag', (length) => `<a ${'x'.repeat(length - ' href=u'.length)} href=u>x</a>`, 8000],
    ['so much of a text', (length) => `<a href=u>${'x'.repeat(length - '</a'.length)}</a>`, 4000],
    [
      'so much in all',
      (length) => `${' '.repeat(length - '<a href=u>x</a'.length)}<a href=u>x</a>`,
      1_000_000,
    ],
  ])('%s', (_, html, most) => {
    expect(texts(html(most)).at(-1)).toMatch(/^x+$/)
    const found = texts(html(most + 1))
    expect(found.length).toBe(texts(html(most)).length - 1)
  })
})

describe('attachments', () => {
  test('are shown by their type alone', () => {
    const shown = (types: string) => [
      ...new Set(types.split(' ').map((content_type) => previewOf(file({ content_type })) ?? 'none')),
    ]
    expect(shown('application/pdf image/png image/jpeg image/gif image/webp image/avif image/bmp')).toEqual([
      'file',
    ])
    expect(
      shown(
        'text/plain text/csv text/calendar text/vcard text/markdown text/xml text/html text/css message/rfc822 ' +
          'application/json application/xml application/ics application/x-ndjson application/pgp-signature',
      ),
    ).toEqual(['text'])
    expect(
      shown(
        'image/svg+xml text/javascript application/zip application/pdfx ximage/png xtext/plain text/plainx',
      ),
    ).toEqual(['none'])
  })

  test('without a file name are named by their type', () => {
    const types = ['text/calendar', 'image/png', 'image/svg+xml', 'message/rfc822', 'application/pdf', 'x/y']
    expect(types.map((content_type) => nameOf(file({ content_type })))).toEqual([
      'invitation-0.ics',
      'image-0.png',
      'image-0.svg',
      'email-0.eml',
      'document-0.pdf',
      'attachment-0',
    ])
    expect(nameOf(file({ filename: 'a.txt' }))).toBe('a.txt')
  })

  test('are shown as text or drawn only if nothing in them runs', () => {
    const types = ['text/calendar', 'text/html', 'image/png', 'image/svg+xml', 'application/zip']
    expect(types.map((content_type) => previewOf(file({ content_type })))).toEqual([
      'text',
      'text',
      'file',
      undefined,
      undefined,
    ])
  })

  test('that the HTML shows are apart from files', () => {
    const shown = file({ id: '1', content_type: 'image/png', content_id: 'a b@x' })
    const unseen = file({ id: '2', content_type: 'image/png', content_id: 'other@x' })
    const attachments = [shown, unseen, file({ id: '3' })]
    const email = { attachments, body_html: '<img src="cid:a%20b@x">' } as WholeEmail
    expect(sorted(email)).toEqual({ files: [unseen, file({ id: '3' })], inline: [shown] })
    expect(sorted({ ...email, body_html: null }).inline).toEqual([])
    // A text is shown as a file, also if the HTML names it as an image.
    const text = file({ id: '4', content_type: 'text/plain', content_id: 'a b@x' })
    expect(sorted({ ...email, attachments: [text] }).files).toEqual([text])
  })
})

test('a time is said by its day', () => {
  const now = new Date(2026, 10, 21, 10, 0).getTime()
  const at = (day: number) => dayAndTime(new Date(2026, 10, day, 16, 2).toISOString(), now)
  expect([at(21), at(22), at(23)].map((text) => text.replace(/\s/g, ' '))).toEqual([
    'today at 4:02 PM',
    'tomorrow at 4:02 PM',
    'on Nov 23, 2026, 4:02 PM',
  ])
})
