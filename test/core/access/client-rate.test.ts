import { beforeEach, expect, test } from '@jest/globals'
import { clientNetwork } from '../../../core/access/client.ts'
import { ClientRate } from '../../../core/access/client-rate.ts'
import { MINUTE_MS } from '../../../core/limits.ts'

let now: number
let rate: ClientRate

beforeEach(() => {
  now = 1_000 * MINUTE_MS
  rate = new ClientRate(3, () => now)
})

function admitted(client: string, times: number): number {
  let count = 0
  for (let n = 0; n < times; n++) {
    try {
      rate.admit(client)
      count++
    } catch {
      // The request is refused.
    }
  }
  return count
}

test('each client has the same number of requests in every clock minute', () => {
  expect([admitted('192.0.2.1', 5), admitted('192.0.2.2', 2)]).toEqual([3, 2])
  now += MINUTE_MS - 1
  expect([admitted('192.0.2.1', 5), admitted('192.0.2.2', 5)]).toEqual([0, 1])
  now += 1
  expect(admitted('192.0.2.1', 5)).toBe(3)
})

test('a refusal says when the client may try again', () => {
  admitted('192.0.2.1', 3)
  now += 15_500
  expect(() => rate.admit('192.0.2.1')).toThrow(
    expect.objectContaining({ code: 'rate_limited', retryAfter: 45 }),
  )
})

test.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('%s is not counted', (address) => {
  expect(admitted(clientNetwork(address), 10)).toBe(10)
})

test('further clients than can be counted are admitted, and the others stay limited', () => {
  for (let n = 0; n < 99_999; n++) rate.admit(`client ${n}`)
  expect([admitted('the last one', 5), admitted('one more', 5)]).toEqual([3, 5])
  expect(admitted('client 0', 5)).toBe(2)
  now += MINUTE_MS
  expect(admitted('one more', 5)).toBe(3)
})
