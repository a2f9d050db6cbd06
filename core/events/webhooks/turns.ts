import type { WebhookLane } from './ports.ts'

/**
 * The lanes in the order of their turns: one of each key before a second one of any key, beginning
 * with the key after `last`.
 */
export function keysInTurn(lanes: readonly WebhookLane[], last: string): WebhookLane[] {
  const byKey = Map.groupBy(lanes, ({ keyHash }) => keyHash)
  const keys = [...byKey.keys()].sort()
  const ordered = [...keys.filter((key) => key > last), ...keys.filter((key) => key <= last)]
  const groups = ordered.map((key) => byKey.get(key) ?? [])
  const rounds = Math.max(0, ...groups.map((group) => group.length))
  return Array.from({ length: rounds }, (_, round) =>
    groups.flatMap((group) => group.slice(round, round + 1)),
  ).flat()
}
