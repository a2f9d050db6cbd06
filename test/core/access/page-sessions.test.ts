import { beforeEach, describe, expect, test } from '@jest/globals'
import { hashKey } from '../../../core/access/api-keys.ts'
import { PageSessions } from '../../../core/access/page-sessions.ts'
import type { Admission, ApiKey, Keys, Limits } from '../../../core/access/ports.ts'
import {
  DAY_MS,
  MINUTE_MS,
  PAGE_SESSION_REQUESTS_PER_MINUTE,
  PAGE_SESSION_VALID_MS,
  PAGE_SESSIONS_PER_CLIENT_PER_DAY,
} from '../../../core/limits.ts'

/** What the random source of the test makes of 32 bytes. */
const TOKEN = `mfs_${'_'.repeat(42)}8`
const NOW = 29_000_000 * MINUTE_MS + 1_500

describe('page sessions', () => {
  let now: number
  let stored: Map<string, ApiKey>
  let admission: Admission['outcome']
  let asked: unknown[]
  let quota: Awaited<ReturnType<Limits['take']>>
  let sessions: PageSessions

  beforeEach(() => {
    now = NOW
    stored = new Map()
    admission = 'admitted'
    asked = []
    quota = { allowed: true, remaining: 1, resetsAt: 0 }
    const keys: Keys = {
      add: async (key) => void stored.set(key.hash, key),
      async find(hash) {
        asked.push(['find', hash])
        return stored.get(hash)
      },
      async admit(...args) {
        asked.push(['admit', ...args])
        const key = stored.get(args[0])
        return (
          key === undefined ? { outcome: 'unknown' } : { outcome: admission, key, remaining: 7 }
        ) as Admission
      },
      revoke: async () => false,
    }
    const limits = {
      async take(...args: unknown[]) {
        asked.push(['take', ...args])
        return quota
      },
    } as unknown as Limits
    sessions = new PageSessions(
      keys,
      limits,
      () => now,
      (size) => new Uint8Array(size).fill(255),
    )
  })

  test('are opened for a day, counted for the client, and stored as a hash', async () => {
    const expiresAt = NOW + PAGE_SESSION_VALID_MS
    expect(await sessions.open('client', undefined)).toEqual({
      token: TOKEN,
      expiresAt,
      validMs: PAGE_SESSION_VALID_MS,
    })
    expect([...stored.values()]).toEqual([
      { hash: hashKey(TOKEN), purpose: 'page session', createdAt: NOW, expiresAt },
    ])
    const perDay = PAGE_SESSIONS_PER_CLIENT_PER_DAY
    expect(asked).toEqual([['take', 'page-sessions', 'client', perDay, DAY_MS, NOW]])
  })

  test('continue until they expire, and cost nothing of the quota', async () => {
    const { expiresAt } = await sessions.open('client', undefined)
    asked = []
    now = expiresAt - 1
    expect(await sessions.open('client', TOKEN)).toEqual({ token: TOKEN, expiresAt, validMs: 1 })
    expect(asked).toEqual([['find', hashKey(TOKEN)]])
    now = expiresAt
    expect(await sessions.open('client', TOKEN)).toMatchObject({ validMs: PAGE_SESSION_VALID_MS })
  })

  test.each(['', 'mfs_short', `x${TOKEN}`, `${TOKEN}x`, TOKEN.replace('mfs_', 'mf_')])(
    'are not looked up under %j, which is no token',
    async (text) => {
      expect((await sessions.open('client', text)).token).toBe(TOKEN)
      await expect(sessions.authenticate(text)).rejects.toMatchObject({ code: 'api_key_expired' })
      expect(asked.map((call) => (call as string[])[0])).toEqual(['take'])
    },
  )

  test('that are unknown are replaced', async () => {
    expect((await sessions.open('client', TOKEN)).validMs).toBe(PAGE_SESSION_VALID_MS)
  })

  test('are refused above the quota of the client', async () => {
    quota = { allowed: false, remaining: 0, resetsAt: NOW + 1_001 }
    await expect(sessions.open('client', undefined)).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfter: 2,
    })
    expect(stored.size).toBe(0)
  })

  test('have requests in each clock minute', async () => {
    await sessions.open('client', undefined)
    asked = []
    const limit = PAGE_SESSION_REQUESTS_PER_MINUTE
    const key = stored.get(hashKey(TOKEN))
    const rate = { limit, remaining: 7, reset: 59 }
    expect(await sessions.authenticate(TOKEN)).toEqual({ key, admitted: true, rate })
    expect(asked).toEqual([['admit', hashKey(TOKEN), limit, NOW]])
    admission = 'limited'
    now += 57_500
    const none = { limit, remaining: 0, reset: 1 }
    expect(await sessions.authenticate(TOKEN)).toEqual({ key, admitted: false, rate: none })
  })

  test('that are over are refused', async () => {
    await expect(sessions.authenticate(TOKEN)).rejects.toMatchObject({ code: 'api_key_expired' })
    await sessions.open('client', undefined)
    admission = 'expired'
    await expect(sessions.authenticate(TOKEN)).rejects.toMatchObject({ code: 'api_key_expired' })
  })
})
