import { DomainService, type DomainServiceParts } from '../core/access/domain-service.ts'
import type { Domain } from '../core/access/ports.ts'
import { Problem } from '../core/errors.ts'

/**
 * Lets in by what this process remembers of the domains, so that a stream begins without a read of them. Where that would
 * refuse, the store decides: a key or a domain may be newer than what is remembered here. And the store is asked whether
 * all is still so when somebody is in: a domain may be private by now, and its announcement behind that of an email.
 */
export class RememberingDomainService extends DomainService {
  readonly #store: DomainService

  /** @param remembered as for any domain service; a wrong key is counted by `store` alone */
  constructor(remembered: DomainServiceParts, store: DomainService) {
    const { wrongKeys } = remembered
    super({ ...remembered, wrongKeys: { admit: (client) => wrongKeys.admit(client, true) } })
    this.#store = store
  }

  override async open(...call: Parameters<DomainService['open']>): Promise<Domain> {
    return orElse(super.open(...call), () => this.#store.open(...call))
  }

  override async covered(
    ...call: Parameters<DomainService['covered']>
  ): ReturnType<DomainService['covered']> {
    return orElse(super.covered(...call), () => this.#store.covered(...call))
  }

  override checkStillOpen(domain: Domain): Promise<void> {
    return this.#store.checkStillOpen(domain)
  }

  override checkFollowed(domain: Domain): Promise<void> {
    return this.#store.checkStillOpen(domain)
  }
}

async function orElse<T>(first: Promise<T>, second: () => Promise<T>): Promise<T> {
  try {
    return await first
  } catch (error) {
    if (error instanceof Problem) return second()
    throw error
  }
}
