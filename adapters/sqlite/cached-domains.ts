import type { Domain, DomainState, Domains } from '../../core/access/ports.ts'

const CACHED_MAX = 10_000

/**
 * Registered domains with a cache, for the writing thread: every change of a domain happens there,
 * so the cache is always current.
 */
export class CachedDomains implements Domains {
  readonly #domains: Domains
  readonly #cached = new Map<string, Domain>()

  constructor(domains: Domains) {
    this.#domains = domains
  }

  async find(name: string): Promise<Domain | undefined> {
    let domain = this.#cached.get(name)
    if (domain === undefined) {
      domain = await this.#domains.find(name)
      if (this.#cached.size >= CACHED_MAX) this.#cached.clear()
      if (domain !== undefined) this.#cached.set(name, domain)
    }
    return domain && { ...domain }
  }

  /** Must be called when a change of the domain is committed. */
  forget(name: string): void {
    this.#cached.delete(name)
  }

  list(): Promise<Domain[]> {
    return this.#domains.list()
  }

  withKey(keyHash: string): Promise<Domain[]> {
    return this.#domains.withKey(keyHash)
  }

  change(name: string, before: Domain | undefined, after: DomainState | undefined): Promise<boolean> {
    return this.#domains.change(name, before, after)
  }
}
