import { expect, test } from '@jest/globals'
import type { WebhookLane } from '../../../../core/events/webhooks/ports.ts'
import { roundRobin } from '../../../../core/events/webhooks/round-robin.ts'

/** Lanes whose first letter is their key. */
const lanes = (...names: string[]): WebhookLane[] =>
  names.map((webhook) => ({ webhook, keyHash: webhook[0]!, host: 'x' }))

test.each<[string[], string, string[]]>([
  [[], '', []],
  [['a1'], 'a', ['a1']],
  [['c1', 'a1', 'b1'], '', ['a1', 'b1', 'c1']],
  [['c1', 'a1', 'b1'], 'a', ['b1', 'c1', 'a1']],
  [['c1', 'a1', 'b1'], 'b', ['c1', 'a1', 'b1']],
  [['c1', 'a1', 'b1'], 'c', ['a1', 'b1', 'c1']],
  [['a1', 'a2', 'a3', 'b1', 'c1', 'c2'], 'a', ['b1', 'c1', 'a1', 'c2', 'a2', 'a3']],
])('the lanes %j, after the key %j, have their turns in the order %j', (names, last, expected) => {
  expect(roundRobin(lanes(...names), last).map(({ webhook }) => webhook)).toEqual(expected)
})
