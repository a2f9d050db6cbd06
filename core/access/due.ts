import { crc32 } from 'node:zlib'
import type { Domain } from './ports.ts'

/**
 * Returns the domains that one of the daily runs verifies, in order: every pending domain, and each
 * other domain in one run of the day. Both kinds alternate, so that neither is left out if a run
 * ends early, and the pending ones begin at a different place each time.
 */
export function dueIn<D extends Pick<Domain, 'name' | 'status'>>(
  run: number,
  runsADay: number,
  domains: D[],
): D[] {
  const pending = domains.filter(({ status }) => status === 'pending')
  const others = domains.filter(({ name, status }) => status !== 'pending' && crc32(name) % runsADay === run)
  // A step without a common divisor with most lengths.
  const start = (run * 17) % Math.max(1, pending.length)
  const turned = [...pending.slice(start), ...pending.slice(0, start)]
  return Array.from({ length: Math.max(turned.length, others.length) }, (_, i) => [others[i], turned[i]])
    .flat()
    .filter((domain) => domain !== undefined)
}
