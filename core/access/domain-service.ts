import { setImmediate } from 'node:timers/promises'
import type { Address } from '../address.ts'
import type { Clock } from '../clock.ts'
import { Problem } from '../errors.ts'
import { requestedAddress } from './accepted-address.ts'
import { hashKey, sameHash } from './api-keys.ts'
import type { Domain, DomainState, Domains } from './ports.ts'
import { newDomain, opened } from './registration.ts'
import type { WrongKeys } from './wrong-keys.ts'

export interface DomainServiceParts {
  domains: Domains
  /** The store itself, if `domains` is a cache. */
  stored?: Pick<Domains, 'find'>
  wrongKeys: Pick<WrongKeys, 'admit'>
  clock: Clock
}

/** The registered domains, and who may read them. */
export class DomainService {
  readonly #domains: Domains
  readonly #stored: Pick<Domains, 'find'>
  readonly #wrongKeys: Pick<WrongKeys, 'admit'>
  readonly #clock: Clock
  /** Look-ups in the store that have not begun yet. */
  readonly #looks = new Map<string, Promise<Domain | undefined>>()

  constructor({ domains, stored = domains, wrongKeys, clock }: DomainServiceParts) {
    this.#domains = domains
    this.#stored = stored
    this.#wrongKeys = wrongKeys
    this.#clock = clock
  }

  /**
   * Returns the canonical form of an address that this service can have.
   * @throws Problem `invalid_address`
   */
  address(text: string): Promise<Address> {
    return requestedAddress(this.#domains, text)
  }

  /** The verified domains, sorted by name. */
  async verified(): Promise<Domain[]> {
    return (await this.#domains.list()).filter((domain) => domain.status === 'verified')
  }

  /**
   * Returns the registered domain, if the key opens it.
   * @param client the caller's network (core/access/client.ts), for the count of wrong keys
   * @throws Problem `domain_not_found`, `domain_key_missing`, `domain_key_invalid`, `rate_limited`
   */
  async open(name: string, key: string | undefined, client: string): Promise<Domain> {
    const domain = await this.#domains.find(name)
    if (domain === undefined) {
      throw new Problem('domain_not_found', 'This service does not accept mail for that domain.')
    }
    if (domain.keyHash === null) return domain
    if (!key)
      throw new Problem('domain_key_missing', 'This domain is private, so its domain key is required too.')
    const isRight = sameHash(hashKey(key), domain.keyHash)
    await this.#wrongKeys.admit(client, isRight)
    if (!isRight) {
      throw new Problem('domain_key_invalid', 'This is not the key of this private domain.')
    }
    if (!domain.keyPresented) {
      // If another change wins, the next request presents the key again.
      await this.#domains.change(name, domain, { ...domain, keyPresented: true })
    }
    return domain
  }

  /**
   * Rejects if access to the domain has changed since `open` returned it, because what was read
   * meanwhile may belong to another owner.
   * @throws Problem `unavailable`
   */
  async checkStillOpen(domain: Domain): Promise<void> {
    refuseChanged(domain, await this.#look(domain.name))
  }

  /**
   * Does the same for a caller that has just subscribed to changes. `domains` may be a cache: a
   * change that it does not have yet will be published, before any email that is newer than the
   * change.
   * @throws Problem `unavailable`
   */
  async checkFollowed(domain: Domain): Promise<void> {
    refuseChanged(domain, await this.#domains.find(domain.name))
  }

  /**
   * Reads the domain from the store, in a later turn of the event loop. All callers of one turn of
   * the event loop share a look-up, because thousands of streams reconnect at once.
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
   * Returns the domains that a domain key covers, at least one: those for which it was presented.
   * @throws Problem `domain_key_missing`, `domain_key_invalid`, `rate_limited`
   */
  async covered(key: string | undefined, client: string): Promise<{ keyHash: string; domains: Domain[] }> {
    if (!key) throw new Problem('domain_key_missing', 'A domain key is required.')
    const keyHash = hashKey(key)
    const withKey = await this.#domains.withKey(keyHash)
    await this.#wrongKeys.admit(client, withKey.length > 0)
    const domains = withKey.filter((domain) => domain.keyPresented)
    if (domains.length > 0) return { keyHash, domains }
    throw new Problem(
      'domain_key_invalid',
      'This key covers no domain. A domain joins when its key is first presented for it: as X-Domain-Key at its ' +
        'verification, or at one of its inboxes.',
    )
  }

  /**
   * Registers the configured domains, and unregisters those that were configured before. A domain
   * without a configured key keeps the key from DNS.
   * @param status of new domains: `pending` if the provider has not confirmed them yet
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

  /** Changes the domain, and tries again if it was changed in between. */
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
  throw new Problem('unavailable', 'Access to this domain has just changed. Try again.', { retryAfter: 1 })
}
