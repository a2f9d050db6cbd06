import type { Clock } from '../../core/clock.ts'
import type { Change } from '../../core/events/ports.ts'
import { CHANGE_FEED_LAG_MS } from '../../core/limits.ts'
import type { DomainOrder } from './domain-order.ts'

type OfDomain = Exclude<Change, { type: 'domain' }>

export interface InOrderParts {
  order: DomainOrder
  clock: Clock
  /** Whether a stream over domains follows this domain. */
  follows: (domain: string) => boolean
  emit: (change: Change) => void
  /**
   * Called with the number of failures if DynamoDB does not answer. Resolves when it is time to
   * retry.
   */
  failed: (error: unknown, faults: number) => Promise<void>
}

/**
 * Orders the changes of followed domains, which arrive out of order from the shards of the table's
 * stream. Other changes are published as they arrive. The emails of one address always arrive in
 * the order of their ids, because they have one partition key.
 *
 * The order of a domain outlasts its last stream, because there may be streams of its addresses: they must not
 * receive an email before an older one that still waits here, nor one again that was read from the log before it
 * arrived.
 */
export class InOrder {
  readonly #parts: InOrderParts
  #waiting: OfDomain[] = []
  #running: Promise<void> | undefined
  /** Domains with changes that wait or are being published. */
  readonly #pending = new Set<string>()
  /** The ordered domains that no stream follows any more, and since when. */
  readonly #idleSince = new Map<string, number>()
  #stopped = false

  constructor(parts: InOrderParts) {
    this.#parts = parts
  }

  add(change: Change): void {
    const { clock, follows, emit } = this.#parts
    if (change.type === 'domain' || !this.#isOrdered(change.domain)) {
      emit(change)
      return
    }
    const { domain } = change
    this.#waiting.push(change)
    this.#pending.add(domain)
    if (follows(domain)) this.#idleSince.delete(domain)
    else if (!this.#idleSince.has(domain)) this.#idleSince.set(domain, clock())
  }

  #isOrdered(domain: string): boolean {
    return this.#pending.has(domain) || this.#parts.order.isFollowed(domain)
  }

  /**
   * Must be called when all changes that arrived together are added. Resolves when they are
   * published.
   */
  release(): Promise<void> {
    if (this.#waiting.length > 0) this.#running ??= this.#run()
    return this.#running ?? Promise.resolve()
  }

  stop(): void {
    this.#stopped = true
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#stopped) {
      const changes = this.#waiting
      this.#waiting = []
      await Promise.all(this.#byGroup(changes).map(([group, own]) => this.#tell(group, own)))
    }
    this.#pending.clear()
    this.#forgetIdle()
    this.#running = undefined
  }

  /** To be called when no change waits. */
  #forgetIdle(): void {
    const { order, clock, follows } = this.#parts
    for (const [domain, since] of this.#idleSince) {
      if (clock() - since < CHANGE_FEED_LAG_MS) continue
      this.#idleSince.delete(domain)
      if (!follows(domain)) order.forget(domain)
    }
  }

  #byGroup(changes: OfDomain[]): [ReadonlySet<string>, OfDomain[]][] {
    const groups = new Map<ReadonlySet<string>, OfDomain[]>()
    for (const change of changes) {
      const group = this.#parts.order.groupOf(change.domain)
      groups.set(group, [...(groups.get(group) ?? []), change])
    }
    return [...groups]
  }

  /** The emails first, then their changes. */
  async #tell(group: ReadonlySet<string>, changes: OfDomain[]): Promise<void> {
    const { order, emit, failed } = this.#parts
    const arrived = changes.filter((change) => change.type === 'email')
    for (let faults = 0; arrived.length > 0 && !this.#stopped; ) {
      try {
        for (const email of await order.advance(arrived, group)) emit(email)
        break
      } catch (error) {
        await failed(error, faults++)
      }
    }
    for (const change of changes) if (change.type !== 'email') emit(change)
  }
}
