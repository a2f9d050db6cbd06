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
 * The registered domains of a catch-all service, for callers that change registrations. The mail of a
 * domain that is unregistered is what the catch-all registration shows, and public. So a private domain
 * that is unregistered becomes public first, which hides its mail in one step, and the catch-all
 * registration of a domain that was private begins again behind that.
 */
export function registeredDomains(stored: Domains, clock: Clock): Domains {
  async function beginAgain(hidden: string): Promise<void> {
    for (;;) {
      const known = await stored.find(CATCH_ALL)
      if (known === undefined || known.visibleAfter >= hidden) return
      await stored.change(CATCH_ALL, known, opened(known, clock()))
    }
  }
  return {
    find: (name) => stored.find(name),
    list: async () => (await stored.list()).filter(isRegistered),
    withKey: (keyHash) => stored.withKey(keyHash),
    async change(name, before, after) {
      const isOpening = typeof before?.keyHash === 'string' && typeof after?.keyHash !== 'string'
      if (!isOpening || (await stored.find(CATCH_ALL)) === undefined)
        return stored.change(name, before, after)
      if (!(await stored.change(name, before, after ?? opened(before, clock())))) return false
      const known = await stored.find(name)
      if (known !== undefined) await beginAgain(known.visibleAfter)
      return after !== undefined || stored.change(name, known, undefined)
    },
  }
}

function isRegistered({ name }: Domain): boolean {
  return name !== CATCH_ALL
}
