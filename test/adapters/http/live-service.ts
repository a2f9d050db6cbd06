import type { LiveService } from '../../../adapters/http/service.ts'
import { ClientRate } from '../../../core/access/client-rate.ts'
import { DomainService } from '../../../core/access/domain-service.ts'
import type { Domain, Domains, Limits } from '../../../core/access/ports.ts'
import { WrongKeys } from '../../../core/access/wrong-keys.ts'
import { Live } from '../../../core/events/live.ts'
import type { MessageStore } from '../../../core/inbox/ports.ts'
import { KEYLESS_REQUESTS_PER_MINUTE } from '../../../core/limits.ts'

/** A public domain. */
export const domain = { name: 'x.test', keyHash: null, visibleAfter: '' } as Domain

/** Live delivery without any incoming mail. */
export function quiet(store: Partial<MessageStore> = {}): Live {
  const empty: Partial<MessageStore> = { barrier: async () => {}, async *replay() {} }
  return new Live({ subscribe: () => () => {} }, { ...empty, ...store } as MessageStore, Date.now)
}

/** The parts of a service that streams use, with the domains that `find` returns. */
export function serving(live: Live, find: (name: string) => Domain | Promise<Domain>): LiveService {
  const domains: Partial<Domains> = { find: async (name) => find(name) }
  const parts: Partial<LiveService> = {
    live,
    keylessRate: new ClientRate(KEYLESS_REQUESTS_PER_MINUTE, Date.now),
    domainService: new DomainService({
      domains: domains as Domains,
      wrongKeys: new WrongKeys({} as Limits, Date.now),
      clock: Date.now,
    }),
  }
  return parts as LiveService
}
