import { randomBytes } from 'node:crypto'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { permuted, Usernames } from '../../../core/access/usernames.ts'
import { ADJECTIVES, NOUNS } from '../../../core/access/words.ts'

/** A sequence that processes share. */
function sequence() {
  let next = 0
  let kept: string | undefined
  let leases = 0
  return {
    lease: async (_name: string, count: number, secret: string) => {
      leases++
      kept ??= secret
      next += count
      return { first: next - count, secret: kept }
    },
    leases: () => leases,
  }
}

test('names of several processes are all different, and cost almost nothing', async () => {
  const shared = sequence()
  const processes = Array.from({ length: 4 }, () => new Usernames(shared, randomBytes))
  const names = await Promise.all(
    Array.from({ length: 20_000 }, (_, n) => processes[n % processes.length]!.take()),
  )
  expect(new Set(names).size).toBe(20_000)
  const words = new Set(ADJECTIVES.flatMap((adjective) => NOUNS.map((noun) => adjective + noun)))
  for (const name of names) {
    expect(name).toMatch(/^[a-z]+(0|[1-9][0-9]{0,5})$/)
    expect(words.has(name.replace(/[0-9]+$/, ''))).toBe(true)
  }
  expect(shared.leases()).toBe(20)
})

test('after a fault of the store the next name is issued', async () => {
  const shared = sequence()
  let faults = 1
  const lease: typeof shared.lease = (...args) =>
    faults-- > 0 ? Promise.reject(new Error('no store')) : shared.lease(...args)
  const usernames = new Usernames({ lease }, randomBytes)
  await expect(usernames.take()).rejects.toThrow('no store')
  expect(await usernames.take()).toMatch(/^[a-z]+[0-9]+$/)
})

test('it is a permutation, and another secret gives another one', () => {
  const many = Array.from({ length: 20_000 }, (_, n) => permuted(n, 'secret'))
  expect(new Set(many).size).toBe(many.length)
  // Neighbours are far apart: each half of the range has its share.
  const half = (260 * 247 * 1_000_000) / 2
  const low = many.filter((value) => value < half).length
  expect(Math.abs(low - 10_000)).toBeLessThan(500)
  fc.assert(
    fc.property(fc.nat(1e9), (n) => {
      expect(permuted(n, 'a')).not.toBe(permuted(n, 'b'))
    }),
  )
})

test('the permutation is the same in every version, because otherwise earlier names would be issued again', () => {
  expect([0, 1, 2].map((n) => permuted(n, 'secret'))).toEqual([58695767603, 8557115584, 51453842570])
})

test('the words of a number are the same in every version, and numbers begin again after the last name', async () => {
  const leased: unknown[][] = []
  const names = async (first: number) => {
    const lease = async (...args: unknown[]) => {
      leased.push(args)
      return { first, secret: 'secret' }
    }
    const usernames = new Usernames({ lease }, (size) => new Uint8Array(size).fill(171))
    return [await usernames.take(), await usernames.take(), await usernames.take()]
  }
  const expected = ['royalthrush767603', 'tealcamel115584', 'sureraven842570']
  expect(await names(0)).toEqual(expected)
  expect(await names(ADJECTIVES.length * NOUNS.length * 1_000_000)).toEqual(expected)
  expect(leased).toEqual(Array(2).fill(['usernames', 1000, 'ab'.repeat(32)]))
})
