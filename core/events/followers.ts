import type { Domain } from '../access/ports.ts'
import { domainPart } from '../address.ts'
import type { Follower, Topic } from './follower.ts'
import { Topics } from './topics.ts'

const ALL = ''

/** The open streams of this process by address, domain and key. */
export class Followers {
  readonly #addresses = new Topics<Follower>()
  readonly #domains = new Topics<Follower>()
  readonly #keys = new Topics<Follower>()
  /** Followers of all mail, under one name. */
  readonly #allMail = new Topics<Follower>()

  /** Returns a function that removes the follower, which may be called more than once. */
  add(follower: Follower, topic: Topic): () => void {
    if ('allMail' in topic) return this.#allMail.enter(ALL, follower)
    const leaves =
      'addresses' in topic
        ? topic.addresses.map((address) => this.#addresses.enter(address, follower))
        : [
            this.#keys.enter(topic.keyHash, follower),
            ...topic.domains.map(({ name }) => this.#domains.enter(name, follower)),
          ]
    const [only, ...more] = leaves
    if (only !== undefined && more.length === 0) return only
    return () => {
      for (const leave of leaves) leave()
    }
  }

  /** Adds a domain to the streams over all domains of its key. Returns those that gained it. */
  addDomain(domain: Domain): Follower[] {
    const { name, keyHash } = domain
    const gained: Follower[] = []
    for (const follower of this.#keys.of(keyHash ?? '')) {
      const domains = follower.opened
      if (!(domains instanceof Map) || domains.has(name)) continue
      domains.set(name, domain)
      const leave = this.#domains.enter(name, follower)
      const { close } = follower
      follower.close = () => {
        leave()
        close()
      }
      gained.push(follower)
    }
    return gained
  }

  /** The followers of an email's address, and those of its domain. One may leave meanwhile. */
  *of(address: string, domain: string): Iterable<Follower> {
    yield* this.#addresses.of(address)
    yield* this.#domains.of(domain)
    yield* this.#allMail.of(ALL)
  }

  /** The followers of a domain as a whole or of one of its addresses, each once. */
  within(domain: string): Set<Follower> {
    const addresses = [...this.#addresses.all()].filter(([address]) => domainPart(address) === domain)
    return new Set([...this.#domains.of(domain), ...addresses.flatMap(([, some]) => some)])
  }

  /** Whether a stream over domains includes this domain. */
  hasDomain(domain: string): boolean {
    return this.#domains.has(domain)
  }

  /** Every address and every whole domain that a stream follows. */
  names(): Set<string> {
    return new Set([...this.#domains.names(), ...this.#addresses.names()])
  }

  *all(): Iterable<Follower> {
    for (const topics of [this.#addresses, this.#domains, this.#allMail]) {
      for (const [, followers] of topics.all()) yield* followers
    }
  }
}
