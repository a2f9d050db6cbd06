import type { Domain, Domains } from '../access/ports.ts'
import type { Clock } from '../clock.ts'
import { DOMAIN_REMEMBERED_MS } from '../limits.ts'
import type { ChangeFeed } from './ports.ts'

/**
 * The domains, of which `find` remembers those that are registered until the store announces a change: thousands of
 * streams that come back at once ask for the same few. A feed that has come to a halt makes it wrong for a minute
 * at most. Whoever acts on the answer checks it again once a change could no longer be missed.
 */
export function rememberedDomains(domains: Domains, changeFeed: ChangeFeed, clock: Clock): Domains {
  const known = new Map<string, { found: Promise<Domain | undefined>; until: number }>()
  changeFeed.subscribe(
    (change) => {
      if (change.type === 'domain') known.delete(change.name)
    },
    { mail: false },
  )
  return {
    find(name) {
      const remembered = known.get(name)
      if (remembered !== undefined && clock() < remembered.until) return remembered.found
      const found = domains.find(name)
      const entry = { found, until: clock() + DOMAIN_REMEMBERED_MS }
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
