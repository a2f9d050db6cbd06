import { randomBytes } from 'node:crypto'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { hashKey, isApiKey, mintApiKey, sameHash } from '../../../core/access/api-keys.ts'
import { readKeyRecord } from '../../../core/access/domain-key.ts'

test('an API key has 32 random base62 characters and a checksum', () => {
  for (let i = 0; i < 200; i++) {
    const key = mintApiKey(randomBytes)
    expect(key).toMatch(/^mf_[0-9A-Za-z]{38}$/)
    expect(isApiKey(key)).toBe(true)
  }
})

test('any one character mistyped, or two swapped, is noticed', () => {
  const key = mintApiKey(randomBytes)
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 40 }), fc.constantFrom(...'0Aaz9'), (at, other) => {
      fc.pre(key[at] !== other)
      expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false)
    }),
  )
  for (let at = 3; at < 40; at++) {
    if (key[at] === key[at + 1]) continue
    expect(isApiKey(key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2))).toBe(false)
  }
})

test('random bytes that would favour a character are passed over', () => {
  let calls = 0
  const key = mintApiKey((size) => new Uint8Array(size).fill(calls++ === 0 ? 255 : 61))
  expect(key.slice(3, 35)).toBe('z'.repeat(32))
})

test('hashes are compared as wholes', () => {
  expect(sameHash(hashKey('a'), hashKey('a'))).toBe(true)
  expect(sameHash(hashKey('a'), hashKey('b'))).toBe(false)
  expect(sameHash(hashKey('a'), '')).toBe(false)
})

test.each([
  [[], null],
  [['key=secret'], hashKey('secret')],
  [[' key=secret '], hashKey('secret')],
  [['key=a=b'], hashKey('a=b')],
  [[`key-sha256=${hashKey('x').toUpperCase()}`], hashKey('x')],
  [['v=spf1 -all', 'key=secret'], hashKey('secret')],
  [['key='], undefined],
  [['key-sha256=abc'], undefined],
  [['something else'], undefined],
  [[`key=${'x'.repeat(257)}`], undefined],
])('the domain key of %j', (texts, hash) => {
  expect(readKeyRecord(texts).hash).toBe(hash)
})

test('of several domain keys the same one counts, in whatever order DNS gives them', () => {
  expect(readKeyRecord(['key=a', 'key=b'])).toEqual(readKeyRecord(['key=b', 'key=a']))
})
