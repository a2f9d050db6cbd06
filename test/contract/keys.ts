import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { ApiKey, Keys } from '../../core/access/ports.ts'
import type { Open, Opened } from './opened.ts'
import { HOUR_MS, uniqueHash } from './sample.ts'

const MINUTE_MS = 60_000
const LIMIT = 120

/** The obligations of Keys in core/access/ports.ts. */
export function keysContract(name: string, open: Open<{ keys: Keys }>): void {
  describe(`Keys: ${name}`, () => {
    let store: Opened<{ keys: Keys }>
    let keys: Keys

    beforeAll(async () => {
      store = await open()
      keys = store.keys
    })
    afterAll(() => store.close())

    /** The start of the next clock minute. */
    const nextMinute = () => Math.ceil(store.clock() / MINUTE_MS) * MINUTE_MS

    async function added(change: Partial<ApiKey> = {}): Promise<ApiKey> {
      const now = store.clock()
      const hash = uniqueHash()
      const key = {
        hash,
        purpose: 'a test: ü "1"',
        createdAt: now,
        expiresAt: now + 24 * HOUR_MS,
        ...change,
      }
      await keys.add(key)
      return key
    }

    /** Outcomes of `count` concurrent calls, as counts. */
    async function admitted(hash: string, count: number, limit: number, now: number) {
      const outcomes = await Promise.all(Array.from({ length: count }, () => keys.admit(hash, limit, now)))
      return outcomes.filter(({ outcome }) => outcome === 'admitted')
    }

    test('does not know a key that was not added', async () => {
      expect(await keys.admit(uniqueHash(), LIMIT, store.clock())).toEqual({ outcome: 'unknown' })
    })

    test('finds a key as it was added, without counting', async () => {
      const key = await added()
      const now = nextMinute()
      for (let n = 0; n < 3; n++) expect(await keys.find(key.hash)).toEqual(key)
      expect(await keys.admit(key.hash, 3, now)).toEqual({ outcome: 'admitted', key, remaining: 2 })
      expect(await keys.find(uniqueHash())).toBeUndefined()
    })

    test('replaces a key that is added again, as those of page sessions are after they have expired', async () => {
      const key = await added()
      const again = await added({ hash: key.hash, purpose: 'again', expiresAt: key.expiresAt + HOUR_MS })
      expect(await keys.find(key.hash)).toEqual(again)
    })

    test('admits a key and reports what remains', async () => {
      const key = await added()
      const now = nextMinute()
      for (const remaining of [2, 1, 0]) {
        expect(await keys.admit(key.hash, 3, now)).toEqual({ outcome: 'admitted', key, remaining })
      }
      expect(await keys.admit(key.hash, 3, now)).toEqual({ outcome: 'limited', key })
      expect(await keys.admit(key.hash, 3, now + MINUTE_MS - 1)).toEqual({ outcome: 'limited', key })
    })

    test('admits exactly the limit of many concurrent requests', async () => {
      const key = await added()
      const now = nextMinute()
      const first = await admitted(key.hash, 200, LIMIT, now)
      expect(first).toHaveLength(LIMIT)
      const remaining = first.map((admission) => 'remaining' in admission && admission.remaining)
      expect(new Set(remaining).size).toBe(LIMIT)
      expect(await admitted(key.hash, 10, LIMIT, now + 59_999)).toHaveLength(0)
    })

    test('starts from zero in each clock minute', async () => {
      const key = await added()
      const now = nextMinute()
      expect(await admitted(key.hash, 5, 3, now + 59_999)).toHaveLength(3)
      expect(await admitted(key.hash, 5, 3, now + MINUTE_MS)).toHaveLength(3)
      expect(await admitted(key.hash, 5, 3, now + 5 * MINUTE_MS + 30_000)).toHaveLength(3)
      expect(await admitted(key.hash, 5, 3, now + 5 * MINUTE_MS + 59_999)).toHaveLength(0)
    })

    test('counts a slightly late clock in its own minute, without changing the next minute', async () => {
      const key = await added()
      const now = nextMinute()
      const next = now + MINUTE_MS
      expect(await admitted(key.hash, 2, 3, now)).toHaveLength(2)
      expect(await admitted(key.hash, 5, 3, next)).toHaveLength(3)
      expect(await keys.admit(key.hash, 3, next - 1)).toEqual({ outcome: 'admitted', key, remaining: 0 })
      expect(await admitted(key.hash, 3, 3, next - 1)).toHaveLength(0)
      expect(await admitted(key.hash, 3, 3, next)).toHaveLength(0)
      expect(await admitted(key.hash, 3, 3, next + MINUTE_MS)).toHaveLength(3)
      expect(await admitted(key.hash, 3, 3, next + MINUTE_MS - 1)).toHaveLength(0)
    })

    test('counts each key separately', async () => {
      const [one, two] = [await added(), await added()]
      const now = nextMinute()
      expect(await admitted(one.hash, 10, 5, now)).toHaveLength(5)
      expect(await admitted(two.hash, 10, 5, now)).toHaveLength(5)
    })

    test('refuses a key from its expiry on', async () => {
      const key = await added()
      expect((await keys.admit(key.hash, LIMIT, key.expiresAt - 1)).outcome).toBe('admitted')
      expect(await keys.admit(key.hash, LIMIT, key.expiresAt)).toEqual({ outcome: 'expired' })
      const later = await keys.admit(key.hash, LIMIT, key.expiresAt + 365 * 24 * HOUR_MS)
      expect(['expired', 'unknown']).toContain(later.outcome)
    })

    test('does not know a revoked key', async () => {
      const [key, other] = [await added(), await added()]
      const now = nextMinute()
      await keys.admit(key.hash, LIMIT, now)
      expect(await keys.revoke(key.hash)).toBe(true)
      expect(await keys.admit(key.hash, LIMIT, now)).toEqual({ outcome: 'unknown' })
      expect(await keys.revoke(key.hash)).toBe(false)
      expect(await keys.revoke(uniqueHash())).toBe(false)
      expect((await keys.admit(other.hash, LIMIT, now)).outcome).toBe('admitted')
    })

    test('reports success to one of many concurrent revocations', async () => {
      const key = await added()
      const results = await Promise.all(Array.from({ length: 6 }, () => keys.revoke(key.hash)))
      expect(results.filter((revoked) => revoked)).toHaveLength(1)
    })

    test('returns objects that belong to the caller', async () => {
      const key = await added()
      const now = nextMinute()
      const admission = await keys.admit(key.hash, LIMIT, now)
      if ('key' in admission) admission.key.expiresAt = 0
      expect(await keys.admit(key.hash, LIMIT, now)).toMatchObject({ outcome: 'admitted', key })
    })
  })
}
