import { parseDomain } from '../address.ts'
import type { Clock } from '../clock.ts'
import { Problem, type ProblemCode } from '../errors.ts'
import {
  DAY_MS,
  DOMAINS_PER_CLIENT_PER_DAY,
  MINUTE_MS,
  SECOND_MS,
  VERIFICATIONS_PER_MINUTE,
} from '../limits.ts'
import { hashKey, sameHash } from './api-keys.ts'
import { type DnsAnswer, DnsAnswers, isUnanswered } from './dns-answers.ts'
import type { Claim, Dns, Domain, DomainState, Domains, Limits, MailProvider } from './ports.ts'
import { confirmed, left, registered, unanswered } from './registration.ts'
import { type Verification, wantedRecords } from './verification.ts'

/** The caller of a verification. */
export interface Verifying {
  /** The caller's network (core/access/client.ts). */
  client: string
  /** The domain key that the caller presents. */
  key?: string | undefined
}

export interface VerifierParts {
  domains: Domains
  limits: Limits
  dns: Dns
  provider: MailProvider
  /** The MX target that a verified domain must name. */
  mxHost: string
  clock: Clock
  /**
   * Whether names that exist only in private networks are refused. A service that strangers can
   * call needs this, because its resolver may know the names of the network around it.
   */
  publicNamesOnly?: boolean
  /** Removes the mail of a domain with ids up to this one, or as much of it as is quick. */
  purge: (domain: string, upTo: string) => Promise<void>
}

/** Attempts before giving up because of simultaneous verifications. */
const TRIES = 10

/**
 * Top-level names of private networks: special-use names (RFC 6761, 6762, 7686, 8375, 9476),
 * ICANN's `internal`, and names that are common in private networks and not delegated.
 */
const PRIVATE_NAME =
  /(?:^|\.)(?:local|localhost|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|onion|invalid|alt)$/

/** Queries DNS about domains, and registers, changes and unregisters them accordingly. */
export class DomainVerifier {
  readonly #parts: VerifierParts
  readonly #answers: DnsAnswers
  readonly #mxHost: string

  constructor(parts: VerifierParts) {
    this.#parts = parts
    this.#answers = new DnsAnswers(parts.dns, parts.clock)
    this.#mxHost = parts.mxHost.toLowerCase().replace(/\.$/, '')
  }

  /**
   * Updates the registration from DNS. Without a definite answer nothing is registered or opened.
   *
   * @param caller undefined for the schedule, which registers nothing new
   * @throws Problem `invalid_domain`, `rate_limited`, `dns_unavailable`, `domain_quota_exceeded`
   */
  async verify(text: string, caller: Verifying | undefined): Promise<Verification> {
    const name = parseDomain(text)
    if (caller !== undefined) await this.#admit(name, caller)
    /*
     * The registration is read before DNS is queried, and changed only if it is still the same. If
     * two verifications overlap, the one that queried first and ends last finds a changed
     * registration, and queries again:
     *
     *   A: reads revision 1, asks: no key record
     *   B: reads revision 1, asks: a key record        done: revision 2, even if nothing else has changed
     *   A: changes revision 1                          refused; reads revision 2, asks: a key record
     */
    for (let tries = 0; tries < TRIES; tries++) {
      const known = await this.#parts.domains.find(name)
      const answer = await this.#ask(name, known)
      const verified = answer.mx.some(({ exchange }) => exchange === this.#mxHost)
      const unreadable = known === undefined && answer.key.hash === undefined
      const takes = verified && !unreadable && (known !== undefined || caller !== undefined)
      if (caller !== undefined && takes && known === undefined && tries === 0) {
        await this.#countRegistration(caller.client)
      }
      const claim = takes ? await this.#claim(name, known) : undefined
      const after = presented(this.#decide(name, known, answer, claim), caller?.key)
      if (after !== known) {
        if (!(await this.#parts.domains.change(name, known, after))) continue
        await this.#applyEffects(name, known, after, caller === undefined)
      }
      return this.#report(name, answer, after, { verified, proofs: claim?.records ?? [] })
    }
    throw new Problem(
      'unavailable',
      'Other requests verify this domain at the same time. Try again in a moment.',
      { retryAfter: 10 },
    )
  }

  async #report(
    name: string,
    answer: DnsAnswer,
    domain: DomainState | undefined,
    { verified, proofs }: { verified: boolean; proofs: Claim['records'] },
  ): Promise<Verification> {
    const expected = { mxHost: this.#mxHost, proofs }
    return {
      domain: name,
      verified,
      mx: answer.mx[0]?.exchange ?? this.#mxHost,
      status: domain?.status ?? 'unverified',
      private: (domain?.keyHash ?? null) !== null,
      records: await wantedRecords(this.#answers, name, expected, answer, domain),
    }
  }

  /** @throws Problem `invalid_domain` for a private name, `rate_limited` */
  async #admit(name: string, { client }: Verifying): Promise<void> {
    if (this.#parts.publicNamesOnly && PRIVATE_NAME.test(name)) {
      throw new Problem('invalid_domain', 'Names under this top-level domain are not in public DNS.')
    }
    await this.#countVerification(client)
  }

  /** Has the mail provider receive the domain's mail. @throws Problem `invalid_domain` */
  async #claim(name: string, known: Domain | undefined): Promise<Claim> {
    const claim = await this.#parts.provider.claim(name)
    if (known !== undefined || !claim.foreign) return claim
    throw new Problem(
      'invalid_domain',
      'Another account of the mail provider receives the mail of this domain.',
    )
  }

  /**
   * Verifies every registered domain again, one after the other. Never rejects: `failed` receives
   * the error of each domain that could not be verified, and the others are still verified.
   */
  async verifyAll(failed: (name: string, error: unknown) => void): Promise<void> {
    const domains = await this.#parts.domains.list().catch((error: unknown) => {
      failed('*', error)
      return []
    })
    for (const { name } of domains) {
      await this.verify(name, undefined).catch((error: unknown) => failed(name, error))
    }
  }

  /**
   * Returns the answer of DNS. A missing answer is recorded, because in the end it unregisters the
   * domain.
   */
  async #ask(name: string, known: Domain | undefined): Promise<DnsAnswer> {
    try {
      return await this.#answers.of(name)
    } catch (error) {
      if (!isUnanswered(error)) throw error
      if (known !== undefined) {
        const after = unanswered(known, this.#parts.clock())
        const isNews = after?.unansweredSince !== known.unansweredSince
        if (isNews && (await this.#parts.domains.change(name, known, after))) {
          await this.#applyEffects(name, known, after, false)
        }
      }
      throw new Problem(error.code, error.detail, {
        extra: { domain: name, verified: false, mx: this.#mxHost },
        retryAfter: error.retryAfter,
        cause: error,
      })
    }
  }

  #decide(
    name: string,
    known: Domain | undefined,
    answer: DnsAnswer,
    claim: { confirmed: boolean } | undefined,
  ): DomainState | undefined {
    const now = this.#parts.clock()
    // A time in the future comes from a clock that has been corrected since.
    if (known !== undefined && answer.askedAt <= known.checkedAt && known.checkedAt <= now + MINUTE_MS) {
      return known
    }
    if (claim === undefined) return known && left(known, answer)
    const status = claim.confirmed ? 'verified' : 'pending'
    return known === undefined ? registered(name, answer, status, now) : confirmed(known, answer, status, now)
  }

  /** Applies the consequences of a change. */
  async #applyEffects(
    name: string,
    before: Domain | undefined,
    after: DomainState | undefined,
    tidy: boolean,
  ): Promise<void> {
    if (after === undefined) await this.#parts.provider.release(name)
    else if (tidy || after.registeredAt !== before?.registeredAt) {
      const now = await this.#parts.domains.find(name)
      if (now !== undefined) await this.#parts.purge(name, now.visibleAfter)
    }
  }

  #countVerification(client: string): Promise<void> {
    return this.#count('verifications', client, VERIFICATIONS_PER_MINUTE, MINUTE_MS, {
      code: 'rate_limited',
      detail: `A client address has ${VERIFICATIONS_PER_MINUTE} verifications a minute.`,
    })
  }

  #countRegistration(client: string): Promise<void> {
    return this.#count('new-domains', client, DOMAINS_PER_CLIENT_PER_DAY, DAY_MS, {
      code: 'domain_quota_exceeded',
      detail: `A client address registers ${DOMAINS_PER_CLIENT_PER_DAY} domains in 24 hours. Come back later.`,
    })
  }

  /** @throws Problem `refusal` if the client has used up its limit */
  async #count(
    name: string,
    client: string,
    limit: number,
    windowMs: number,
    refusal: { code: ProblemCode; detail: string },
  ): Promise<void> {
    const now = this.#parts.clock()
    const { allowed, resetsAt } = await this.#parts.limits.take(name, client, limit, windowMs, now)
    if (allowed) return
    const retryAfter = Math.ceil((resetsAt - now) / SECOND_MS)
    throw new Problem(refusal.code, refusal.detail, { retryAfter })
  }
}

/** Returns the domain after a key was presented for it; the same object if that changes nothing. */
function presented<T extends DomainState | undefined>(domain: T, key: string | undefined): T {
  if (domain === undefined || key === undefined || domain.keyHash === null || domain.keyPresented)
    return domain
  return sameHash(hashKey(key), domain.keyHash) ? { ...domain, keyPresented: true } : domain
}
