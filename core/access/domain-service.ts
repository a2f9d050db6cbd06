import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { Problem } from '../errors.ts'
import { hashKey, sameHash } from './api-keys.ts'
import type { Domain, DomainState, Domains } from './ports.ts'
import { newDomain, opened } from './registration.ts'
import type { WrongKeys } from './wrong-keys.ts'

export interface DomainServiceParts {
  domains: Domains
  /** The store itself, where `domains` remembers what it said. */
  stored?: Pick<Domains, 'find'>
  wrongKeys: Pick<WrongKeys, 'admit'>
  clock: Clock
}

/** Which domains are registered here, and who may read them. */
export class DomainService {
  readonly #domains: Domains
  readonly #stored: Pick<Domains, 'find'>
  readonly #wrongKeys: Pick<WrongKeys, 'admit'>
  readonly #clock: Clock
  /** Looks at the store that have not begun yet. */
  readonly #looks = new Map<string, Promise<Domain | undefined>>()

  constructor({ domains, stored = domains, wrongKeys, clock }: DomainServiceParts) {
    this.#domains = domains
    this.#stored = stored
    this.#wrongKeys = wrongKeys
    this.#clock = clock
  }

  /** The verified domains, sorted by name. */
  async verified(): Promise<Domain[]> {
    return (await this.#domains.list()).filter((domain) => domain.status === 'verified')
  }

  /**
   * The registered domain, if the key opens it.
   * @param client the caller's network (core/access/client.ts), against which a wrong key counts
   * @throws Problem `domain_not_found`, `domain_key_missing`, `domain_key_invalid`, `rate_limited`
   */
  async open(name: string, key: string | undefined, client: string): Promise<Domain> {
    const domain = await this.#domains.find(name)
    if (domain === undefined) {
      throw new Problem('domain_not_found', 'Mail for this domain is not taken here.')
    }
    if (domain.keyHash === null) return domain
    if (!key) throw new Problem('domain_key_missing', 'This domain is private: its key is needed too.')
    const isRight = sameHash(hashKey(key), domain.keyHash)
    await this.#wrongKeys.admit(client, isRight)
    if (!isRight) {
      throw new Problem('domain_key_invalid', 'This is not the key of this private domain.')
    }
    if (!domain.keyPresented) {
      // Where another change is faster, the key is shown again with the next request.
      await this.#domains.change(name, domain, { ...domain, keyPresented: true })
    }
    return domain
  }

  /**
   * Refuses when the domain is not open any more as it was when `open` gave it: what was read meanwhile may be
   * somebody else's by now. @throws Problem `unavailable`
   */
  async checkStillOpen(domain: Domain): Promise<void> {
    refuseChanged(domain, await this.#look(domain.name))
  }

  /**
   * The same for whoever has just begun to follow what is announced. `domains` may answer from what it remembers:
   * what it has not been told of yet will be announced, and before the emails that come after it.
   * @throws Problem `unavailable`
   */
  async checkFollowed(domain: Domain): Promise<void> {
    refuseChanged(domain, await this.#domains.find(domain.name))
  }

  /**
   * What the store has of a domain a moment after this call: one look for all that ask in one turn of the event loop,
   * for thousands of streams come back at once.
   */
  #look(name: string): Promise<Domain | undefined> {
    let look = this.#looks.get(name)
    if (look === undefined) {
      look = setImmediate().then(() => {
        this.#looks.delete(name)
        return this.#stored.find(name)
      })
      this.#looks.set(name, look)
    }
    return look
  }

  /**
   * The domains that a domain key covers, at least one: those for which it was shown before.
   * @throws Problem `domain_key_missing`, `domain_key_invalid`, `rate_limited`
   */
  async covered(key: string | undefined, client: string): Promise<{ keyHash: string; domains: Domain[] }> {
    if (!key) throw new Problem('domain_key_missing', 'This needs a domain key.')
    const keyHash = hashKey(key)
    const withKey = await this.#domains.withKey(keyHash)
    await this.#wrongKeys.admit(client, withKey.length > 0)
    const domains = withKey.filter((domain) => domain.keyPresented)
    if (domains.length > 0) return { keyHash, domains }
    throw new Problem(
      'domain_key_invalid',
      'This key covers no domain. A domain joins when its key is first shown for it: as X-Domain-Key at its ' +
        'verification, or at one of its inboxes.',
    )
  }

  /**
   * Registers the domains that the configuration names, and unregisters those that it named before. One without
   * a key keeps the key that DNS gave it.
   * @param status of those that are new: `pending` where the provider has yet to say that it takes their mail
   */
  async configure(domains: { name: string; key: string | null }[], status: Domain['status']): Promise<void> {
    for (const { name, key } of domains) {
      await this.#change(name, (known) => this.#configured(name, key, known, status))
    }
    const configured = new Set(domains.map((domain) => domain.name))
    for (const { name } of await this.#domains.list()) {
      if (!configured.has(name)) await this.#change(name, (known) => (known?.configured ? undefined : known))
    }
  }

  #configured(
    name: string,
    key: string | null,
    known: Domain | undefined,
    status: Domain['status'],
  ): DomainState {
    const now = this.#clock()
    const base = { ...(known ?? newDomain(name, status, now)), configured: true }
    if (key !== null) {
      const own = { keyHash: hashKey(key), keyPresented: true, keyConfigured: true }
      return { ...base, ...own, keyMissingSince: null }
    }
    const without = { ...base, keyConfigured: false }
    return base.keyConfigured ? opened(without, now) : without
  }

  /** Changes what is there, as often as somebody else changes it in between. */
  async #change(name: string, to: (known: Domain | undefined) => DomainState | undefined): Promise<void> {
    for (;;) {
      const known = await this.#domains.find(name)
      const after = to(known)
      if (isSame(known, after) || (await this.#domains.change(name, known, after))) return
    }
  }
}

function isSame(before: Domain | undefined, after: DomainState | undefined): boolean {
  if (before === undefined || after === undefined) return before === after
  return Object.entries(after).every(([name, value]) => before[name as keyof Domain] === value)
}

function refuseChanged(before: Domain, now: Domain | undefined): void {
  if (now?.visibleAfter === before.visibleAfter && now.keyHash === before.keyHash) return
  throw new Problem('unavailable', 'Access to this domain has just changed. Ask again.', { retryAfter: 1 })
}
