import type { Change } from '../../core/events/ports.ts'
import type { DomainOrder } from './domain-order.ts'

type OfDomain = Exclude<Change, { type: 'domain' }>

export interface InOrderParts {
  order: DomainOrder
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
 */
export class InOrder {
  readonly #parts: InOrderParts
  #waiting: OfDomain[] = []
  #running: Promise<void> | undefined
  #stopped = false

  constructor(parts: InOrderParts) {
    this.#parts = parts
  }

  add(change: Change): void {
    const { order, follows, emit } = this.#parts
    if (change.type === 'domain' || !order.isFollowed(change.domain)) emit(change)
    else if (follows(change.domain)) this.#waiting.push(change)
    else {
      order.forget(change.domain)
      emit(change)
    }
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
    this.#running = undefined
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
