import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Limits } from '../../core/access/ports.ts'
import type { Open, Opened } from './opened.ts'
import { HOUR_MS, unique } from './sample.ts'

const DAY_MS = 24 * HOUR_MS

/** The obligations of Limits in core/access/ports.ts. */
export function limitsContract(name: string, open: Open<{ limits: Limits }>): void {
  describe(`Limits: ${name}`, () => {
    let store: Opened<{ limits: Limits }>
    let limits: Limits

    beforeAll(async () => {
      store = await open()
      limits = store.limits
    })
    afterAll(() => store.close())

    test('allows the limit, then refuses until the oldest use stops counting', async () => {
      const subject = unique()
      const start = store.clock()
      const take = (now: number) => limits.take('keys', subject, 3, DAY_MS, now)
      expect(await take(start)).toEqual({ allowed: true, remaining: 2, resetsAt: start + DAY_MS })
      expect(await take(start + 10)).toEqual({ allowed: true, remaining: 1, resetsAt: start + DAY_MS })
      expect(await take(start + 20)).toEqual({ allowed: true, remaining: 0, resetsAt: start + DAY_MS })

      const refused = { allowed: false, remaining: 0, resetsAt: start + DAY_MS }
      expect(await take(start + 30)).toEqual(refused)
      expect(await take(start + DAY_MS - 1)).toEqual(refused)
      expect(await take(start + DAY_MS)).toEqual({
        allowed: true,
        remaining: 0,
        resetsAt: start + 10 + DAY_MS,
      })
      expect((await take(start + DAY_MS + 9)).allowed).toBe(false)
      expect((await take(start + DAY_MS + 10)).allowed).toBe(true)
    })

    test('reports the state without counting', async () => {
      const subject = unique()
      const now = store.clock()
      const peek = (at: number) => limits.peek('keys', subject, 2, DAY_MS, at)
      for (let n = 0; n < 3; n++)
        expect(await peek(now)).toEqual({ allowed: true, remaining: 2, resetsAt: now })

      await limits.take('keys', subject, 2, DAY_MS, now)
      const one = { allowed: true, remaining: 1, resetsAt: now + DAY_MS }
      for (let n = 0; n < 3; n++) expect(await peek(now + 5)).toEqual(one)

      await limits.take('keys', subject, 2, DAY_MS, now + 5)
      expect(await peek(now + 6)).toEqual({ allowed: false, remaining: 0, resetsAt: now + DAY_MS })
      expect(await peek(now + DAY_MS)).toEqual({ allowed: true, remaining: 1, resetsAt: now + 5 + DAY_MS })
      const later = now + 2 * DAY_MS
      expect(await peek(later)).toEqual({ allowed: true, remaining: 2, resetsAt: later })
    })

    test('refuses everything by a limit of 0, and by a limit that is lower than the uses so far', async () => {
      const subject = unique()
      const now = store.clock()
      const refused = (resetsAt: number) => ({ allowed: false, remaining: 0, resetsAt })
      const both = (limit: number) =>
        Promise.all([
          limits.take('keys', subject, limit, DAY_MS, now),
          limits.peek('keys', subject, limit, DAY_MS, now),
        ])
      expect(await both(0)).toEqual([refused(now), refused(now)])
      for (let n = 0; n < 3; n++) await limits.take('keys', subject, 3, DAY_MS, now)
      expect(await both(1)).toEqual([refused(now + DAY_MS), refused(now + DAY_MS)])
    })

    test('counts a use by a clock that is ahead, and the earliest use decides when the next one is free', async () => {
      const subject = unique()
      const now = store.clock()
      const take = (at: number) => limits.take('keys', subject, 2, DAY_MS, at)
      expect(await take(now + 10)).toEqual({ allowed: true, remaining: 1, resetsAt: now + 10 + DAY_MS })
      expect(await take(now)).toEqual({ allowed: true, remaining: 0, resetsAt: now + DAY_MS })
      expect(await take(now)).toEqual({ allowed: false, remaining: 0, resetsAt: now + DAY_MS })
    })

    test('counts each name and each subject separately', async () => {
      const [one, two] = [unique(), unique()]
      const now = store.clock()
      for (const [name, subject] of [
        ['keys', one],
        ['keys', two],
        ['domains', one],
        ['domains', `${one}/64`],
      ] as const) {
        expect((await limits.take(name, subject, 1, DAY_MS, now)).allowed).toBe(true)
        expect((await limits.take(name, subject, 1, DAY_MS, now)).allowed).toBe(false)
      }
    })

    test('allows no more than the limit of many concurrent uses', async () => {
      const subject = unique()
      const now = store.clock()
      const take = () => limits.take('keys', subject, 5, DAY_MS, now)
      const quotas = await Promise.all(Array.from({ length: 30 }, take))
      const allowed = quotas.filter((quota) => quota.allowed).length
      expect(allowed).toBeLessThanOrEqual(5)
      // Conflicting uses may have been refused, but the rest of the limit can still be used.
      for (let n = allowed; n < 5; n++) expect((await take()).allowed).toBe(true)
      expect((await take()).allowed).toBe(false)
    })

    test('never allows more than the limit in any window', async () => {
      const subject = unique()
      const start = store.clock()
      const window = 1000
      const allowed: number[] = []
      let now = start
      for (let n = 0; n < 60; n++) {
        now += (n * 7919) % 311
        const inside = allowed.filter((at) => at > now - window)
        const quota = await limits.take('keys', subject, 4, window, now)
        expect(quota.allowed).toBe(inside.length < 4)
        if (quota.allowed) allowed.push(now)
      }
    })

    test('leases each number once to concurrent callers, with the secret of the first', async () => {
      const name = unique()
      const leases = await Promise.all(
        Array.from({ length: 20 }, (_, n) => limits.lease(name, 10, `secret ${n}`)),
      )
      expect(leases.map(({ first }) => first).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 20 }, (_, n) => n * 10),
      )
      expect(new Set(leases.map(({ secret }) => secret)).size).toBe(1)
      expect(await limits.lease(name, 1, 'later')).toEqual({ first: 200, secret: leases[0]!.secret })
      expect(await limits.lease(unique(), 1, 'own')).toEqual({ first: 0, secret: 'own' })
    })
  })
}
