import { expect, test } from '@jest/globals'
import { described, matches } from '../../../packages/client/src/filter.ts'
import type { Mail } from '../../../packages/client/src/mail.ts'

const mail = { from: { name: 'Ann Lee', address: 'ann@shop.example' }, subject: 'Your code' } as Mail

test.each([
  [/^Ann Lee$/, true],
  [/^ann@shop\.example$/, true],
  [/^Ann Lee <ann@shop\.example>$/, true],
  [/bob/, false],
])('a pattern %s for the sender matches its name, its address or both: %s', (from, isMatch) => {
  expect(matches(mail, { from })).toBe(isMatch)
})

test('a sender without a name is its address', () => {
  const from = { name: null, address: 'ann@shop.example' }
  expect(matches({ ...mail, from } as Mail, { from: /^ <ann@shop\.example>$/ })).toBe(true)
})

test('a filter is described by each of its fields', () => {
  const filter = { from: 'shop', subject: /code/i, q: '7', has: 'code', where: () => true } as const
  expect(described(filter)).toBe(
    'mail from "shop" with subject /code/i with "7" in it with a code that `where` accepts',
  )
  expect(described({ has: 'code' }, 'code')).toBe('code')
})
