import { describe, expect, test } from '@jest/globals'
import { actionText } from '../../web/inbox/action-text.ts'
import { faultsOf, summaryOf } from '../../web/inbox/checked-links.ts'
import type { InboxStore } from '../../web/inbox/inbox-store.ts'
import { countText, deleteText, emptyText } from '../../web/inbox/list-texts.ts'
import { namesRemoteImages } from '../../web/inbox/remote-images.ts'
import { afterClick } from '../../web/inbox/selection.ts'
import { piecesOf } from '../../web/inbox/text-pieces.ts'
import type { CheckedLink } from '../../web/lib/api.ts'

/** What the page says, as far as no browser is needed to find the words. */
describe('the texts of the list', () => {
  const list = (count: number, facts: object, search: object = {}) =>
    countText({
      shown: Array(count),
      more: false,
      unread: 0,
      nextCursor: null,
      ...facts,
      search: { emails: undefined, isBusy: false, problem: undefined, ...search },
    } as unknown as InboxStore)
  const MORE = { more: true, nextCursor: 'x' }

  test.each([
    [list(0, {}), '0 emails'],
    [list(1, {}), '1 email'],
    [list(2, {}), '2 emails'],
    [list(1, MORE), '1+ emails'],
    [list(3, { unread: 1 }), '3 emails, 1 unread'],
    [list(3, { unread: 1, ...MORE }), '3+ emails, 1+ unread'],
    [list(1, { unread: 1 }, { emails: [] }), '1 email found'],
    [list(1, { more: true }, { emails: [] }), '1+ emails found'],
    [list(1, {}, { emails: [], isBusy: true }), 'Searching…'],
    [list(1, {}, { emails: [], problem: {} }), 'The search failed'],
  ])('%s', (text, expected) => {
    expect(text).toBe(expected)
  })

  test('a button names what it deletes', () => {
    expect([deleteText(true, true, 2), deleteText(false, true, 1), deleteText(false, false, 2)]).toEqual([
      'Delete selected',
      'Delete the 1 email found',
      'Delete all',
    ])
  })

  test('an empty list says why it is empty', () => {
    const empty = (facts: object) => emptyText({ text: ' acme ', ...facts } as InboxStore['search'])
    expect([empty({}), empty({ emails: [], isBusy: true }), empty({ emails: [] })]).toEqual([
      'No emails.',
      'Searching the whole inbox…',
      'No email matches “acme”.',
    ])
    expect(empty({ emails: [], text: 'has:foo' })).toBe(
      'No email matches “has:foo”. has: takes code, link, action_link, attachment.',
    )
  })
})

test('a summary of checked links counts those that do not work', () => {
  const link = (status: number | null, error: string | null = null) => ({ status, error }) as CheckedLink
  const [good, gone, lost] = [link(399), link(400), link(null, 'No address.')]
  const summaries = [
    [good],
    [good, good],
    [good, gone],
    [gone, lost, good],
    [link(200, 'late')],
    [link(null)],
  ]
  expect(summaries.map(summaryOf)).toEqual([
    'The link works.',
    'All 2 links work.',
    '1 of 2 does not work.',
    '2 of 3 do not work.',
    '1 of 1 does not work.',
    '1 of 1 does not work.',
  ])
})

test.each([
  ['', 'b', undefined, 'b'],
  ['b', 'b', undefined, ''],
  ['b', 'd', 'b', 'bcd'],
  ['d', 'b', 'd', 'bcd'],
  ['bcd', 'd', 'c', 'b'],
  ['', 'c', 'a deleted one', 'c'],
])('of abcde, with %j selected, a click on %s after %s selects %j', (chosen, id, from, expected) => {
  expect([...afterClick(new Set(chosen), [...'abcde'], id, from)].sort().join('')).toBe(expected)
})

describe('a long text', () => {
  const lengths = (text: string, count: number) => piecesOf(text, count).map(({ length }) => length)
  const line = (length: number) => `${'x'.repeat(length - 1)}\n`

  test('is drawn in pieces that end with a line, if the line ends at all', () => {
    expect(lengths(line(100_000), 1)).toEqual([100_000])
    expect(lengths(line(100_001) + line(50), 1)).toEqual([100_001])
    expect(lengths(line(60_000) + line(60_000) + line(90_000), 2)).toEqual([120_000, 90_000])
    expect(lengths(line(200_001) + line(9), 1)).toEqual([200_001])
    expect(lengths(line(200_002) + line(9), 2)).toEqual([100_000, 100_002])
    expect(lengths('x'.repeat(250_000), 2)).toEqual([100_000, 100_000])
  })

  test('has all of its characters once', () => {
    const text = Array.from({ length: 9000 }, (_, i) => line(1 + (i % 90))).join('')
    expect(piecesOf(text, 9).join('')).toBe(text)
  })
})

test.each([
  ['<img src="https://a.example/x">', true],
  ['<img src="\n https://a.example/x">', true],
  ['<img src="x https://a.example/x">', false],
  ['<IMG alt=x SRC = //a.example/x>', true],
  ["<source srcset='http://a.example/x 2x'>", true],
  ['<td background="https://a.example/x">', true],
  ['<video poster="https://a.example/x">', true],
  ['<svg><image href="https://a.example/x"/></svg>', true],
  ['<p style="background:url( https://a.example/x)">', true],
  ['<p style="background:url(\'//a.example/x\')">', true],
  ['<p style="background:URL(HTTPS://a.example/x)">', true],
  ['<a href="https://a.example/x">', false],
  ['<img src="cid:dot"><img src="data:image/gif;base64,x">', false],
  ['<imgs src="https://a.example/x">', false],
  ['https://a.example/x.png', false],
])('whether %s names an image of another host: %s', (html, expected) => {
  expect(namesRemoteImages(html)).toBe(expected)
})

test('an email that is too long to examine may name images of another host', () => {
  expect(['<p>'.repeat(50_000), '<p>'.repeat(50_001)].map(namesRemoteImages)).toEqual([false, true])
})

test.each('img source video input image table td th tr body div'.split(' '))(
  'an image of %s is one of another host',
  (element) => {
    for (const attribute of ['src', 'srcset', 'background', 'poster', 'href', 'xlink:href'])
      expect(namesRemoteImages(`<${element} ${attribute}="https://a.example/x">`)).toBe(true)
    expect(namesRemoteImages(`<${element} data-src="https://a.example/x">`)).toBe(false)
  },
)

test('equal faults of checked links are one line', () => {
  const fault = (error: string | null) => ({ status: null, error }) as CheckedLink
  const lost = fault('example.com was not found (DNS).')
  expect(faultsOf([fault('Refused.'), lost, fault(null), lost])).toEqual([
    'example.com was not found (DNS). 2 links.',
    'Refused.',
  ])
})

test.each([
  ['confirm', '', 'Confirm'],
  ['sign_in', '', 'Sign in'],
  ['reset', '', 'Reset'],
  ['invite', '', 'Accept'],
  ['confirm', 'Verify it', 'Verify it'],
  ['confirm', 'x'.repeat(81), 'x'.repeat(80)],
] as const)('the button of a link of kind %s with the words %j', (kind, text, shown) => {
  expect(actionText({ url: 'https://shop.example', kind, text })).toBe(shown)
})
