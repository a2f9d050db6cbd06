import { expect, test } from '@jest/globals'
import { FILTER_NAMES } from '../../../core/inbox/filter.ts'
import { described, FILTER_SHAPE, matches, PLAIN_SHAPE } from '../../../packages/client/src/filter.ts'
import type { Mail } from '../../../packages/client/src/mail.ts'
import { codeOf, linkOf } from '../../../packages/client/src/wait-options.ts'

const mail = { from: { name: 'Ann Lee', address: 'ann@shop.example' }, subject: 'Your code' } as Mail

test.each([
  [/^Ann Lee$/, true],
  [/^ann@shop\.example$/, true],
  [/^Ann Lee <ann@shop\.example>$/, true],
  [/bob/, false],
])('a pattern %s for the sender matches its name, its address or both: %s', (from, isMatch) => {
  expect(matches(mail, { from })).toBe(isMatch)
})

test.each([
  ['the address', /^a@mail\.test$/],
  ['a name in To', /^Jo$/],
  ['an address in Cc', /^bob@shop\.example$/],
])('a pattern for the recipient matches %s', (_, to) => {
  const [jo, bob] = [
    { name: 'Jo', address: null },
    { name: null, address: 'bob@shop.example' },
  ]
  expect(matches({ ...mail, address: 'a@mail.test', to: [jo], cc: [bob] } as Mail, { to })).toBe(true)
  expect(matches({ ...mail, address: 'x@mail.test', to: [], cc: [] } as unknown as Mail, { to })).toBe(false)
})

test.each(FILTER_NAMES.filter((name) => name !== 'q' && name !== 'has'))('%s may be a pattern', (name) => {
  expect(FILTER_SHAPE[name]).toBe('text')
  const addressed = { ...mail, address: 'a@mail.test', to: [mail.from], cc: [mail.from] } as Mail
  expect(matches(addressed, { [name]: /no mail has this/ })).toBe(false)
  expect(matches(addressed, { [name]: /./ })).toBe(true)
})

test('a filter that the service applies itself takes no pattern', () => {
  expect(Object.keys(PLAIN_SHAPE)).toEqual(FILTER_NAMES)
  expect(Object.values(PLAIN_SHAPE)).not.toContain('text')
})

test('a sender without a name is its address', () => {
  const from = { name: null, address: 'ann@shop.example' }
  expect(matches({ ...mail, from } as Mail, { from: /^ <ann@shop\.example>$/ })).toBe(true)
})

test('a predicate that is async is a mistake, because its promise would match every mail', () => {
  const never = (async () => false) as never
  const error = 'A predicate must not be async'
  expect(() => matches(mail, { where: never })).toThrow(error)
  expect(() => linkOf({ ...mail, links: ['https://shop.example/'] } as Mail, never)).toThrow(error)
  expect(matches(mail, { where: (() => undefined) as never })).toBeFalsy()
})

test('a filter is described by each of its fields', () => {
  const filter = { from: 'shop', subject: /code/i, q: '7', has: 'code', where: () => true } as const
  expect(described(filter)).toBe(
    'mail from "shop" with subject /code/i with "7" in it with a code that `where` accepts',
  )
  expect(described({ has: 'code' }, 'code')).toBe('code')
})

test.each([
  ['link', 'mail with a link'],
  ['action_link', 'mail with an action link'],
  ['attachment', 'mail with an attachment'],
] as const)('a filter for %s is "%s"', (has, words) => {
  expect(described({ has })).toBe(words)
})

test.each([
  [/^\d{6}$/, '739105'],
  [/^1/g, '1'],
  [/order (\d+)/i, '8812'],
  [/room: (\w+-\w+)/i, 'blue-fox'],
  // Also from the middle of a text.
  [/\d{4}/y, '7391'],
  [/fox/gy, 'fox'],
  [/blue(-cat)?/, 'blue'],
  [/green/, undefined],
])('the pattern %s selects the code %s, each time', (pattern, code) => {
  const found = { codes: ['739105', '111222'], subject: 'Order 8812', text: 'Room: blue-fox' } as Mail
  expect([codeOf(found, pattern), codeOf(found, pattern)]).toEqual([code, code])
})

test.each([
  ['/terms', 'https://shop.example/terms'],
  [/example\/t/g, 'https://shop.example/terms'],
  [(url: string) => url.endsWith('b'), 'https://shop.example/b'],
  ['shop', 'https://shop.example/a'],
  ['SHOP', undefined],
  [/x$/, undefined],
  [() => false, undefined],
])('of the links, %s matches %s, each time', (match, url) => {
  const links = ['a', 'terms', 'b'].map((name) => `https://shop.example/${name}`)
  const found = { links } as Mail
  expect([linkOf(found, match), linkOf(found, match)]).toEqual([url, url])
})
