import { describe, expect, test } from '@jest/globals'
import { clientNetwork } from '../../core/access/client.ts'
import { ClientRate } from '../../core/access/client-rate.ts'
import { nestedLimits } from '../../core/access/nested-limits.ts'
import type { Limits } from '../../core/access/ports.ts'
import { networksOf, siteOf } from '../../core/network.ts'
import { Quota } from '../../core/quota.ts'

/** Clients of one /48: 256 of each /56. */
const clients = (count: number) =>
  Array.from({ length: count }, (_, n) => clientNetwork(`2001:db8:7:${n.toString(16)}::1`))
const HONEST = '192.0.2.1'

describe('the networks of a client', () => {
  test.each([
    ['192.0.2.1', [['192.0.2.1', 1]]],
    [
      '2001:db8:7:12ab::1',
      [
        ['2001:db8:7:12ab::/64', 1],
        ['2001:db8:7:1200::/56', 4],
        ['2001:db8:7:0::/48', 10],
      ],
    ],
    [
      '2001:db8::1',
      [
        ['2001:db8:0:0::/64', 1],
        ['2001:db8:0:0::/56', 4],
        ['2001:db8:0:0::/48', 10],
      ],
    ],
    ['::ffff:192.0.2.1', [['192.0.2.1', 1]]],
  ])('%s', (address, networks) => {
    expect(networksOf(clientNetwork(address))).toEqual(networks)
  })

  test('a name that is no network has no wider one, and a minute stays with its network', () => {
    expect(networksOf('a key')).toEqual([['a key', 1]])
    expect(networksOf('2001:db8:7:1::/64#5').map(([network]) => network)).toEqual([
      '2001:db8:7:1::/64#5',
      '2001:db8:7:0::/56#5',
      '2001:db8:7:0::/48#5',
    ])
    expect(siteOf('2001:db8:7:1::/64')).toBe(siteOf('2001:db8:7:ffff::/64'))
  })
})

describe('one /48 is ten clients at most', () => {
  test('places', () => {
    const quota = new Quota(1000, { perClient: 20, usual: 20, reserved: 200 })
    for (const client of clients(2000)) if (quota.has(client)) quota.enter(client)
    expect(quota.taken).toBe(200)
    expect(quota.has(HONEST)).toBe(true)
    for (const client of clients(200)) quota.leave(client)
    expect(quota.heldBy(siteOf(clients(1)[0]!))).toBe(0)
  })

  test('a /56 is four clients', () => {
    const quota = new Quota(1000, { perClient: 20, usual: 20, reserved: 200 })
    for (let n = 0; n < 10; n++) for (const client of clients(255)) if (quota.has(client)) quota.enter(client)
    expect(quota.taken).toBe(80)
  })

  test('places of a quota without a number for each client', () => {
    const quota = new Quota(24_000, { usual: 5500, reserved: 2000 })
    for (let n = 0; n < 30; n++)
      for (const client of clients(1000)) if (quota.has(client)) quota.enter(client)
    expect(quota.taken).toBe(12_000)
  })

  test('requests without a key', () => {
    const rate = new ClientRate(60, () => 0)
    const admitted = clients(2000).filter((client) => {
      try {
        rate.admit(client)
        return true
      } catch {
        return false
      }
    })
    expect(admitted).toHaveLength(600)
    expect(() => rate.admit(HONEST)).not.toThrow()
  })

  test('uses that a store counts, such as keys', async () => {
    const counts = new Map<string, number>()
    const store: Limits = {
      async take(name, subject, limit) {
        const count = counts.get(`${name} ${subject}`) ?? 0
        if (count < limit) counts.set(`${name} ${subject}`, count + 1)
        return { allowed: count < limit, remaining: Math.max(0, limit - count - 1), resetsAt: 0 }
      },
      async peek(name, subject, limit) {
        const count = counts.get(`${name} ${subject}`) ?? 0
        return { allowed: count < limit, remaining: limit - count, resetsAt: 0 }
      },
      lease: async () => ({ first: 0, secret: '' }),
    }
    const limits = nestedLimits(store)
    let allowed = 0
    for (const client of clients(500)) {
      if ((await limits.take('api-keys', client, 5, 1, 0)).allowed) allowed++
    }
    // The first /56 has 20, the second the rest.
    expect(allowed).toBe(40)
    expect((await limits.peek('api-keys', clients(1)[0]!, 5, 1, 0)).remaining).toBe(0)
    expect((await limits.take('api-keys', HONEST, 5, 1, 0)).allowed).toBe(true)
  })
})
