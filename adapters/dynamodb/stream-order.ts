import type { Change } from '../../core/events/ports.ts'
import type { DomainOrder } from './domain-order.ts'

type OfDomain = Exclude<Change, { type: 'domain' }>

export interface InOrderParts {
  order: DomainOrder
  /** Whether a stream over domains has this one. */
  follows: (domain: string) => boolean
  emit: (change: Change) => void
  /**
   * Told when DynamoDB does not answer, how often by now; resolves when it is time to try again.
   */
  failed: (error: unknown, faults: number) => Promise<void>
}

/**
 * Brings what is announced of followed domains into their order, which the shards of the table's
 * stream mix up. All else is announced as it comes: the emails of one address come in the order of
 * their ids by themselves, for they have one partition key.
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

  /** To be called when all that came together is added; resolves when it is announced. */
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

  /** First the emails, then what happened to them. */
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
