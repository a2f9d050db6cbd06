import { parseDomain } from '../address.ts'
import type { Clock } from '../clock.ts'
import { Problem } from '../errors.ts'
import {
  DAY_MS,
  DOMAINS_PER_CLIENT_PER_DAY,
  MINUTE_MS,
  SECOND_MS,
  VERIFICATIONS_PER_MINUTE,
} from '../limits.ts'
import { hashKey, sameHash } from './api-keys.ts'
import { type DnsAnswer, DnsAnswers, isUnanswered } from './dns-answers.ts'
import type { Dns, Domain, DomainState, Domains, Limits, MailProvider } from './ports.ts'
import { confirmed, left, registered, unanswered } from './registration.ts'
import { type Verification, wantedRecords } from './verification.ts'

/** Who asks for a verification. */
export interface Verifying {
  /** The caller's network (core/access/client.ts). */
  client: string
  /** The domain key that it shows. */
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
  /** Removes the mail of a domain with ids up to this one for good, or as much of it as takes no long time. */
  purge: (domain: string, upTo: string) => Promise<void>
}

/** Another verification was faster so often only when somebody makes it so. */
const TRIES = 10

/** Asks DNS about domains, and registers, changes and unregisters them by what it says. */
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
   * Changes the registration as DNS has it. Without a definite answer nothing is registered or opened.
   *
   * @param caller undefined when the service asks by itself, which then registers nothing new
   * @throws Problem `invalid_domain`, `rate_limited`, `dns_unavailable`, `domain_quota_exceeded`
   */
  async verify(text: string, caller: Verifying | undefined): Promise<Verification> {
    const name = parseDomain(text)
    if (caller !== undefined) await this.#countVerification(caller.client)
    /*
     * The record is read before DNS is asked, and changed only if it still is what was read. So of two
     * verifications that overlap the one that asked first and ends last finds another record, and asks again:
     *
     *   A: reads revision 1, asks: no key record
     *   B: reads revision 1, asks: a key record        done: revision 2, also when nothing else has changed
     *   A: changes revision 1                          refused; reads revision 2, asks: a key record
     */
    for (let tries = 0; tries < TRIES; tries++) {
      const known = await this.#parts.domains.find(name)
      const answer = await this.#ask(name, known)
      const verified = answer.mx.some(({ exchange }) => exchange === this.#mxHost)
      const unreadable = known === undefined && answer.key.hash === undefined
      const takes = verified && !unreadable && (known !== undefined || caller !== undefined)
      if (takes && known === undefined && tries === 0) await this.#countRegistration(caller!.client)
      const claim = takes ? await this.#parts.provider.claim(name) : undefined
      if (known === undefined && claim?.foreign === true) {
        throw new Problem('invalid_domain', 'The mail of this domain belongs to somebody else here.')
      }
      const after = presented(this.#decide(name, known, answer, claim), caller?.key)
      if (after !== known) {
        if (!(await this.#parts.domains.change(name, known, after))) continue
        await this.#settle(name, known, after, caller === undefined)
      }
      const expected = { mxHost: this.#mxHost, proofs: claim?.records ?? [] }
      return {
        domain: name,
        verified,
        mx: answer.mx[0]?.exchange ?? this.#mxHost,
        status: after?.status ?? 'unverified',
        private: (after?.keyHash ?? null) !== null,
        records: await wantedRecords(this.#answers, name, expected, answer, after),
      }
    }
    throw new Problem('unavailable', 'Others verify this domain at the same time. Try again in a moment.', {
      retryAfter: 10,
    })
  }

  /**
   * Verifies every registered domain again, one after the other. `failed` is told of each that has no answer and
   * of any other fault, so that this never rejects: nobody waits for it.
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

  /** The answer of DNS. That there is none is noted too: in the end it ends the registration. */
  async #ask(name: string, known: Domain | undefined): Promise<DnsAnswer> {
    try {
      return await this.#answers.of(name)
    } catch (error) {
      if (!isUnanswered(error)) throw error
      if (known !== undefined) {
        const after = unanswered(known, this.#parts.clock())
        const isNews = after?.unansweredSince !== known.unansweredSince
        if (isNews && (await this.#parts.domains.change(name, known, after))) {
          await this.#settle(name, known, after, false)
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
    // A time of the future is that of a clock which has been set right since.
    if (known !== undefined && answer.askedAt <= known.checkedAt && known.checkedAt <= now + MINUTE_MS) {
      return known
    }
    if (claim === undefined) return known && left(known, answer)
    const status = claim.confirmed ? 'verified' : 'pending'
    return known === undefined ? registered(name, answer, status, now) : confirmed(known, answer, status, now)
  }

  /** What follows from a change that is done. */
  async #settle(
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

  async #countVerification(client: string): Promise<void> {
    const { limits, clock } = this.#parts
    const now = clock()
    const { allowed, resetsAt } = await limits.take(
      'verifications',
      client,
      VERIFICATIONS_PER_MINUTE,
      MINUTE_MS,
      now,
    )
    if (allowed) return
    throw new Problem(
      'rate_limited',
      `A client address has ${VERIFICATIONS_PER_MINUTE} verifications a minute.`,
      {
        retryAfter: Math.ceil((resetsAt - now) / SECOND_MS),
      },
    )
  }

  async #countRegistration(client: string): Promise<void> {
    const { limits, clock } = this.#parts
    const now = clock()
    const { allowed, resetsAt } = await limits.take(
      'new-domains',
      client,
      DOMAINS_PER_CLIENT_PER_DAY,
      DAY_MS,
      now,
    )
    if (allowed) return
    throw new Problem(
      'domain_quota_exceeded',
      `A client address registers ${DOMAINS_PER_CLIENT_PER_DAY} domains in 24 hours. Come back later.`,
      { retryAfter: Math.ceil((resetsAt - now) / SECOND_MS) },
    )
  }
}

/** The domain after a key was shown for it: the same object where that says nothing new. */
function presented<T extends DomainState | undefined>(domain: T, key: string | undefined): T {
  if (domain === undefined || key === undefined || domain.keyHash === null || domain.keyPresented)
    return domain
  return sameHash(hashKey(key), domain.keyHash) ? { ...domain, keyPresented: true } : domain
}
