import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ApiKeyService, hashKey, isApiKey, mintApiKey, sameHash } from '../../../core/access/api-keys.ts'
import {
  API_KEY_REQUESTS_PER_MINUTE,
  API_KEY_VALID_MS,
  API_KEYS_PER_CLIENT_PER_DAY,
  DAY_MS,
  MINUTE_MS,
} from '../../../core/limits.ts'
import { openTemporary } from '../../adapters/sqlite/store-temporary.ts'

test('an API key has 32 random base62 characters and a checksum', () => {
  for (let i = 0; i < 200; i++) {
    const key = mintApiKey(randomBytes)
    expect(key).toMatch(/^mf_[0-9A-Za-z]{38}$/)
    expect(isApiKey(key)).toBe(true)
  }
})

test('one mistyped character, or two swapped ones, are detected', () => {
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

test.each([
  ['another prefix', (key: string) => `xx_${key.slice(3)}`],
  ['no prefix', (key: string) => key.slice(3)],
  ['a character before it', (key: string) => ` ${key}`],
  ['a character after it', (key: string) => `${key} `],
])('a text with %s is no API key, even if its checksum is right', (_, changed) => {
  expect(isApiKey(changed(mintApiKey(randomBytes)))).toBe(false)
})

test('a shorter secret with its checksum is no API key', () => {
  // CRC-32 of an empty text is 0.
  expect(isApiKey('mf_000000')).toBe(false)
})

test('random bytes that would favour a character are skipped', () => {
  let calls = 0
  const key = mintApiKey((size) => new Uint8Array(size).fill(calls++ === 0 ? 255 : 61))
  expect(key.slice(3, 35)).toBe('z'.repeat(32))
})

test('248 random values are 62 characters four times, and no more', () => {
  const values = Array.from({ length: 256 }, (_, n) => n)
  const secret = (from: number) => {
    let calls = 0
    return mintApiKey((size) =>
      calls++ === 0 ? Uint8Array.from(values.slice(from, from + size)) : new Uint8Array(size).fill(61),
    ).slice(3, 35)
  }
  expect(secret(240)).toBe(`stuvwxyz${'z'.repeat(24)}`)
})

test('the checksum is the CRC-32 of the secret in six base62 digits', () => {
  expect(mintApiKey((size) => new Uint8Array(size)).slice(-6)).toBe('2wjyrI')
})

test('hashes are compared as a whole', () => {
  expect(sameHash(hashKey('a'), hashKey('a'))).toBe(true)
  expect(sameHash(hashKey('a'), hashKey('b'))).toBe(false)
  expect(sameHash(hashKey('a'), '')).toBe(false)
})

describe('the API keys', () => {
  let store: Awaited<ReturnType<typeof openTemporary>>
  let now: number
  let service: ApiKeyService

  beforeEach(async () => {
    store = await openTemporary()
    // A second and a half after the start of a minute.
    now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + 1_500
    service = new ApiKeyService(store.keys, store.limits, () => now, randomBytes)
  })
  afterEach(() => store.close())

  test('are issued up to the daily limit of a client, and again when the first one no longer counts', async () => {
    const first = now
    for (let left = API_KEYS_PER_CLIENT_PER_DAY - 1; left >= 0; left--) {
      const { key, record, remaining } = await service.issue('client', 'tests')
      expect(remaining).toBe(left)
      expect(record).toEqual({
        hash: hashKey(key),
        purpose: 'tests',
        createdAt: now,
        expiresAt: now + API_KEY_VALID_MS,
      })
      expect(await store.keys.find(hashKey(key))).toEqual(record)
      expect(await service.quota('client')).toEqual({
        allowed: left > 0,
        remaining: left,
        resetsAt: first + DAY_MS,
      })
      now += 1_000
    }
    now = first + DAY_MS - 1_500
    await expect(service.issue('client', 'tests')).rejects.toMatchObject({
      code: 'key_quota_exceeded',
      retryAfter: 2,
    })
    expect((await service.issue('other', 'tests')).remaining).toBe(API_KEYS_PER_CLIENT_PER_DAY - 1)
    now = first + DAY_MS
    expect((await service.issue('client', 'tests')).remaining).toBe(0)
  })

  test('are valid at this service until they expire or are revoked', async () => {
    const { key, record } = await service.issue('client', 'tests')
    for (const none of [undefined, '']) {
      await expect(service.authenticate(none)).rejects.toMatchObject({ code: 'api_key_missing' })
    }
    for (const wrong of ['mf_short', mintApiKey(randomBytes)]) {
      await expect(service.authenticate(wrong)).rejects.toMatchObject({ code: 'api_key_invalid' })
    }
    now = record.expiresAt - 1
    expect((await service.authenticate(key)).key).toEqual(record)
    now = record.expiresAt
    await expect(service.authenticate(key)).rejects.toMatchObject({ code: 'api_key_expired' })
    now = record.createdAt
    expect(await service.find(record.hash)).toEqual(record)
    await service.revoke(record)
    await expect(service.authenticate(key)).rejects.toMatchObject({ code: 'api_key_invalid' })
    expect(await service.find(record.hash)).toBeUndefined()
  })

  test('are limited in each clock minute', async () => {
    const limit = API_KEY_REQUESTS_PER_MINUTE
    const { key, record } = await service.issue('client', 'tests')
    for (let remaining = limit - 1; remaining >= 0; remaining--) {
      expect(await service.authenticate(key)).toEqual({
        key: record,
        admitted: true,
        rate: { limit, remaining, reset: 59 },
      })
    }
    now += 57_500
    expect(await service.authenticate(key)).toEqual({
      key: record,
      admitted: false,
      rate: { limit, remaining: 0, reset: 1 },
    })
    now += 1_000
    expect(await service.authenticate(key)).toMatchObject({
      admitted: true,
      rate: { remaining: limit - 1, reset: 60 },
    })
  })
})
