import { beforeEach, describe, expect, test } from '@jest/globals'
import { hashKey } from '../../../core/access/api-keys.ts'
import { PageSessions } from '../../../core/access/page-sessions.ts'
import type { Admission, ApiKey, Keys, Limits } from '../../../core/access/ports.ts'
import { MINUTE_MS, PAGE_SESSION_REQUESTS_PER_MINUTE, PAGE_SESSION_VALID_MS } from '../../../core/limits.ts'

const NOW = 29_000_000 * MINUTE_MS + 1_500
const LIMIT = PAGE_SESSION_REQUESTS_PER_MINUTE

describe('page sessions', () => {
  let now: number
  let stored: Map<string, ApiKey>
  let outcome: 'admitted' | 'limited' | 'expired'
  let asked: unknown[][]
  let leases: number
  let fails: boolean
  let made: number

  beforeEach(() => {
    now = NOW
    stored = new Map()
    outcome = 'admitted'
    asked = []
    leases = 0
    fails = false
    made = 0
  })

  function sessionsOf(secret: string): PageSessions {
    const keys: Keys = {
      add: async (key) => void stored.set(key.hash, key),
      find: async (hash) => stored.get(hash),
      async admit(...args) {
        asked.push(args)
        const key = stored.get(args[0])
        if (key === undefined) return { outcome: 'unknown' }
        return (outcome === 'expired' ? { outcome } : { outcome, key, remaining: 7 }) as Admission
      },
      revoke: async () => false,
    }
    const limits = {
      async lease() {
        leases++
        if (fails) throw new Error('the store does not answer')
        return { first: 0, secret }
      },
    } satisfies Partial<Limits> as unknown as Limits
    return new PageSessions(
      keys,
      limits,
      () => now,
      (size) => new Uint8Array(size).fill(++made),
    )
  }

  test('are opened for a day, one for each page, and stored nowhere', async () => {
    const sessions = sessionsOf('s')
    const [one, two] = [await sessions.open(), await sessions.open('')]
    expect(one).toMatchObject({ expiresAt: NOW + PAGE_SESSION_VALID_MS, validMs: PAGE_SESSION_VALID_MS })
    expect(one.token).toMatch(/^mfs_\d{13}-[\w-]{22}-[\w-]{43}$/)
    expect(two.token).not.toBe(one.token)
    expect([stored.size, leases]).toEqual([0, 1])
  })

  test('continue until they expire, in every process of the store', async () => {
    const { token, expiresAt } = await sessionsOf('s').open()
    const sessions = sessionsOf('s')
    now = expiresAt - 1
    expect(await sessions.open(token)).toEqual({ token, expiresAt, validMs: 1 })
    expect(await sessions.authenticate(token, 'client')).toMatchObject({ admitted: true })
    now = expiresAt
    expect((await sessions.open(token)).token).not.toBe(token)
    await expect(sessions.authenticate(token, 'client')).rejects.toMatchObject({ code: 'api_key_expired' })
  })

  test('of another store, or with another expiry, are not known', async () => {
    const { token } = await sessionsOf('other').open()
    const sessions = sessionsOf('s')
    const own = (await sessions.open()).token
    const later = own.replace(/\d{13}/, String(NOW + 2 * PAGE_SESSION_VALID_MS))
    for (const text of [token, later, '', 'mfs_short', `x${own}`, `${own}x`, own.replace('mfs_', 'mf_')]) {
      await expect(sessions.authenticate(text, 'client')).rejects.toMatchObject({ code: 'api_key_expired' })
    }
    expect(asked).toEqual([])
  })

  test('have their requests counted for the client, all of them together', async () => {
    const sessions = sessionsOf('s')
    const [one, two] = [await sessions.open(), await sessions.open()]
    const hash = hashKey('page sessions of client')
    expect(await sessions.authenticate(one.token, 'client')).toMatchObject({
      admitted: true,
      rate: { limit: LIMIT, remaining: LIMIT - 1, reset: 59 },
    })
    expect([...stored.values()]).toEqual([
      { hash, purpose: 'page session', createdAt: NOW, expiresAt: NOW + PAGE_SESSION_VALID_MS },
    ])
    expect((await sessions.authenticate(two.token, 'client')).rate?.remaining).toBe(7)
    outcome = 'limited'
    expect(await sessions.authenticate(two.token, 'client')).toMatchObject({ admitted: false })
    expect(asked).toEqual(Array.from({ length: 3 }, () => [hash, LIMIT, NOW]))
    await sessions.authenticate(one.token, 'other')
    expect(stored.size).toBe(2)
  })

  test('count again when the stored count has expired', async () => {
    const sessions = sessionsOf('s')
    const { token } = await sessions.open()
    await sessions.authenticate(token, 'client')
    outcome = 'expired'
    expect((await sessions.authenticate(token, 'client')).rate?.remaining).toBe(LIMIT - 1)
  })

  test('need the secret of the store, which is asked for again after a failure', async () => {
    const sessions = sessionsOf('s')
    fails = true
    await expect(sessions.open()).rejects.toThrow('does not answer')
    fails = false
    expect(await sessions.open()).toMatchObject({ validMs: PAGE_SESSION_VALID_MS })
  })
})
