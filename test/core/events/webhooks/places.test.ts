import { expect, test } from '@jest/globals'
import { Places } from '../../../../core/events/webhooks/places.ts'
import type { WebhookLane } from '../../../../core/events/webhooks/ports.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
/** The places of the webhooks of one key: 12 at most, and no more than each leaves to the others. */
const SHARES = [12, 10, 5, 3, 1, 1, 0]

const lane = (webhook: string, keyHash = 'key', host = `${webhook}.example`): WebhookLane => ({
  webhook,
  keyHash,
  host,
})

/** Takes as many places as the lane gets, and returns how many. */
function filled(places: Places, of: WebhookLane): number {
  let count = 0
  for (; count < 1000 && places.has(of); count++) places.enter(of)
  return count
}

test('a webhook has 12 places, and its key 32 in all', () => {
  const places = new Places()
  expect(NAMES.map((name) => filled(places, lane(name)))).toEqual(SHARES)
  expect(filled(places, lane('z', 'other'))).toBe(12)
  expect(places.taken).toBe(44)
})

test('a place that is given back is free for another webhook of the key', () => {
  const places = new Places()
  for (const name of NAMES) filled(places, lane(name))
  places.leave(lane('a'))
  expect(['b', 'g', 'h'].map((name) => filled(places, lane(name)))).toEqual([0, 1, 0])
})

test('a host has 32 places, of which each key leaves as many as it holds', () => {
  const places = new Places()
  const at = (webhook: string, key: string) => lane(webhook, key, 'x.example')
  const lanes = [at('a', '1'), at('b', '1'), at('c', '2'), at('d', '3')]
  expect(lanes.map((each) => filled(places, each))).toEqual([12, 4, 8, 4])
  places.leave(at('a', '1'))
  expect([at('b', '1'), at('c', '2'), at('e', '4')].map((each) => filled(places, each))).toEqual([0, 0, 3])
})

test('there are 512 places in all, and each key may use its 32 until none is left', () => {
  const places = new Places()
  const keys = () =>
    Array.from({ length: 17 }, (_, key) =>
      NAMES.reduce((sum, name) => sum + filled(places, lane(`${name}${key}`, `${key}`)), 0),
    )
  expect(keys()).toEqual([...Array(16).fill(32), 0])
  expect(places.taken).toBe(512)
  for (let key = 0; key < 16; key++) {
    for (const [n, name] of NAMES.entries())
      for (let i = 0; i < SHARES[n]!; i++) places.leave(lane(`${name}${key}`, `${key}`))
  }
  expect(places.taken).toBe(0)
  expect(keys()).toEqual([...Array(16).fill(32), 0])
})
