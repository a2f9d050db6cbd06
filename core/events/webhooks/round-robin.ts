import type { WebhookLane } from './ports.ts'

/**
 * Sorts lanes round robin over their keys: one lane of each key, then a second one of each, and so
 * on. The first key is the next one after `last`.
 */
export function roundRobin(lanes: readonly WebhookLane[], last: string): WebhookLane[] {
  const byKey = Map.groupBy(lanes, ({ keyHash }) => keyHash)
  const keys = [...byKey.keys()].sort()
  const ordered = [...keys.filter((key) => key > last), ...keys.filter((key) => key <= last)]
  const groups = ordered.map((key) => byKey.get(key)!)
  const rounds = Math.max(0, ...groups.map((group) => group.length))
  return Array.from({ length: rounds }, (_, round) =>
    groups.flatMap((group) => group.slice(round, round + 1)),
  ).flat()
}
