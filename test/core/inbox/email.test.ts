import { describe, expect, test } from '@jest/globals'
import { type EmailFilter, emailOf, matches, searchable } from '../../../core/inbox/email.ts'
import { lastUlidOf } from '../../../core/ulid.ts'
import { sampleContent } from '../../contract/sample.ts'

const TIME = Date.UTC(2026, 0, 2)

test('an email has the times of its id and is unread', () => {
  const content = sampleContent()
  const id = lastUlidOf(TIME)
  expect(emailOf(content, 'a@x.test', id, 3_600_000)).toEqual({
    ...content,
    id,
    address: 'a@x.test',
    receivedAt: TIME,
    expiresAt: TIME + 3_600_000,
    read: false,
  })
})

test('a sender without a name or an address is searched by the other', () => {
  const of = (name: string | null, address: string | null) =>
    searchable({ from: { name, address }, subject: 'Hi' }).sender.trim()
  expect(of('Ann', null)).toBe('ann')
  expect(of(null, 'Ann@x.test')).toBe('ann@x.test')
  expect(of(null, null)).toBe('')
})

describe('a filter', () => {
  const email = sampleContent({ codes: ['AB-12'], bodyText: 'Press HERE', subject: 'Your Code' })

  test.each<[EmailFilter, boolean]>([
    [{}, true],
    [{ from: 'ANN' }, true],
    [{ from: 'shop.Example' }, true],
    [{ from: 'bob' }, false],
    [{ subject: 'yOUR' }, true],
    [{ subject: 'ann' }, false],
    [{ q: 'ann LEE' }, true],
    [{ q: 'your code' }, true],
    [{ q: 'press here' }, true],
    [{ q: 'ab-12' }, true],
    [{ q: 'confirm?t' }, false],
    [{ from: 'ann', subject: 'code', q: 'here', has: 'code' }, true],
    [{ from: 'bob', subject: 'code' }, false],
    [{ from: 'ann', subject: 'bill' }, false],
    [{ q: 'nowhere', has: 'code' }, false],
  ])('%j: %s', (filter, expected) => {
    expect(matches(email, filter)).toBe(expected)
  })

  const none = sampleContent({ codes: [], links: [], actionLink: null, attachmentCount: 0 })

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
