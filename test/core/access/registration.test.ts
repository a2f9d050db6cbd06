import { expect, test } from '@jest/globals'
import type { Domain, DomainState } from '../../../core/access/ports.ts'
import {
  confirmed,
  left,
  newDomain,
  opened,
  registered,
  unanswered,
} from '../../../core/access/registration.ts'
import { DNS_UNANSWERED_MS, KEY_MISSING_MS } from '../../../core/limits.ts'

const NAME = 'a.example'

test('a domain is new with the key of its record, which no one has presented', () => {
  const fresh = newDomain(NAME, 'pending', 9)
  expect(fresh).toEqual({
    name: NAME,
    status: 'pending',
    keyHash: null,
    keyPresented: false,
    configured: false,
    keyConfigured: false,
    registeredAt: 9,
    checkedAt: 0,
    keyMissingSince: null,
    unansweredSince: null,
  })
  expect(registered(NAME, { askedAt: 8, mx: [], key: { hash: 'k' } }, 'pending', 9)).toEqual({
    ...fresh,
    keyHash: 'k',
    checkedAt: 8,
  })
})

test('a domain whose key record cannot be read is not registered', () => {
  const answer = { askedAt: 1, mx: [], key: { hash: undefined, fault: 'a fault' } }
  expect(registered(NAME, answer, 'verified', 1)).toBeUndefined()
})

test('a private domain becomes public when the second answer without its key is five minutes after the first', () => {
  const known = { ...newDomain(NAME, 'verified', 1), keyHash: 'hash', visibleAfter: '', revision: '' }
  const missing = { ...known, keyMissingSince: 1000 }
  const at = (askedAt: number) =>
    confirmed(missing, { askedAt, mx: [], key: { hash: null } }, 'verified', askedAt).keyHash
  expect(at(1000 + KEY_MISSING_MS - 1)).toBe('hash')
  expect(at(1000 + KEY_MISSING_MS)).toBeNull()
})

const KNOWN: Domain = {
  ...newDomain(NAME, 'pending', 10),
  keyHash: 'k',
  keyPresented: true,
  checkedAt: 20,
  keyMissingSince: 30,
  unansweredSince: 40,
  visibleAfter: 'v',
  revision: 'r',
}
const UNREADABLE = { hash: undefined, fault: 'a fault' }
const SETTLED = { status: 'verified', checkedAt: 50, unansweredSince: null, keyMissingSince: null } as const

test.each<[string, Partial<Domain>, { hash: string | null } | typeof UNREADABLE, Partial<DomainState>]>([
  ['with its key keeps it', {}, { hash: 'k' }, SETTLED],
  ['with another key', {}, { hash: 'other' }, { ...SETTLED, keyHash: 'other', keyPresented: false }],
  [
    'with its key that was not presented',
    { keyPresented: false },
    { hash: 'k' },
    { ...SETTLED, keyPresented: false },
  ],
  [
    'with its first key',
    { keyHash: null, keyPresented: false },
    { hash: 'k' },
    { ...SETTLED, keyPresented: false },
  ],
  ['with a key that cannot be read', {}, UNREADABLE, SETTLED],
  [
    'with a configured key and another one',
    { keyConfigured: true },
    { hash: 'other' },
    { ...SETTLED, keyConfigured: true },
  ],
  [
    'with a configured key and no record',
    { keyConfigured: true },
    { hash: null },
    { ...SETTLED, keyConfigured: true },
  ],
  [
    'without its key for the first time',
    { keyMissingSince: null },
    { hash: null },
    { ...SETTLED, keyMissingSince: 50 },
  ],
  ['without its key once more', {}, { hash: null }, { ...SETTLED, keyMissingSince: 30 }],
  [
    'that is public and has no key',
    { keyHash: null, keyPresented: false },
    { hash: null },
    { ...SETTLED, keyHash: null, keyPresented: false },
  ],
])('a registered domain %s', (_, before, key, after) => {
  const known = { ...KNOWN, ...before }
  expect(confirmed(known, { askedAt: 50, mx: [], key }, 'verified', 60)).toEqual({ ...KNOWN, ...after })
})

test('a domain that leaves stays registered only if it is configured', () => {
  const answer = { askedAt: 50, mx: [], key: { hash: null } }
  expect(left(KNOWN, answer)).toBeUndefined()
  const configured = { ...KNOWN, configured: true }
  expect(left(configured, answer)).toEqual({ ...configured, checkedAt: 50, unansweredSince: null })
})

test.each<[Partial<Domain>, number, number | undefined]>([
  [{ unansweredSince: null }, 70, 70],
  [{}, 40 + DNS_UNANSWERED_MS - 1, 40],
  [{}, 40 + DNS_UNANSWERED_MS, undefined],
  [{ configured: true }, 40 + DNS_UNANSWERED_MS, 40],
])('a domain %j without an answer at %d', (more, now, since) => {
  const known = { ...KNOWN, ...more }
  expect(unanswered(known, now)).toEqual(
    since === undefined ? undefined : { ...known, unansweredSince: since },
  )
})

test.each([
  [9, 11],
  [10, 11],
  [11, 11],
  [12, 12],
])('a domain that is opened at %d is registered again at %d', (now, registeredAt) => {
  const open = { keyHash: null, keyPresented: false, keyMissingSince: null }
  expect(opened(KNOWN, now)).toEqual({ ...KNOWN, ...open, registeredAt })
})
