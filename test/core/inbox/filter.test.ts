import { describe, expect, test } from '@jest/globals'
import {
  type EmailFilter,
  FILTER_NAMES,
  FILTERS,
  type FilterName,
  filterOf,
  matches,
  searchable,
  storedPart,
  unstoredPart,
} from '../../../core/inbox/filter.ts'
import { SUMMARY_TEXT_BYTES } from '../../../core/limits.ts'
import { sampleContent } from '../../contract/sample.ts'

test('the help of q says how much of the text it compares', () => {
  expect(FILTERS.q.help).toContain(`the first ${SUMMARY_TEXT_BYTES / 1024} KiB of the text`)
})

test('a sender without a name or an address is searched by the other', () => {
  const of = (name: string | null, address: string | null) =>
    searchable({ from: { name, address }, subject: 'Hi' }).sender.trim()
  expect(of('Ann', null)).toBe('ann')
  expect(of(null, 'Ann@x.test')).toBe('ann@x.test')
  expect(of(null, null)).toBe('')
})

/** A store reads an email only for what it does not keep beside the index of its emails. */
test.each<[EmailFilter, stored: string[], unstored: EmailFilter | undefined]>([
  [{}, [], undefined],
  [{ from: undefined, q: undefined }, [], undefined],
  [{ from: 'Ann' }, ['sender ann'], undefined],
  [{ from: 'Ann', subject: 'Hi', has: 'code' }, ['sender ann', 'subject hi', 'has code'], undefined],
  [{ to: 'Bot@x.test', subject: '' }, ['subject '], { to: 'Bot@x.test' }],
  [{ q: 'Hello', subject: undefined }, [], { q: 'Hello' }],
])('of the filter %j a store compares %j itself, and reads emails for %j', (filter, stored, unstored) => {
  expect(storedPart(filter).map(({ field, value }) => `${field} ${value}`)).toEqual(stored)
  const read = unstoredPart(filter)
  expect(read && Object.entries(read)).toEqual(unstored && Object.entries(unstored))
})

test('a filter in an object with other members has no member that is not given', () => {
  const query = { limit: 5, from: 'Ann', subject: undefined }
  expect(Object.entries(filterOf(query))).toEqual([['from', 'Ann']])
})

test.each([
  ['ju\u0308rgen@x.test', 'Jürgen@x.test'],
  ['ju\u0308', 'jürgen@x.test'],
  ['"Bot"@x', 'bot@x.test'],
  ['bot@bücher.test', 'bot@xn--bcher-kva.test'],
])('`to` finds %s in the canonical form %s', (value, address) => {
  const email = { ...sampleContent({}), to: [], address }
  expect([matches(email, { to: value }), matches(email, { to: `x${value}` })]).toEqual([true, false])
})

test.each([
  ['u\u0308', 'ü'],
  ['ü', 'u\u0308'],
])('an accent is found however it is written: %j in %j', (value, written) => {
  const email = {
    ...sampleContent({
      from: { name: `J${written}rgen`, address: null },
      subject: `Gr${written}ße`,
      bodyText: `T${written}r`,
    }),
    address: 'bot@x.test',
    to: [{ name: `M${written}ller`, address: null }],
  }
  const filters = [{ from: `J${value}` }, { subject: `GR${value}` }, { q: `t${value}r` }, { to: `m${value}` }]
  expect(filters.map((filter) => matches(email, filter))).toEqual([true, true, true, true])
})

describe('a filter', () => {
  const email = {
    ...sampleContent({ codes: ['AB-12'], bodyText: 'Press HERE', subject: 'Your Code' }),
    address: 'bot@mail.test',
    cc: [{ name: 'Cecil Dove', address: 'cc@copies.test' }],
  }

  /** For each filter, values that the email matches, and values that it does not. */
  const CASES: Record<FilterName, [matching: string[], others: string[]]> = {
    from: [
      ['', 'ANN', 'shop.Example', 'lee ann@'],
      ['bob', 'cecil', 'your code'],
    ],
    to: [
      ['', 'BOT@mail', 'cecil', 'dove CC@', 'copies.test'],
      ['ann', 'press'],
    ],
    subject: [
      ['', 'yOUR'],
      ['ann', 'here'],
    ],
    q: [
      ['', 'ann LEE', 'your code', 'press here', 'ab-12'],
      ['confirm?t', 'cecil', 'bot@'],
    ],
    has: [['code', 'link', 'action_link'], ['attachment']],
  }

  test.each(FILTER_NAMES)('%s selects', (name) => {
    const [matching, others] = CASES[name]
    expect(matching.filter((value) => !matches(email, { [name]: value }))).toEqual([])
    expect(others.filter((value) => matches(email, { [name]: value }))).toEqual([])
  })

  test.each<[EmailFilter, boolean]>([
    [{}, true],
    [{ from: 'ann', subject: 'code', q: 'here', has: 'code' }, true],
    [{ from: 'bob', subject: 'code' }, false],
    [{ from: 'ann', subject: 'bill' }, false],
    [{ q: 'nowhere', has: 'code' }, false],
  ])('%j: %s', (filter, expected) => {
    expect(matches(email, filter)).toBe(expected)
  })

  const none = { ...email, codes: [], links: [], actionLink: null, attachmentCount: 0 }

  test.each([
    ['code', { codes: ['1'] }],
    ['link', { links: ['https://x.test'] }],
    ['action_link', { actionLink: email.actionLink }],
    ['attachment', { attachmentCount: 1 }],
  ] as const)('has: %s, and nothing else, is asked for', (has, one) => {
    expect(matches({ ...none, ...one } as typeof none, { has })).toBe(true)
    const rest = { codes: ['1'], links: ['l'], actionLink: email.actionLink, attachmentCount: 1 }
    const without = Object.fromEntries(Object.keys(one).map((name) => [name, none[name as 'codes']]))
    expect(matches({ ...none, ...rest, ...without }, { has })).toBe(false)
  })
})
