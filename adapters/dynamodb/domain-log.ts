import { crc32 } from 'node:zlib'
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { domainPart } from '../../core/address.ts'
import type { Clock } from '../../core/clock.ts'
import type { Email } from '../../core/inbox/email.ts'
import { inParallel } from '../../core/parallel.ts'
import { type Item, n, number, s, text, ttl } from './attributes.ts'
import { domainKey } from './domain-item.ts'
import type { EmailKey } from './email-item.ts'
import type { Table } from './table.ts'

const LOG = 'log#'
/**
 * The parts of a domain's log, unless its record has another number: each with its own partition
 * key, because a partition takes 1,000 write units a second and a transactional write costs two.
 */
export const LOG_PARTS = 4
/** Partitions that are queried concurrently. */
const WINDOW = 12

/**
 * The keys of each domain's emails, in the order of their ids. One transaction writes an email and
 * its log entry, so the log never lags behind the table as an index would.
 */
export class DomainLog {
  readonly #table: Table
  readonly #clock: Clock

  constructor(table: Table, clock: Clock) {
    this.#table = table
    this.#clock = clock
  }

  /** Returns the write of the log entry for the transaction that stores an email. */
  adding({ address, id, expiresAt }: Email, parts = LOG_PARTS): TransactWriteItem {
    return this.#table.putting({
      ...entryKey(partOf(address, parts), id),
      address: s(address),
      expires_at: n(expiresAt),
      ttl: ttl(expiresAt),
    })
  }

  /**
   * Removes the entry of an email.
   * @param item the email's item; if it is gone, the entry may stay until it expires
   */
  async remove(address: string, id: string, item: Item | undefined): Promise<void> {
    const parts = item?.log_parts === undefined ? LOG_PARTS : number(item, 'log_parts')
    await this.#table.delete(entryKey(partOf(address, parts), id))
  }

  /**
   * Returns the greatest id in the logs of these domains, expired emails included; '' if the logs
   * are empty.
   */
  async greatestId(domains: Iterable<string>): Promise<string> {
    const ids = await inParallel(await this.#partitionsOf(domains), WINDOW, async (partition) => {
      const { items } = await this.#table.query({
        key: '#pk = :pk',
        projection: '#sk',
        values: { ':pk': s(partition) },
        limit: 1,
        newestFirst: true,
      })
      return items[0] === undefined ? '' : text(items[0], 'sk')
    })
    return ids.reduce((a, b) => (a > b ? a : b), '')
  }

  /**
   * Returns the newest `count` keys of all these domains with ids greater than `after` and at most
   * `last`, newest first.
   */
  async newest(domains: Iterable<string>, after: string, last: string, count: number): Promise<EmailKey[]> {
    if (last <= after) return []
    const lists = await inParallel(await this.#partitionsOf(domains), WINDOW, (partition) =>
      this.#newestOf(partition, after, last, count),
    )
    const keys = lists.flat().sort((a, b) => (a.id < b.id ? 1 : -1))
    return keys.slice(0, count)
  }

  /** Removes an entry that `oldest` returned. */
  async removeEntry({ partition, id }: LogEntry): Promise<void> {
    await this.#table.delete(entryKey(partition, id))
  }

  /** Returns the oldest `limit` entries of a domain up to this id, also those of expired emails. */
  async oldest(domain: string, upTo: string, limit: number): Promise<LogEntry[]> {
    if (upTo === '') return []
    const lists = await inParallel(await this.#partitionsOf([domain]), WINDOW, async (partition) => {
      const { items } = await this.#table.query({
        key: '#pk = :pk AND #sk <= :upto',
        values: { ':pk': s(partition), ':upto': s(upTo) },
        limit,
      })
      return items.map((item) => ({ ...keyFrom(item), partition }))
    })
    return lists
      .flat()
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit)
  }

  /**
   * Returns the partitions of the logs of these domains. A reader must call it after the heads are
   * raised: a writer that uses more parts has read the domain's record before.
   */
  async #partitionsOf(domains: Iterable<string>): Promise<string[]> {
    const names = [...domains]
    const parts = new Map(names.map((name) => [name, LOG_PARTS]))
    for (const item of await this.#table.getAll(names.map(domainKey)))
      if (item.log_parts !== undefined) parts.set(text(item, 'sk'), number(item, 'log_parts'))
    return [...parts].flatMap(([name, length]) =>
      Array.from({ length }, (_, part) => partitionOf(name, part)),
    )
  }

  async #newestOf(partition: string, after: string, last: string, count: number): Promise<EmailKey[]> {
    const keys: EmailKey[] = []
    let start: Item | undefined
    do {
      const page = await this.#table.query({
        key: '#pk = :pk AND #sk BETWEEN :next AND :last',
        filter: '#expires_at > :now',
        values: {
          ':pk': s(partition),
          // The smallest text that is greater.
          ':next': s(`${after}\u0000`),
          ':last': s(last),
          ':now': n(this.#clock()),
        },
        limit: Number.isFinite(count) ? Math.max(count, PAGE_MIN) : undefined,
        newestFirst: true,
        start,
      })
      keys.push(...page.items.map(keyFrom))
      start = page.last
    } while (start !== undefined && keys.length < count)
    return keys
  }
}

/**
 * The least number of entries that one query evaluates. Many may have expired, because DynamoDB
 * takes days to remove them.
 */
const PAGE_MIN = 100

/** A key with the partition that lists it. */
export interface LogEntry extends EmailKey {
  partition: string
}

/** Whether a partition of the mail table is a log. */
export function isLog(partition: string): boolean {
  return partition.startsWith(LOG)
}

function partOf(address: string, parts: number): string {
  return partitionOf(domainPart(address), crc32(address) % parts)
}

function partitionOf(domain: string, part: number): string {
  return `${LOG}${domain}#${part}`
}

function entryKey(partition: string, id: string): Item {
  return { pk: s(partition), sk: s(id) }
}

function keyFrom(item: Item): EmailKey {
  return { address: text(item, 'address'), id: text(item, 'sk') }
}
