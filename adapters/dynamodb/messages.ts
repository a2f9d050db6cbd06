import { randomBytes } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import { type Email, type EmailFilter, fold, matches } from '../../core/inbox/email.ts'
import type {
  BlobStore,
  MessageParts,
  MessageStore,
  NewMessage,
  Page,
  PageRequest,
  ReplayBatch,
  Scope,
  StoredEmail,
} from '../../core/inbox/ports.ts'
import { CHANGE_FEED_LAG_MS, PAGE_READ_BYTES, REPLAY_BATCH, REPLAY_BATCH_BYTES } from '../../core/limits.ts'
import { inParallel } from '../../core/parallel.ts'
import { lastUlidOf, ulidTime } from '../../core/ulid.ts'
import { unavailable } from '../aws/errors.ts'
import { type Item, n, s, text } from './attributes.ts'
import { DomainLog } from './domain-log.ts'
import { DomainOrder } from './domain-order.ts'
import {
  addressOf,
  CLEARING,
  clearingItem,
  type EmailKey,
  emailFrom,
  emailKey,
  emailsAt,
  HAS_ACTION_LINK,
  partitionOf,
  storedEmail,
} from './email-item.ts'
import { Heads } from './heads.ts'
import { MessageRecords } from './message-records.ts'
import { Storing } from './storing.ts'
import type { Table } from './table.ts'

/** Concurrent requests. The SDK opens 50 connections. */
const REMOVE_WINDOW = 48
/** Addresses that a replay reads concurrently. */
const ADDRESS_WINDOW = 4
/**
 * The most emails that a page with a filter evaluates in all, so that no request takes seconds, and
 * in one query.
 */
const PAGE_SCAN = 1000
const QUERY_MAX = 400

export interface EmailsParts {
  mail: Table
  keys: Table
  blobs: Pick<BlobStore, 'put' | 'remove'>
  clock: Clock
  /** Returns n random bytes. */
  random?: (size: number) => Uint8Array
}

/**
 * Emails in the mail table, one item each. The table's stream publishes them; storing.ts stores
 * them.
 *
 * A removal has two steps: (1) the message's item counts the copy as removed, (2) the email is
 * deleted. In this order, a retry of the store cannot bring back a removed email, and a retry of
 * the removal finds the email and continues. Of concurrent removals, the one whose delete finds the
 * email has removed it:
 *
 *   A: message x = left 1, left = 0 if x is id 1      done: x was the last copy
 *   B: message x = left 1, left = 0 if x is id 1      rejected, the item has x as the last copy
 *   B: delete x/1 if it exists                        done: removed, last
 *   A: delete x/1 if it exists                        rejected: the email does not exist any more
 */
export class DynamoMessages implements MessageStore {
  readonly #mail: Table
  readonly #keys: Table
  readonly #blobs: Pick<BlobStore, 'put'>
  readonly #clock: Clock
  readonly #heads: Heads
  readonly #log: DomainLog
  readonly #order: DomainOrder
  readonly #records: MessageRecords
  readonly #storing: Storing

  constructor({ mail, keys, blobs, clock, random = randomBytes }: EmailsParts) {
    this.#mail = mail
    this.#keys = keys
    this.#blobs = blobs
    this.#clock = clock
    this.#heads = new Heads(keys)
    this.#log = new DomainLog(mail, clock)
    this.#order = new DomainOrder({ mail, log: this.#log, heads: this.#heads, clock })
    this.#records = new MessageRecords(keys)
    this.#storing = new Storing({
      mail,
      records: this.#records,
      heads: this.#heads,
      log: this.#log,
      blobs,
      clock,
      random,
    })
  }

  /** The order of whole domains, which a reader of the table's stream uses. */
  get order(): DomainOrder {
    return this.#order
  }

  async store(message: NewMessage, parts: MessageParts = new Map()): Promise<Email[]> {
    await Promise.all(
      Array.from(parts, ([part, content]) => this.#blobs.put(message.messageId, part, content)),
    )
    return this.#storing.store(message)
  }

  /**
   * Returns the remaining emails of a message that was stored for all its recipients before;
   * undefined if it was not. The bytes of such a message may be gone.
   */
  async delivered(messageId: string): Promise<Email[] | undefined> {
    const copies = await this.#records.find(messageId)
    const isWhole = copies !== undefined && ![...copies.values()].some(({ state }) => state === 'pending')
    return isWhole ? this.#storing.emailsOf(copies) : undefined
  }

  async find(address: string, id: string): Promise<StoredEmail | undefined> {
    return storedEmail(await this.#mail.get(emailKey(address, id)), this.#clock())
  }

  async page(address: string, { limit, before, after, filter }: PageRequest): Promise<Page> {
    const { items, stopped, bytes } = await this.#newest(address, limit + 1, PAGE_SCAN, {
      before,
      after,
      filter,
    })
    const emails = items.slice(0, limit).map(emailFrom)
    return { emails, next: items.length > limit ? emails.at(-1)!.id : stopped, bytes }
  }

  async barrier(scope: Scope, id: string): Promise<void> {
    if ('addresses' in scope) await this.#raise(scope.addresses, id)
    else await this.#order.barrier(scope.domains, id)
  }

  /** While the consumer processes a batch, only the keys of the later emails are held. */
  async *replay(scope: Scope, after: string, limit: number): AsyncIterable<ReplayBatch> {
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
    await inParallel(addresses, REMOVE_WINDOW, (address) => this.#heads.raiseOf(address, id, this.#clock()))
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
    await this.#raise(addresses, after)
    const from = lastUlidOf(Math.max(0, ulidTime(after) - CHANGE_FEED_LAG_MS))
    const lists = await inParallel(addresses, ADDRESS_WINDOW, (address) =>
      this.#newestKeys(address, from, count),
    )
    return lists
      .flat()
      .sort((a, b) => (a.id < b.id ? 1 : -1))
      .slice(0, count)
  }

  async #newestKeys(address: string, after: string, count: number): Promise<EmailKey[]> {
    const keys: EmailKey[] = []
    let start: Item | undefined
    do {
      const page = await this.#mail.query({
        key: '#pk = :pk AND #sk > :after',
        filter: '#expires_ms > :now',
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

  /**
   * Returns the newest `count` emails of an address that match the filter. Returns fewer if no more
   * match, or if `scan` emails were evaluated; then `stopped` is the id of the last one.
   */
  async #newest(
    address: string,
    count: number,
    scan: number,
    { before, after = '', filter = {} }: { before?: string; after?: string; filter?: EmailFilter },
  ): Promise<{ items: Item[]; stopped: string | undefined; bytes: number }> {
    const items: Item[] = []
    // DynamoDB rejects a query whose start is outside of its range.
    if (before !== undefined && before <= after) return { items, stopped: undefined, bytes: 0 }
    const wanted = conditions(filter)
    let start = before === undefined ? undefined : emailKey(address, before)
    let scanned = 0
    let bytes = 0
    for (let limit = Math.min(count, QUERY_MAX); ; limit = Math.min(limit * 4, QUERY_MAX)) {
      const page = await this.#mail.query({
        key: after === '' ? '#pk = :pk' : '#pk = :pk AND #sk > :after',
        filter: `#expires_ms > :now${wanted.expression}`,
        values: {
          ':pk': s(partitionOf(address)),
          ':now': n(this.#clock()),
          ...(after === '' ? {} : { ':after': s(after) }),
          ...wanted.values,
        },
        limit,
        newestFirst: true,
        start,
      })
      // The text is compressed: reading it costs the same, and storing it half.
      const found =
        filter.q === undefined
          ? page.items
          : page.items.filter((item) => matches(emailFrom(item), { q: filter.q! }))
      items.push(...found)
      scanned += limit
      bytes += page.items.reduce((sum, item) => sum + sizeOf(item), 0)
      start = page.last
      if (start === undefined || items.length >= count) return { items, stopped: undefined, bytes }
      if (scanned >= scan || bytes >= PAGE_READ_BYTES) return { items, stopped: text(start, 'sk'), bytes }
    }
  }

  /** One write. DynamoDB rejects it for an email that is already read, and returns the item. */
  async markRead(address: string, id: string): Promise<StoredEmail | undefined> {
    const now = this.#clock()
    const { item } = await this.#mail.update(emailKey(address, id), 'SET #read = :yes', {
      condition: '#expires_ms > :now AND #read = :no',
      values: { ':yes': { BOOL: true }, ':no': { BOOL: false }, ':now': n(now) },
    })
    return storedEmail(item, now)
  }

  async remove(address: string, id: string): Promise<{ messageId: string; last: boolean } | undefined> {
    const stored = await this.find(address, id)
    return stored && this.#removeCopy(address, id, stored.messageId)
  }

  async #removeCopy(
    address: string,
    id: string,
    messageId: string,
  ): Promise<{ messageId: string; last: boolean } | undefined> {
    const last = await this.#records.release(messageId, address, id, this.#clock())
    const written = await this.#mail.delete(emailKey(address, id), { condition: 'attribute_exists(#pk)' })
    await this.#log.remove(address, id)
    // After more than one request, most likely the first delete succeeded and its response was
    // lost.
    const removed = written.done || written.attempts > 1
    return removed ? { messageId, last } : undefined
  }

  async removeAll(address: string, after = ''): Promise<{ removed: number; orphans: string[] }> {
    let removed = 0
    const orphans: string[] = []
    let start: Item | undefined
    let begun = false
    do {
      const page = await this.#mail.query({
        key: after === '' ? '#pk = :pk' : '#pk = :pk AND #sk > :after',
        filter: '#expires_ms > :now',
        projection: '#sk, #delivery',
        values: {
          ':pk': s(partitionOf(address)),
          ':now': n(this.#clock()),
          ...(after === '' ? {} : { ':after': s(after) }),
        },
        start,
      })
      if (!begun && page.items.length > 0) {
        begun = true
        await this.#mail.put(clearingItem(address, this.#clock()))
      }
      await inParallel(page.items, REMOVE_WINDOW, async (item) => {
        const copy = await this.#removeCopy(address, text(item, 'sk'), text(item, 'delivery'))
        if (copy === undefined) return
        removed++
        if (copy.last) orphans.push(copy.messageId)
      })
      start = page.last
    } while (start !== undefined)
    if (begun) await this.#mail.delete(emailKey(address, CLEARING))
    return { removed, orphans }
  }

  async purge(domain: string, upTo: string, limit: number): Promise<{ removed: number; orphans: string[] }> {
    const keys = await this.#log.oldest(domain, upTo, limit)
    const found = await emailsAt(this.#mail, keys, 0)
    const removed = await inParallel(found, REMOVE_WINDOW, (item) =>
      this.#removeCopy(addressOf(item), text(item, 'sk'), text(item, 'delivery')),
    )
    const there = new Set(found.map((item) => text(item, 'sk')))
    const stale = keys.filter(({ id }) => !there.has(id))
    await inParallel(stale, REMOVE_WINDOW, (entry) => this.#log.removeEntry(entry))
    const orphans = removed.flatMap((copy) => (copy?.last ? [copy.messageId] : []))
    return { removed: keys.length, orphans }
  }

  async check(): Promise<void> {
    try {
      await Promise.all([this.#mail.get(emailKey('', 'check')), this.#keys.get({ pk: s('check') })])
    } catch (error) {
      throw unavailable(error)
    }
  }
}

/** Returns the approximate size of an item in bytes. */
function sizeOf(item: Item): number {
  return Object.values(item).reduce((sum, { S = '', B }) => sum + S.length + (B?.length ?? 0), 0)
}

/** Returns the first items, as many as one batch may hold (core/inbox/ports.ts). */
function firstOf(items: Item[]): Email[] {
  const emails: Email[] = []
  for (let bytes = 0; emails.length < items.length; ) {
    const email = emailFrom(items[emails.length]!)
    bytes += JSON.stringify(email).length
    if (emails.length > 0 && bytes > REPLAY_BATCH_BYTES) break
    emails.push(email)
  }
  return emails
}

function indexAfter(keys: EmailKey[], id: string, from: number): number {
  const index = keys.findIndex((key, i) => i >= from && key.id > id)
  return index === -1 ? keys.length : index
}

/**
 * Returns the filter as a part of DynamoDB's filter expression, over texts that both sides
 * case-fold.
 */
function conditions(filter: EmailFilter): { expression: string; values: Item } {
  let expression = ''
  const values: Item = {}
  const contains = (attribute: string, part: string | undefined) => {
    if (!part) return
    expression += ` AND contains(#${attribute}, :${attribute})`
    values[`:${attribute}`] = s(part)
  }
  contains('sender', filter.from && fold(filter.from).toWellFormed())
  contains('subject', filter.subject && fold(filter.subject).toWellFormed())
  contains('has', filter.has === 'action_link' ? HAS_ACTION_LINK : filter.has)
  return { expression, values }
}
