import type { Clock } from '../../core/clock.ts'
import { inParallel } from '../../core/parallel.ts'
import type { DomainLog } from './domain-log.ts'
import { type Arrived, announced, type EmailKey, emailsAt } from './email-item.ts'
import type { Heads } from './heads.ts'
import type { Table } from './table.ts'

/** Domains whose heads are raised at a time. */
const DOMAIN_WINDOW = 4

/** What this process knows of a domain that a stream over domains follows. */
interface Followed {
  /** The domains that are followed together with this one, itself too. */
  group: Set<string>
  /** No email with this id or a lesser one can be stored any more. */
  raised: string
  /** The order begins after this id. */
  from: string
  /** Up to here all emails were handed out. */
  to: string
  /** Resolves when `from` is known. */
  ready: Promise<void>
}

/**
 * The order of the emails of several domains. Each head orders the emails below itself, so that one
 * of another address may become visible later and have a lesser id:
 *
 *   A: makes id 1 for x, and its write is slow
 *   B: makes id 2 for y, writes y/2
 *   stream over the domain of x and y: tells its client of id 2
 *   A: writes x/1
 *   client: loses its connection, comes back with id 2, and never hears of id 1
 *
 * So before a stream over domains sends an id, all the heads of its domains are raised to that id.
 * Then no transaction with a lesser id can succeed (A is refused, and stores x under id 3), and all
 * that did are in the logs: what these hold up to that id is complete, and is sent in the order of
 * the ids. This costs some writes for each batch of arrivals, and only where somebody follows.
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
   * The newest `count` emails of the domains with ids greater than `after`, newest first: complete
   * up to the first of them. From the call on these domains are followed.
   */
  async newest(domains: string[], after: string, count: number): Promise<EmailKey[]> {
    const last = await this.#placeBarrier(domains, '')
    return this.#log.newest(domains, after, last, count)
  }

  /**
   * No email of these domains can be stored under this id or a lesser one any more. They are
   * followed from now on.
   */
  async barrier(domains: string[], id: string): Promise<void> {
    await this.#placeBarrier(domains, id)
  }

  /**
   * Raises the heads to this id, or to the greatest stored id if that is greater. Returns the id to
   * which they were raised.
   */
  async #placeBarrier(domains: string[], id: string): Promise<string> {
    const ready = Promise.withResolvers<void>()
    ready.promise.catch(() => {})
    const begun = this.#follow(domains, ready.promise)
    try {
      const newest = await this.#log.greatestId(domains)
      const last = newest > id ? newest : id
      await this.#raise(domains, last)
      for (const followed of begun) followed.from = followed.to = last
      ready.resolve()
      return last
    } catch (error) {
      for (const domain of domains) {
        if (begun.includes(this.#followed.get(domain)!)) this.#followed.delete(domain)
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
   * Takes emails that arrived in one group of domains, and returns what is to be told in its order:
   * these, those between them that have not arrived yet, and none that it returned before.
   */
  async advance(arrived: readonly Arrived[], group: ReadonlySet<string>): Promise<Arrived[]> {
    const last = arrived.map(({ email }) => email.id).reduce((a, b) => (a > b ? a : b))
    await this.#raise([...group], last)
    const lists = await inParallel([...group], DOMAIN_WINDOW, async (name) => {
      const own = arrived.filter(({ domain }) => domain === name)
      const followed = this.#followed.get(name)
      if (followed === undefined) return own
      await followed.ready
      const told = own.filter(({ email: { id } }) => id <= followed.from || id > followed.to)
      const there = new Set(told.map(({ email }) => email.id))
      const keys = await this.#log.newest([name], followed.to, last, Infinity)
      const missing = await emailsAt(
        this.#mail,
        keys.filter(({ id }) => !there.has(id)),
        this.#clock(),
      )
      return [...told, ...missing.map(announced)]
    })
    for (const name of group) {
      const domain = this.#followed.get(name)
      if (domain !== undefined && domain.to < last) domain.to = last
    }
    return lists.flat().sort((a, b) => (a.email.id < b.email.id ? -1 : 1))
  }

  /**
   * Notes that these domains are followed together; returns those that were not followed before.
   */
  #follow(domains: string[], ready: Promise<void>): Followed[] {
    const group = new Set(domains.flatMap((name) => [name, ...this.groupOf(name)]))
    const begun: Followed[] = []
    for (const name of group) {
      const followed = this.#followed.get(name)
      if (followed !== undefined) followed.group = group
      else {
        const first = { group, raised: '', from: '', to: '', ready }
        this.#followed.set(name, first)
        begun.push(first)
      }
    }
    return begun
  }

  async #raise(domains: string[], id: string): Promise<void> {
    await inParallel(domains, DOMAIN_WINDOW, async (domain) => {
      const followed = this.#followed.get(domain)
      if (followed === undefined || followed.raised >= id) return
      await this.#heads.raise(domain, id, this.#clock())
      if (followed.raised < id) followed.raised = id
    })
  }
}
