import type { Clock } from '../clock.ts'
import type { Domain, Domains } from './ports.ts'
import { opened } from './registration.ts'

/**
 * The name of the registration that replaces those of all unregistered domains. It survives
 * restarts, and its `visibleAfter` hides mail from before catch-all was turned on.
 */
export const CATCH_ALL = '*'

/**
 * The domains of a service that accepts mail for every domain. A domain that is not registered is
 * public.
 */
export function catchAllDomains(stored: Domains): Domains {
  return {
    async find(name) {
      const domain = await stored.find(name)
      if (domain !== undefined) return domain
      const replacement = await stored.find(CATCH_ALL)
      return replacement && { ...replacement, name }
    },
    list: async () => (await stored.list()).filter(isRegistered),
    withKey: (keyHash) => stored.withKey(keyHash),
    change: (name, before, after) => stored.change(name, before, after),
  }
}

/**
 * Like `registeredDomains`, but includes the catch-all registration, so that the configuration can
 * set it.
 */
export function configurableDomains(stored: Domains, clock: Clock): Domains {
  return { ...registeredDomains(stored, clock), list: () => stored.list() }
}

/**
 * The registered domains of a catch-all service, for callers that change registrations. A private
 * domain that is unregistered becomes public, so the catch-all registration begins again, which
 * hides all mail from before.
 */
export function registeredDomains(stored: Domains, clock: Clock): Domains {
  async function beginAgain(): Promise<void> {
    for (let done = false; !done; ) {
      const known = await stored.find(CATCH_ALL)
      done = known === undefined || (await stored.change(CATCH_ALL, known, opened(known, clock())))
    }
  }
  return {
    find: (name) => stored.find(name),
    list: async () => (await stored.list()).filter(isRegistered),
    withKey: (keyHash) => stored.withKey(keyHash),
    async change(name, before, after) {
      const isOpening = after === undefined && before !== undefined && before.keyHash !== null
      if (isOpening) await beginAgain()
      const isChanged = await stored.change(name, before, after)
      // Mail may have been stored for the private domain in between.
      if (isOpening) await beginAgain()
      return isChanged
    },
  }
}

function isRegistered({ name }: Domain): boolean {
  return name !== CATCH_ALL
}
