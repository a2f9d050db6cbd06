import { describe, expect, test } from '@jest/globals'
import { Quota } from '../../core/quota.ts'

/** Takes places for the client until it gets no more, or `most` of them. Returns how many it got. */
function fill(quota: Quota, client: string, most = Number.POSITIVE_INFINITY): number {
  let count = 0
  for (; count < most && quota.has(client); count++) quota.enter(client)
  return count
}

describe('a quota', () => {
  test('has its number of places and no more', () => {
    const quota = new Quota(20)
    for (let n = 0; n < 20; n++) expect(fill(quota, `client ${n}`, 1)).toBe(1)
    expect(quota.taken).toBe(20)
    expect(quota.has('one more')).toBe(false)
    quota.leave('client 3')
    expect(quota.has('one more')).toBe(true)
  })

  test('gives no client more than it leaves free', () => {
    const quota = new Quota(16)
    expect(['a', 'b', 'c', 'd'].map((client) => fill(quota, client))).toEqual([8, 4, 2, 1])
    expect(quota.has('e')).toBe(true)
  })

  test('gives no client more than `perClient`', () => {
    const quota = new Quota(100, { perClient: 3 })
    expect(fill(quota, 'a')).toBe(3)
    quota.leave('a')
    expect(quota.heldBy('a')).toBe(2)
    expect(fill(quota, 'a')).toBe(1)
    expect(fill(quota, 'b')).toBe(3)
  })

  test('gives each client the usual number until only reserved places are left', () => {
    const quota = new Quota(22_000, { usual: 5000, reserved: 2000 })
    expect(['a', 'b', 'c', 'd'].map((client) => fill(quota, client, 5000))).toEqual([5000, 5000, 5000, 5000])
    expect(quota.has('a')).toBe(false)
    expect(quota.has('e')).toBe(true)
  })

  test('gives the reserved places to clients that hold few', () => {
    const quota = new Quota(22_000, { usual: 5000, reserved: 2000 })
    for (const client of ['a', 'b', 'c', 'd']) fill(quota, client, 5000)
    expect(fill(quota, 'e')).toBeLessThanOrEqual(100)
    for (let n = 0; n < 1000; n++) expect(fill(quota, `client ${n}`, 1)).toBe(1)
  })

  test('gives places to a newcomer although fifty clients hold all they can', () => {
    const quota = new Quota(1000, { perClient: 20, usual: 20, reserved: 200 })
    for (let n = 0; n < 50; n++) fill(quota, `client ${n}`)
    expect(fill(quota, 'newcomer')).toBeGreaterThanOrEqual(5)
  })
})
