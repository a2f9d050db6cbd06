import type { Clock } from '../clock.ts'
import { Problem } from '../errors.ts'
import { DAY_MS, DOMAINS_PER_CLIENT_PER_DAY, SECOND_MS } from '../limits.ts'
import { parseDomain } from '../mail/address.ts'
import { hashKey, sameHash } from './api-keys.ts'
import { domainKeyHash, domainKeyName } from './domain-key.ts'
import type { Dns, Domain, Domains, Limits, MailProvider, MxRecord, WantedRecord } from './ports.ts'

export interface Verification {
  domain: string
  /** The best-preference MX is this service's. */
  verified: boolean
  /** The best MX that was found, or else the one that is expected. */
  mx: string
  status: 'verified' | 'pending' | 'unverified'
  private: boolean
  records: (WantedRecord & { found: boolean })[]
}

export interface DomainServiceParts {
  domains: Domains
  limits: Limits
  dns: Dns
  provider: MailProvider
  /** The MX target that a verified domain must name. */
  mxHost: string
  clock: Clock
}

/** Which domains are registered here, who may read them, and what DNS says of them. */
export class DomainService {
  readonly #domains: Domains
  readonly #limits: Limits
  readonly #dns: Dns
  readonly #provider: MailProvider
  readonly #mxHost: string
  readonly #clock: Clock

  constructor(parts: DomainServiceParts) {
    this.#domains = parts.domains
    this.#limits = parts.limits
    this.#dns = parts.dns
    this.#provider = parts.provider
    this.#mxHost = parts.mxHost.toLowerCase().replace(/\.$/, '')
    this.#clock = parts.clock
  }

  /** The verified domains, sorted by name. */
  async verified(): Promise<Domain[]> {
    return (await this.#domains.list()).filter((domain) => domain.status === 'verified')
  }

  /**
   * The registered domain, if the key opens it.
   * @throws Problem `domain_not_found`, `domain_key_missing`, `domain_key_invalid`
   */
  async open(name: string, key: string | undefined): Promise<Domain> {
    const domain = await this.#domains.find(name)
    if (domain === undefined) {
      throw new Problem(
        'domain_not_found',
        'Mail for this domain is not taken here. GET /api/domains lists the domains that are; ' +
          'GET /api/domain/verify/<domain> registers one whose MX record points here.',
      )
    }
    if (domain.key_hash === null) return domain
    if (!key) throw new Problem('domain_key_missing', 'This domain is private: send its domain key too.')
    if (!sameHash(hashKey(key), domain.key_hash)) {
      throw new Problem('domain_key_invalid', 'This is not the key of this private domain.')
    }
    return domain
  }

  /**
   * The domains that a domain key covers, at least one.
   * @throws Problem `domain_key_missing`, `domain_key_invalid`
   */
  async covered(key: string | undefined): Promise<{ keyHash: string; domains: Domain[] }> {
    if (!key) throw new Problem('domain_key_missing', 'Send the domain key as the query parameter "key".')
    const keyHash = hashKey(key)
    const domains = await this.#domains.withKey(keyHash)
    if (domains.length === 0) throw new Problem('domain_key_invalid', 'No domain here has this key.')
    return { keyHash, domains }
  }

  /**
   * Registers the domains that the configuration names, and unregisters those that it named before. One without
   * a key keeps the key that DNS gave it.
   * @param status of those that are new: `pending` where the provider has yet to say that it takes their mail
   */
  async configure(domains: { name: string; key: string | null }[], status: Domain['status']): Promise<void> {
    for (const { name, key } of domains) {
      const known = await this.#domains.find(name)
      await this.#save(known, {
        name,
        status: known?.status ?? status,
        key_hash: key !== null ? hashKey(key) : known?.key_configured ? null : (known?.key_hash ?? null),
        configured: true,
        key_configured: key !== null,
        registered_at: known?.registered_at ?? this.#clock(),
      })
    }
    const configured = new Set(domains.map((domain) => domain.name))
    for (const domain of await this.#domains.list()) {
      if (domain.configured && !configured.has(domain.name)) await this.#domains.remove(domain.name)
    }
  }

  /**
   * Asks DNS, and registers, updates or unregisters the domain by what it says. Without a definite answer
   * nothing changes.
   *
   * @param client the network of whoever asks (core/client.ts); undefined when the service asks by itself,
   *   which then registers nothing new and counts against no quota
   * @throws Problem `invalid_domain`, `dns_unavailable`, `domain_quota_exceeded`
   */
  async verify(text: string, client: string | undefined): Promise<Verification> {
    const name = parseDomain(text)
    const { found, keyTexts } = await this.#ask(name)
    const verified = found.some((record) => record.exchange === this.#mxHost)
    const known = await this.#domains.find(name)
    let domain = known
    let wanted: WantedRecord[] = []
    if (verified && (known !== undefined || client !== undefined)) {
      if (known === undefined) await this.#countRegistration(client!)
      const claim = await this.#provider.claim(name)
      wanted = claim.records
      domain = {
        name,
        status: claim.confirmed ? 'verified' : 'pending',
        key_hash: keyAfter(known, keyTexts),
        configured: known?.configured ?? false,
        key_configured: known?.key_configured ?? false,
        registered_at: known?.registered_at ?? this.#clock(),
      }
      await this.#save(known, domain)
    } else if (known !== undefined && !known.configured) {
      await this.#domains.remove(name)
      await this.#provider.release(name)
      domain = undefined
    }
    return {
      domain: name,
      verified,
      mx: found[0]?.exchange ?? this.#mxHost,
      status: domain?.status ?? 'unverified',
      private: (domain?.key_hash ?? null) !== null,
      records: await this.#records(name, verified, keyTexts, wanted),
    }
  }

  /**
   * Verifies every registered domain again, one after the other. A domain whose DNS gives no answer is left
   * as it is; `failed` is told of it and of any other fault, so that this never rejects: nobody waits for it.
   */
  async verifyAll(failed: (name: string, error: unknown) => void): Promise<void> {
    const domains = await this.#domains.list().catch((error: unknown) => {
      failed('*', error)
      return []
    })
    for (const { name } of domains) {
      await this.verify(name, undefined).catch((error: unknown) => failed(name, error))
    }
  }

  /** The records of the best preference, and the texts at the domain key's name. */
  async #ask(name: string): Promise<{ found: MxRecord[]; keyTexts: string[] }> {
    try {
      const [mx, keyTexts] = await Promise.all([this.#dns.mx(name), this.#dns.txt(domainKeyName(name))])
      const hosts = mx
        .map((record) => ({ ...record, exchange: record.exchange.toLowerCase().replace(/\.$/, '') }))
        // RFC 7505: an MX of "." says that the domain takes no mail at all.
        .filter((record) => record.exchange !== '')
      const best = Math.min(...hosts.map((record) => record.preference))
      return { found: hosts.filter((record) => record.preference === best), keyTexts }
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'dns_unavailable') throw error
      throw new Problem(error.code, error.detail, {
        extra: { domain: name, verified: false, mx: this.#mxHost },
        cause: error,
      })
    }
  }

  async #countRegistration(client: string): Promise<void> {
    const now = this.#clock()
    const quota = await this.#limits.take('new-domains', client, DOMAINS_PER_CLIENT_PER_DAY, DAY_MS, now)
    if (quota.allowed) return
    throw new Problem(
      'domain_quota_exceeded',
      `A client address can register ${DOMAINS_PER_CLIENT_PER_DAY} new domains in 24 hours. Come back later.`,
      { retryAfter: Math.ceil((quota.resets_at - now) / SECOND_MS) },
    )
  }

  /** Only a change is written, since every write is announced and ends streams whose key it touches. */
  async #save(known: Domain | undefined, domain: Domain): Promise<void> {
    const changed =
      known === undefined ||
      known.status !== domain.status ||
      known.key_hash !== domain.key_hash ||
      known.configured !== domain.configured ||
      known.key_configured !== domain.key_configured
    if (changed) await this.#domains.put(domain)
  }

  async #records(
    name: string,
    verified: boolean,
    keyTexts: string[],
    wanted: WantedRecord[],
  ): Promise<Verification['records']> {
    return [
      {
        type: 'MX',
        name,
        value: `10 ${this.#mxHost}`,
        purpose: 'Brings the mail of the domain to this service.',
        found: verified,
      },
      ...(await Promise.all(wanted.map(async (record) => ({ ...record, found: await this.#seen(record) })))),
      {
        type: 'TXT',
        name: domainKeyName(name),
        value: 'key=<your domain key>, or key-sha256=<its SHA-256 in hex>',
        purpose: 'Optional: makes the domain private.',
        found: typeof domainKeyHash(keyTexts) === 'string',
      },
    ]
  }

  /** A look-up that fails shows the record as not found: it is shown to the owner only, nothing hangs on it. */
  async #seen(record: WantedRecord): Promise<boolean> {
    try {
      if (record.type === 'TXT') return (await this.#dns.txt(record.name)).includes(record.value)
      if (record.type === 'CNAME') return (await this.#dns.cname(record.name)).includes(record.value)
      return false
    } catch {
      return false
    }
  }
}

/** The key of a domain after a look-up. Only a definite "no such record" opens a private domain. */
function keyAfter(known: Domain | undefined, keyTexts: string[]): string | null {
  if (known?.key_configured) return known.key_hash
  const hash = domainKeyHash(keyTexts)
  return hash === undefined ? (known?.key_hash ?? null) : hash
}
