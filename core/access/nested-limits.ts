import { networksOf } from '../network.ts'
import type { Limits, Quota } from './ports.ts'

/**
 * Limits that count a client also in the networks around it (core/network.ts), at the factors of
 * their limits. Subjects that are no network are counted as they are.
 */
export function nestedLimits(limits: Limits): Limits {
  return {
    async take(name, subject, limit, windowMs, now) {
      const quotas: Quota[] = []
      // The narrowest first: a client that has used up its own limit takes nothing from the others
      // of its site.
      for (const [network, factor] of networksOf(subject)) {
        const quota = await limits.take(name, network, factor * limit, windowMs, now)
        quotas.push(quota)
        if (!quota.allowed) break
      }
      return strictest(quotas)
    },
    async peek(name, subject, limit, windowMs, now) {
      const peeked = networksOf(subject).map(([network, factor]) =>
        limits.peek(name, network, factor * limit, windowMs, now),
      )
      return strictest(await Promise.all(peeked))
    },
    lease: (name, count, secret) => limits.lease(name, count, secret),
  }
}

function strictest(quotas: Quota[]): Quota {
  const refused = quotas.find(({ allowed }) => !allowed)
  return refused ?? quotas.reduce((least, quota) => (quota.remaining < least.remaining ? quota : least))
}
