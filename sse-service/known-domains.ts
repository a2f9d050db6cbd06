import type { Domain, DomainState, Domains } from '../core/access/ports.ts'
import type { ChangeFeed } from '../core/events/ports.ts'

/**
 * The domains in the memory of a process that hears of their changes anyway, so that opening a stream reads none of
 * them. What it knows may be some hundred ms behind the store, which decides where it knows nothing.
 */
export class KnownDomains implements Domains {
  readonly #store: Domains
  readonly #known = new Map<string, Domain>()
  /** Domains that changed while the list was read, which may be from before. */
  #changed: Set<string> | undefined

  constructor(store: Domains, changeFeed: ChangeFeed) {
    this.#store = store
    changeFeed.subscribe((change) => {
      if (change.type !== 'domain') return
      this.#changed?.add(change.name)
      if (change.domain === undefined) this.#known.delete(change.name)
      else this.#known.set(change.name, change.domain)
    })
  }

  /** To be called once, when the changes are listened to. */
  async load(): Promise<void> {
    this.#changed = new Set()
    for (const domain of await this.#store.list()) {
      if (!this.#changed.has(domain.name)) this.#known.set(domain.name, domain)
    }
    this.#changed = undefined
  }

  async find(name: string): Promise<Domain | undefined> {
    const known = this.#known.get(name)
    return known === undefined ? this.#store.find(name) : { ...known }
  }

  async withKey(keyHash: string): Promise<Domain[]> {
    const known = [...this.#known.values()].filter(({ key_hash }) => key_hash === keyHash)
    if (known.length === 0) return this.#store.withKey(keyHash)
    return known.map((domain) => ({ ...domain })).sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  list(): Promise<Domain[]> {
    return this.#store.list()
  }

  change(name: string, before: Domain | undefined, after: DomainState | undefined): Promise<boolean> {
    return this.#store.change(name, before, after)
  }
}
