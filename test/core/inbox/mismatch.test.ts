import { describe, expect, test } from '@jest/globals'
import type { EmailFilter, matches } from '../../../core/inbox/filter.ts'
import { mismatches } from '../../../core/inbox/mismatch.ts'

const EMAIL = {
  id: '01B',
  address: 'bot@mayfly.test',
  from: { name: 'Acme', address: 'no-reply@acme.example' },
  to: [{ name: null, address: 'bot@mayfly.test' }],
  cc: [],
  subject: 'Welcome',
  bodyText: 'Hello',
  codes: [],
  links: [],
  actionLink: null,
  attachmentCount: 0,
}

describe('why an email does not match', () => {
  const reasons = (filter: EmailFilter, after?: string) =>
    mismatches(EMAIL as unknown as Parameters<typeof matches>[0] & { id: string }, filter, after).map(
      (reason) => `${reason.filter}: ${reason.text}`,
    )

  test('each filter that refuses it is named with what it compared', () => {
    expect(
      reasons({ from: 'shop', to: 'other', subject: 'Confirm', q: 'zzz', has: 'action_link' }, '01C'),
    ).toEqual([
      'from: “Acme <no-reply@acme.example>” does not contain “shop”',
      'to: “bot@mayfly.test, bot@mayfly.test” does not contain “other”',
      'subject: “Welcome” does not contain “Confirm”',
      'q: no sender, subject, code or text in its first 16 KiB contains “zzz”',
      'has: it does not have an action link',
      'since: it arrived before the email or time that since names',
    ])
  })

  test('filters that accept it are not named', () => {
    expect(reasons({ from: 'ACME', subject: 'Confirm' }, '01A')).toEqual([
      'subject: “Welcome” does not contain “Confirm”',
    ])
    expect(reasons({ from: 'acme', q: 'hello' })).toEqual([])
  })

  test('a value of more than 120 characters is cut', () => {
    const subject = (length: number) => reasons({ subject: 'x'.repeat(length) })[0]
    expect(subject(120)).toBe(`subject: “Welcome” does not contain “${'x'.repeat(120)}”`)
    expect(subject(121)).toBe(`subject: “Welcome” does not contain “${'x'.repeat(120)}…”`)
  })

  test.each([
    [{ name: 'Acme', address: null }, 'Acme'],
    [{ name: null, address: 'a@acme.example' }, 'a@acme.example'],
    [{ name: '', address: 'a@acme.example' }, 'a@acme.example'],
    [{ name: null, address: null }, ''],
  ])('a mailbox %j is shown as %j', (from, shown) => {
    const filter = { from: 'shop', to: 'other' }
    const email = { ...EMAIL, from, to: [], cc: [from] }
    const texts = mismatches(email as unknown as Parameters<typeof mismatches>[0], filter, undefined)
    expect(texts.map(({ text }) => text)).toEqual([
      `“${shown}” does not contain “shop”`,
      `“bot@mayfly.test, ${shown}” does not contain “other”`,
    ])
  })

  test.each([
    ['code', 'a code'],
    ['link', 'a link'],
    ['action_link', 'an action link'],
    ['attachment', 'an attachment'],
  ] as const)('without %s it does not have %s', (has, words) => {
    expect(reasons({ has })).toEqual([`has: it does not have ${words}`])
  })

  test('an email that arrived at the same id is not after it', () => {
    expect([reasons({}, '01B'), reasons({}, '01A')]).toEqual([
      ['since: it arrived before the email or time that since names'],
      [],
    ])
  })
})
