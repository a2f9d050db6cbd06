import type { Clock } from '../../core/clock.ts'
import type { Email } from '../../core/inbox/email.ts'
import type { ReplayBatch, Scope } from '../../core/inbox/ports.ts'
import { CHANGE_FEED_LAG_MS, REPLAY_BATCH, REPLAY_BATCH_BYTES } from '../../core/limits.ts'
import { inParallel } from '../../core/parallel.ts'
import { lastUlidOf, ulidTime } from '../../core/ulid.ts'
import { type Item, n, s, text } from './attributes.ts'
import type { DomainOrder } from './domain-order.ts'
import { type EmailKey, emailFrom, emailsAt, partitionOf } from './email-item.ts'
import { AHEAD_MS, type Heads } from './heads.ts'
import type { Table } from './table.ts'

/** Addresses whose heads are raised concurrently. The SDK opens 50 connections. */
const RAISE_WINDOW = 48
/** Addresses that a replay reads concurrently. */
const ADDRESS_WINDOW = 4

export interface ReplayParts {
  mail: Table
  heads: Heads
  order: DomainOrder
  clock: Clock
}

/** Reads what a reconnected stream has missed, in the order in which it became visible. */
export class Replay {
  readonly #mail: Table
  readonly #heads: Heads
  readonly #order: DomainOrder
  readonly #clock: Clock

  constructor({ mail, heads, order, clock }: ReplayParts) {
    this.#mail = mail
    this.#heads = heads
    this.#order = order
    this.#clock = clock
  }

  /** Ends when no email with an id up to this one can become visible any more. */
  async barrier(scope: Scope, id: string): Promise<void> {
    if ('addresses' in scope) await this.#raise(scope.addresses, id)
    else await this.#order.barrier(scope.domains, id)
  }

  /**
   * The emails after this id, oldest first, at most the newest `limit`. While the consumer
   * processes a batch, only the keys of the later emails are held.
   */
  async *batches(scope: Scope, after: string, limit: number): AsyncIterable<ReplayBatch> {
    const newest =
      'addresses' in scope
        ? await this.#newestOf(scope.addresses, after, limit + 1)
        : await this.#order.newest(scope.domains, after, limit + 1)
    let missed = newest.length > limit ? { missedBefore: newest[limit - 1]!.id } : {}
    const wanted = newest.slice(0, limit).reverse()
    for (let at = 0, count = REPLAY_BATCH; at < wanted.length; ) {
      const keys = wanted.slice(at, at + count)
      const items = await emailsAt(this.#mail, keys, this.#clock())
      const emails = firstOf(items)
      const last = emails.at(-1)
      const isWhole = emails.length === items.length
      at = isWhole || last === undefined ? at + keys.length : indexAfter(wanted, last.id, at)
      // Emails that did not fit are read again. So the next read asks for as many as fitted, and
      // for more as soon as all of them fit.
      count = isWhole ? Math.min(REPLAY_BATCH, count * 2) : emails.length
      if (last === undefined) continue
      yield { ...missed, emails }
      missed = {}
    }
  }

  async #raise(addresses: string[], id: string): Promise<void> {
    await inParallel(addresses, RAISE_WINDOW, (address) => this.#heads.raiseOf(address, id))
  }

  /**
   * Returns the newest `count` keys of these addresses. The ids of one address grow as its emails
   * become visible, but an email of another address with a lower id may become visible later. For
   * several addresses, a barrier at `after` is therefore set before the read, and the read starts a
   * transaction's time earlier.
   */
  async #newestOf(addresses: string[], after: string, count: number): Promise<EmailKey[]> {
    const [first, ...others] = addresses
    if (first === undefined) return []
    if (others.length === 0) return this.#newestKeys(first, after, count)
    await this.#raise(addresses, this.#known(after))
    const from = lastUlidOf(Math.max(0, ulidTime(after) - CHANGE_FEED_LAG_MS))
    const lists = await inParallel(addresses, ADDRESS_WINDOW, (address) =>
      this.#newestKeys(address, from, count),
    )
    return lists
      .flat()
      .sort((a, b) => (a.id < b.id ? 1 : -1))
      .slice(0, count)
  }

  /**
   * Returns this id of a client, but none of the future: heads that are raised to an id of the
   * client's invention would give it to all later emails.
   */
  #known(id: string): string {
    const newest = lastUlidOf(this.#clock() + AHEAD_MS)
    return id < newest ? id : newest
  }

  async #newestKeys(address: string, after: string, count: number): Promise<EmailKey[]> {
    const keys: EmailKey[] = []
    let start: Item | undefined
    do {
      const page = await this.#mail.query({
        key: '#pk = :pk AND #sk > :after',
        filter: '#expires_at > :now',
        projection: '#sk',
        values: { ':pk': s(partitionOf(address)), ':after': s(after), ':now': n(this.#clock()) },
        limit: count,
        newestFirst: true,
        start,
      })
      keys.push(...page.items.map((item) => ({ address, id: text(item, 'sk') })))
      start = page.last
    } while (start !== undefined && keys.length < count)
    return keys.slice(0, count)
  }
}

/** Returns the first items, as many as one batch may hold (core/inbox/ports.ts). */
function firstOf(items: Item[]): Email[] {
  const emails: Email[] = []
  for (let bytes = 0; emails.length < items.length; ) {
    const email = emailFrom(items[emails.length]!)
    bytes += Buffer.byteLength(JSON.stringify(email))
    if (emails.length > 0 && bytes > REPLAY_BATCH_BYTES) break
    emails.push(email)
  }
  return emails
}

function indexAfter(keys: EmailKey[], id: string, from: number): number {
  const index = keys.findIndex((key, i) => i >= from && key.id > id)
  return index === -1 ? keys.length : index
}
