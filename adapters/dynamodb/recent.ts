import type { Clock } from '../../core/clock.ts'
import type { Change } from '../../core/events/ports.ts'

/** The index lags behind the table and its stream by far less than this. */
const REMEMBERED_MS = 60_000

/** Where an email is. */
export interface EmailKey {
  address: string
  id: string
}

/**
 * What the stream has announced of late. The mail table's index is eventually consistent, so an email can be
 * announced before the index shows it: whoever subscribes just then would get it neither live nor from the
 * index. What is here closes that gap.
 */
export class Recent {
  readonly #clock: Clock
  /** In the order in which they came, by id: `at` grows. */
  readonly #emails = new Map<string, { address: string; domain: string; at: number }>()
  readonly #domains = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(announcement: Change): void {
    const at = this.#clock()
    if (announcement.type === 'email') {
      const { domain, email } = announcement
      this.#emails.set(email.id, { address: email.address, domain, at })
    } else if (announcement.type === 'domain') {
      this.#domains.delete(announcement.name)
      this.#domains.set(announcement.name, at)
    }
    this.#forget(at - REMEMBERED_MS)
  }

  has(id: string): boolean {
    return this.#emails.has(id)
  }

  /** The emails of these domains with ids greater than `after`. */
  emails(domains: ReadonlySet<string>, after: string): EmailKey[] {
    const found: EmailKey[] = []
    for (const [id, { address, domain }] of this.#emails) {
      if (id > after && domains.has(domain)) found.push({ address, id })
    }
    return found
  }

  /** The domains that changed. */
  domains(): string[] {
    return [...this.#domains.keys()]
  }

  #forget(before: number): void {
    for (const [id, { at }] of this.#emails) {
      if (at >= before) break
      this.#emails.delete(id)
    }
    for (const [name, at] of this.#domains) {
      if (at >= before) break
      this.#domains.delete(name)
    }
  }
}
