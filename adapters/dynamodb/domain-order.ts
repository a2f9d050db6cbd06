import type { Clock } from '../../core/clock.ts'
import { inParallel } from '../../core/parallel.ts'
import type { DomainLog } from './domain-log.ts'
import { type Arrived, arrivedFrom, type EmailKey, emailsAt } from './email-item.ts'
import type { Heads } from './heads.ts'
import type { Table } from './table.ts'

/** Domains whose heads are raised concurrently. */
const DOMAIN_WINDOW = 4

/** The state of a domain that a stream over domains follows in this process. */
interface Followed {
  /** The domains that are followed together with this one, including itself. */
  group: Set<string>
  /** No email with this id or a lower one can be stored any more. */
  raised: string
  /** The order begins after this id. */
  from: string
  /** All emails up to this id were returned. */
  to: string
  /** Resolves when `from` is known. */
  ready: Promise<void>
}

/**
 * Orders the emails of several domains by id. A head orders only the emails below it, so an email
 * below another head may become visible later and have a lower id:
 *
 *   A: creates id 1 for x, and its write is slow
 *   B: creates id 2 for y, writes y/2
 *   stream over the domain of x and y: sends id 2 to its client
 *   A: writes x/1
 *   client: loses its connection, reconnects with id 2, and never receives id 1
 *
 * Before a stream over domains sends an id, all heads of its domains are therefore raised to that
 * id. Then no transaction with a lower id can succeed (A's is rejected, and A stores x under id 3),
 * and the logs hold all earlier emails, which are sent in the order of their ids. This costs some
 * writes for each batch of arrivals, and only in a process that has such a stream.
 */
export class DomainOrder {
  readonly #mail: Table
  readonly #log: DomainLog
  readonly #heads: Heads
  readonly #clock: Clock
  readonly #followed = new Map<string, Followed>()

  constructor(parts: { mail: Table; log: DomainLog; heads: Heads; clock: Clock }) {
    this.#mail = parts.mail
    this.#log = parts.log
    this.#heads = parts.heads
    this.#clock = parts.clock
  }

  /**
   * Returns the newest `count` emails of the domains with ids greater than `after`, newest first,
   * without gaps up to the first of them. Follows these domains from the call on.
   */
  async newest(domains: string[], after: string, count: number): Promise<EmailKey[]> {
    const last = await this.#placeBarrier(domains, '')
    return this.#log.newest(domains, after, last, count)
  }

  /**
   * When it resolves, no email of these domains can be stored under this id or a lower one any
   * more. Follows the domains from the call on.
   */
  async barrier(domains: string[], id: string): Promise<void> {
    await this.#placeBarrier(domains, id)
  }

  /**
   * Raises the heads to this id, or to the greatest stored id if that is greater. Returns the id to
   * which they were raised.
   *
   * For a domain that an earlier call has begun to follow, it waits until that call has set its
   * barrier, and rejects if that call fails. Otherwise the failure would end the order of the domain
   * under a stream that continues.
   */
  async #placeBarrier(domains: string[], id: string): Promise<string> {
    const ready = Promise.withResolvers<void>()
    ready.promise.catch(() => {})
    const earlier = domains.map((name) => this.#followed.get(name)?.ready)
    const begun = this.#follow(domains, ready.promise)
    try {
      await Promise.all(earlier)
      const newest = await this.#log.greatestId(domains)
      const last = newest > id ? newest : id
      await this.#raise(domains, last)
      for (const followed of begun.values()) followed.from = followed.to = last
      ready.resolve()
      return last
    } catch (error) {
      for (const [name, followed] of begun) {
        if (this.#followed.get(name) === followed) this.#followed.delete(name)
      }
      ready.reject(error)
      throw error
    }
  }

  /** Forgets a domain that no stream follows any more. */
  forget(domain: string): void {
    this.#followed.delete(domain)
  }

  isFollowed(domain: string): boolean {
    return this.#followed.has(domain)
  }

  /** The domains that are followed together with this one. */
  groupOf(domain: string): ReadonlySet<string> {
    return this.#followed.get(domain)?.group ?? new Set([domain])
  }

  /**
   * Takes emails that arrived in one group of domains. Returns the emails to publish, in order:
   * these, and those between them that have not arrived yet. Returns no email twice.
   */
  async advance(arrived: readonly Arrived[], group: ReadonlySet<string>): Promise<Arrived[]> {
    const last = arrived.map(({ email }) => email.id).reduce((a, b) => (a > b ? a : b))
    await this.#raise([...group], last)
    const lists = await inParallel([...group], DOMAIN_WINDOW, async (name) => {
      const own = arrived.filter(({ domain }) => domain === name)
      const followed = this.#followed.get(name)
      if (followed === undefined) return own
      await followed.ready
      const unseen = own.filter(({ email: { id } }) => id <= followed.from || id > followed.to)
      const unseenIds = new Set(unseen.map(({ email }) => email.id))
      const keys = await this.#log.newest([name], followed.to, last, Infinity)
      const missing = await emailsAt(
        this.#mail,
        keys.filter(({ id }) => !unseenIds.has(id)),
        this.#clock(),
      )
      return [...unseen, ...missing.map(arrivedFrom)]
    })
    for (const name of group) {
      const domain = this.#followed.get(name)
      if (domain !== undefined && domain.to < last) domain.to = last
    }
    return lists.flat().sort((a, b) => (a.email.id < b.email.id ? -1 : 1))
  }

  /**
   * Records that these domains are followed together. Returns those that were not followed before.
   */
  #follow(domains: string[], ready: Promise<void>): Map<string, Followed> {
    const group = new Set(domains.flatMap((name) => [name, ...this.groupOf(name)]))
    const begun = new Map<string, Followed>()
    for (const name of group) {
      const followed = this.#followed.get(name)
      if (followed !== undefined) followed.group = group
      else {
        const first = { group, raised: '', from: '', to: '', ready }
        this.#followed.set(name, first)
        begun.set(name, first)
      }
    }
    return begun
  }

  async #raise(domains: string[], id: string): Promise<void> {
    await inParallel(domains, DOMAIN_WINDOW, async (domain) => {
      const followed = this.#followed.get(domain)
      if (followed === undefined || followed.raised >= id) return
      await this.#heads.raise(domain, id)
      if (followed.raised < id) followed.raised = id
    })
  }
}
