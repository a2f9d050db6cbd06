import { DomainService, type DomainServiceParts } from '../core/access/domain-service.ts'
import type { Domain } from '../core/access/ports.ts'
import { Problem } from '../core/errors.ts'

/**
 * Admits streams by this process's cached domains, so that a stream opens without a read of them.
 * Where the cache would refuse, the store decides, because a key or a domain may be newer than the
 * cache. After admission the store is read too: the domain may have become private, and its change
 * may arrive later than that of an email.
 */
export class CachedDomainService extends DomainService {
  readonly #store: DomainService

  /** @param cached parts of any domain service; only `store` counts wrong keys */
  constructor(cached: DomainServiceParts, store: DomainService) {
    const { wrongKeys } = cached
    super({ ...cached, wrongKeys: { admit: (client) => wrongKeys.admit(client, true) } })
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
