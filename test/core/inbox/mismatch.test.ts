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
      'q: no sender, subject, text or code contains “zzz”',
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

  test('a long value is cut', () => {
    expect(reasons({ subject: 'x'.repeat(500) })[0]).toHaveLength(
      'subject: “Welcome” does not contain “”'.length + 121,
    )
  })
})
