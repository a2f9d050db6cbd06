import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { domainPart } from '../../core/address.ts'
import type { Clock } from '../../core/clock.ts'
import type { Email } from '../../core/inbox/email.ts'
import { inParallel } from '../../core/parallel.ts'
import { type Item, n, s, text, ttl } from './attributes.ts'
import type { EmailKey } from './email-item.ts'
import type { Table } from './table.ts'

const LOG = 'log#'
/** Domains that are asked at a time. */
const DOMAIN_WINDOW = 10

/**
 * For each domain the keys of its emails, in the order of their ids. An index of the table would lag behind it;
 * a log item is there when its email is, for one transaction writes both.
 */
export class DomainLog {
  readonly #table: Table
  readonly #clock: Clock

  constructor(table: Table, clock: Clock) {
    this.#table = table
    this.#clock = clock
  }

  /** The log's part of the transaction that stores an email. */
  adding({ address, id, expiresAt }: Email): TransactWriteItem {
    return this.#table.putting({
      ...keyOf(domainPart(address), id),
      address: s(address),
      expires_ms: n(expiresAt),
      expires_at: ttl(expiresAt),
    })
  }

  async remove(address: string, id: string): Promise<void> {
    await this.#table.delete(keyOf(domainPart(address), id))
  }

  /** Of all these domains the newest `count` keys with ids greater than `after` and up to `last`, newest first. */
  async newest(domains: Iterable<string>, after: string, last: string, count: number): Promise<EmailKey[]> {
    const lists = await inParallel([...domains], DOMAIN_WINDOW, (domain) =>
      this.#newestOf(domain, after, last, count),
    )
    const keys = lists.flat().sort((a, b) => (a.id < b.id ? 1 : -1))
    return keys.slice(0, count)
  }

  /** The oldest `limit` keys of a domain up to this id, those of expired emails too. */
  async oldest(domain: string, upTo: string, limit: number): Promise<EmailKey[]> {
    if (upTo === '') return []
    const { items } = await this.#table.query({
      key: '#pk = :pk AND #sk <= :upto',
      values: { ':pk': s(LOG + domain), ':upto': s(upTo) },
      limit,
    })
    return items.map(keyFrom)
  }

  async #newestOf(domain: string, after: string, last: string, count: number): Promise<EmailKey[]> {
    const keys: EmailKey[] = []
    if (last <= after) return keys
    let start: Item | undefined
    do {
      const page = await this.#table.query({
        key: '#pk = :pk AND #sk BETWEEN :next AND :last',
        filter: '#expires_ms > :now',
        values: {
          ':pk': s(LOG + domain),
          // The least text that is greater.
          ':next': s(`${after}\u0000`),
          ':last': s(last),
          ':now': n(this.#clock()),
        },
        limit: Number.isFinite(count) ? count : undefined,
        newestFirst: true,
        start,
      })
      keys.push(...page.items.map(keyFrom))
      start = page.last
    } while (start !== undefined && keys.length < count)
    return keys
  }
}

/** Whether a partition of the mail table is a log. */
export function isLog(partition: string): boolean {
  return partition.startsWith(LOG)
}

function keyOf(domain: string, id: string): Item {
  return { pk: s(LOG + domain), sk: s(id) }
}

function keyFrom(item: Item): EmailKey {
  return { address: text(item, 'address'), id: text(item, 'sk') }
}
