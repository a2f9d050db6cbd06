import { crc32 } from 'node:zlib'
import type { Domain } from './ports.ts'

/**
 * Which domains one of the runs of a day is to verify, in this order: every pending one, and each other one in one
 * run of the day. By turns, so that where the time of a run ends neither kind has had it all; and the pending ones
 * from another place each time, so that none of them is always behind it.
 */
export function dueIn(run: number, runsADay: number, domains: Domain[]): Domain[] {
  const pending = domains.filter(({ status }) => status === 'pending')
  const others = domains.filter(({ name, status }) => status !== 'pending' && crc32(name) % runsADay === run)
  // A step that has no divisor in common with most lengths.
  const start = pending.length === 0 ? 0 : (run * 17) % pending.length
  const turned = [...pending.slice(start), ...pending.slice(0, start)]
  return Array.from({ length: Math.max(turned.length, others.length) }, (_, i) => [others[i], turned[i]])
    .flat()
    .filter((domain) => domain !== undefined)
}
