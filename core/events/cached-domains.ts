import type { Domain, Domains } from '../access/ports.ts'
import type { Clock } from '../clock.ts'
import { MINUTE_MS } from '../limits.ts'
import type { ChangeFeed } from './ports.ts'

/** How long a domain is cached if no change is published. */
export const DOMAIN_CACHE_MS = MINUTE_MS

/**
 * Caches registered domains until the store publishes a change, because thousands of streams that
 * reconnect at once look up the same few, and every mail looks up its own. If the feed stops, the
 * cache is wrong for at most a minute. A caller must check the domain again when it can no longer
 * miss a change.
 */
export function cachedDomains(domains: Domains, changeFeed: ChangeFeed, clock: Clock): Domains {
  const known = new Map<string, { found: Promise<Domain | undefined>; until: number }>()
  changeFeed.subscribe(
    (change) => {
      if (change.type === 'domain') known.delete(change.name)
    },
    { mail: false },
  )
  return {
    find(name) {
      const cached = known.get(name)
      if (cached !== undefined && clock() < cached.until) return cached.found
      const found = domains.find(name)
      const entry = { found, until: clock() + DOMAIN_CACHE_MS }
      known.set(name, entry)
      const forget = () => {
        if (known.get(name) === entry) known.delete(name)
      }
      found.then((domain) => domain ?? forget(), forget)
      return found
    },
    list: () => domains.list(),
    withKey: (keyHash) => domains.withKey(keyHash),
    change: (name, before, after) => domains.change(name, before, after),
  }
}
