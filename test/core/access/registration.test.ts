import { expect, test } from '@jest/globals'
import { confirmed, newDomain, registered } from '../../../core/access/registration.ts'
import { KEY_MISSING_MS } from '../../../core/limits.ts'

const NAME = 'a.example'

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
