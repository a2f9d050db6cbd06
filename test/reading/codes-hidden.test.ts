import { describe, expect, test } from '@jest/globals'
import { searchableText } from '../../reading/html/text.ts'
import { findCodes } from './find-codes.ts'

function codes(html: string): string[] {
  return findCodes({ subject: '', text: 'This mail has to be seen as HTML.', html })
}

/** Ways to hide text, as the tag that begins it. */
const WAYS = [
  '<span style="display:none">',
  '<span style="color: red; DISPLAY : NONE !important">',
  '<span style="visibility:hidden">',
  '<span style="font-size:0">',
  '<span style="font-size:0px;line-height:0">',
  '<span style="opacity:0">',
  '<span style="opacity:0.0">',
  '<span style="max-height:0;overflow:hidden">',
  '<span hidden>',
  '<span class="x pre">',
  '<span class="first">',
  '<span class="only">',
  '<span style="position:absolute;left:-9999px">',
  '<span style="max-height:0;overflow-y:hidden">',
  '<span title="https://x.example/?style=3" style="display:none">',
  '<span style="text-indent:-500px">',
  '<span style="display:none !important;display:block">',
  '<span style="font-size:0;font-size:0.0em">',
  '<span style="color:#fff;background:#ffffff">',
  '<span style="color:transparent">',
  '<span style="color:rgb(255, 255, 255);background-color:white">',
  '<span style="color:hsl(210, 50%, 40%);background:#336699">',
]
const SHEET =
  '<style>.first{display:none}.pre{color:red}.pre{display:none}@media(max-width:9px){.some{display:none}}span.only{display:none}</style>'

describe.each(WAYS)('%s', (tag) => {
  test('hidden text is not joined to a code', () => {
    expect(codes(`${SHEET}<p>Your verification code is</p><p>${tag}99</span>55120</p>`)).toEqual(['55120'])
    expect(codes(`${SHEET}<p>Your verification code is</p><p>913577${tag}x9k</span></p>`)).toEqual(['913577'])
  })

  test('a hidden code does not count beside one that is shown', () => {
    const hidden = `${tag}Your verification code is 204816.</span>`
    expect(codes(`${SHEET}<div>${hidden}</div><p>Your verification code is 913577</p>`)).toEqual(['913577'])
  })

  test('a hidden code counts if no other is shown, as in the line that an inbox shows', () => {
    const hidden = `${tag}204816 is your Harbour verification code</span>`
    expect(codes(`${SHEET}<div>${hidden}</div><p>Open the app and type it.</p>`)).toEqual(['204816'])
  })
})

test('what a style sheet hides on another screen only is shown', () => {
  const sheet = '<style>@media(max-width:9px){.pre{color:red}.wide{display:none}}</style>'
  expect(codes(`${sheet}<p>Your verification code is</p><p><span class="wide">913</span>577</p>`)).toEqual([
    '913577',
  ])
})

test('nothing is searched behind a text that is written twice as long as what is wanted', () => {
  const read = (entities: number) =>
    // A comment is not a text.
    searchableText(`<!--${'x'.repeat(5000)}--><p>${'&#1090;'.repeat(entities)}</p><p>behind</p>`, 1000).shown
  expect([read(250).includes('behind'), read(300).includes('behind')]).toEqual([true, false])
})

describe('white text', () => {
  test('of any length is hidden', () => {
    const words = 'pay with care '.repeat(200)
    expect(searchableText(`<p>Hello</p><p style="color:white">${words}</p>`).shown).not.toContain('care')
  })

  const html =
    '<p>Verification code <span style="color:white">204816</span></p><p>Verification code: 913577</p>'

  test('is hidden on a page without colors', () => {
    expect(codes(html)).toEqual(['913577'])
  })

  test.each(['<table bgcolor="#336699">', '<style>p{background:#336699}</style>'])(
    'is shown where a background may have another color: %s',
    (begin) => {
      expect(codes(begin + html)).toHaveLength(2)
    },
  )
})

test.each([
  '<td style="font-size:0"><div style="font-size:16px">CODE</div></td>',
  '<td style="visibility:hidden"><div style="visibility:visible">CODE</div></td>',
  '<td style="background:#000"><div style="background:#fff"><b style="color:#000">CODE</b></div></td>',
  '<td style="opacity:0.8">CODE</td>',
  '<td class="some">CODE</td>',
  '<p style="display:none">x<p>CODE</p>',
  '<span style="display:none">x</span><p>CODE</p>',
  '<div><span style="display:none">x</div><p>CODE</p>',
  '<img style="display:none"><p>CODE</p>',
  '<td style="border: hidden !important">CODE</td>',
  '<td data-style="display:none">CODE</td>',
  '<td style="max-height:0">CODE</td>',
  '<td style="width:0;overflow:hidden;width:100%">CODE</td>',
  '<td style="left:-9999px">CODE</td>',
  '<td style="max-width:0;overflow:hidden">CODE</td>',
  '<td style="display:block;*display:none">CODE</td>',
  '<td style="position:absolute;left:50%;margin-left:-300px">CODE</td>',
  '<td style="display:none;display:block">CODE</td>',
  '<td style="display:block !important;display:none">CODE</td>',
  '<td style="font-size:0"><b style="font: bold 14px/1.5 Arial">CODE</b></td>',
  '<td style="font:0/0 a;font-size:0.9em">CODE</td>',
  '<p hidden style="display:block">CODE</p>',
  '<p class="only">CODE</p>',
  "<td title='what is hidden >'>CODE</td>",
])('shown text behind or inside of what looks hidden: %s', (html) => {
  const other = '<i style="display:none">Your verification code is 204816</i>'
  const code = 'Your verification code is 913577'
  expect(codes(SHEET + html.replace('CODE', code) + other)).toEqual(['913577'])
})

const HIDING_STYLES = [
  'font-size:1px',
  'font:0/0 a',
  'height:0;overflow:hidden',
  'width:0;overflow:hidden',
  'position:absolute;left:-9999px',
  'position:absolute;top:-1000px',
  'margin-left:-9999px',
  'text-indent:-9999px',
  'position:absolute;clip:rect(0,0,0,0)',
  'position:absolute;clip:rect(1px,1px,1px,1px)',
  'clip: rect( 1px 1px 1px 1px )',
  'clip-path:inset(50%)',
  'clip-path: inset( 100% )',
  'transform:scale(0)',
  'color:rgba(0,0,0,0)',
]
test.each(HIDING_STYLES.flatMap((style) => [style, style.toUpperCase()]))(
  'text with the style %s is not joined to a code, and not given beside one',
  (style) => {
    const codes = (html: string) => findCodes({ subject: '', text: 'See the HTML.', html })
    expect(codes(`<p>Your verification code is 913577<span style="${style}">77</span></p>`)).toEqual([
      '913577',
    ])
    expect(
      codes(
        `<div style="${style}">Your verification code is 204816</div><p>Your verification code is 913577</p>`,
      ),
    ).toEqual(['913577'])
  },
)

test.each([
  'font-size:12px',
  'height:0',
  'left:-9px',
  'font:16px a',
  'clip:rect(10px,90px,90px,0)',
  'clip-path:inset(5%)',
  'transform:scale(1)',
  'transform:scale(0.9)',
  'color:rgba(0,0,0,0.8)',
])('text with the style %s is shown', (style) => {
  const html = `<p>Your verification code is <span style="${style}">913</span>577</p>`
  expect(findCodes({ subject: '', text: 'See the HTML.', html })).toEqual(['913577'])
})

test.each([
  ...'p div table ul ol h1 h2 h3 h4 h5 h6 hr blockquote pre'.split(' ').map((name) => ['p', name]),
  ['li', 'li'],
  ...['td', 'th', 'tr'].map((name) => ['td', name]),
  ...['td', 'th', 'tr'].map((name) => ['th', name]),
  ['tr', 'tr'],
])('a hidden <%s> without an end tag ends where a <%s> begins', (name, next) => {
  const { shown, hidden } = searchableText(`<${name} style="display:none">hidden<${next}>shown`)
  // An earlier message has a mark.
  expect([shown.replace('>', '').trim(), hidden.trim()]).toEqual(['shown', 'hidden'])
})

test.each(['482', 'WXYZ', '\u0664\u0665\u0666'])(
  '%s in the color of its background is not shown',
  (hidden) => {
    const html = `<div style="background:#fff"><p>Kestrel</p><p style="color:#fff">${hidden}</p></div>`
    expect(searchableText(html).shown).not.toContain(hidden)
    expect(searchableText(html.replace('color:#fff', 'color:#000')).shown).toContain(hidden)
  },
)

test.each([
  '<div style="background:#336699"><p style="color:#336699">482</p></div>',
  '<div style="color:#336699"><p style="background:#336699">482</p></div>',
  '<div style="color:#336699;background:#000"><p style="background:#336699">482</p></div>',
  '<div style="color:#000;background:#336699"><p style="color:#336699">482</p></div>',
])('an element inherits the color that it does not give: %s', (html) => {
  expect(searchableText(html).shown).not.toContain('482')
})

test.each([
  '<style>.gone{display:none}</style>',
  '<STYLE>.gone{DISPLAY:NONE}</STYLE>',
  '<style>.other{color:red}.gone{display:none}</style>',
  '<style>.gone{display:none</style>',
  '<style>.gone{display:none}',
  '<style>.gone{display:none',
])('a style sheet hides a class, and may be cut off: %s', (sheet) => {
  const { shown, hidden } = searchableText(`<p class="gone">old</p><p class="other">new</p>${sheet}`)
  expect([shown.trim(), hidden.trim()]).toEqual(['new', 'old'])
})

test('a tag is found at any distance behind a "<" that begins none', () => {
  for (let distance = 0; distance < 40; distance++) {
    const text = `1 <${'2'.repeat(distance)}`
    expect(searchableText(`${text}<b>3</b>`).shown).toBe(`${text}3`)
  }
})

test('characters that are neither white space nor shown do not part words', () => {
  const text = 'one\u0001two\u001fthree four'
  expect(searchableText(`<p>${text}</p>`).shown.trim()).toBe(text)
})

test.each([
  ['<b>482</b><img> <b>913</b>', '482 913'],
  ['<b>482</b> <img><b>913</b>', '482 913'],
  ['<b>482</b><img alt="Logo"> <b>913</b>', '482 913'],
  ['<b>482</b><img><b>913</b>', '482913'],
])('a picture without a code leaves the spaces beside it as they are: %s', (html, text) => {
  expect(searchableText(html).shown).toBe(text)
})

test('line breaks that the blocks of HTML mean do not count for the limit of a text', () => {
  const { shown } = searchableText('<p>ab</p>'.repeat(1000), 100)
  expect(shown.replace(/\s/g, '')).toBe('ab'.repeat(50))
})

test.each([
  ['color:#000;background:red;color:#fff;background:#fff', ''],
  ['color:#fff;background:#fff;color:#000', '482913'],
  ['color:#fff;background:#fff;background:#000', '482913'],
  ['color:#fff;background:#fff;background:rgba(0,0,0,0)', ''],
])('the last color of each kind counts: %s', (style, text) => {
  expect(searchableText(`<p style="${style}">482913</p>`).shown.trim()).toBe(text)
})

test.each([
  ['<p>the value summer<!-- -->482913</p>', 'the value summer482913'],
  ['<p>the value summer<wbr>482913</p>', 'the value summer482913'],
  ['<p>the value is<b>482913</b></p>', 'the value is 482913'],
])('only an element sets a number apart: %s', (html, text) => {
  expect(searchableText(html).shown.trim()).toBe(text)
})

test('a relative size of nothing is nothing', () => {
  const hidden =
    '<div style="font-size:0"><b style="font-size:0.9em">Your verification code is 204816.</b></div>'
  expect(codes(`${hidden}<p>Your verification code is 913577</p>`)).toEqual(['913577'])
})
