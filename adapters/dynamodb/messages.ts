import { randomBytes } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import { type Email, type EmailFilter, fold } from '../../core/inbox/email.ts'
import type {
  BlobStore,
  MessageStore,
  NewMail,
  Page,
  PageRequest,
  ReplayBatch,
  Scope,
  StoredEmail,
} from '../../core/inbox/ports.ts'
import { REPLAY_BATCH, REPLAY_BATCH_BYTES } from '../../core/limits.ts'
import { inParallel } from '../../core/parallel.ts'
import { TABLES } from '../aws/env.ts'
import { unavailable } from '../aws/errors.ts'
import { type Item, n, number, s, text } from './attributes.ts'
import { Deliveries } from './deliveries.ts'
import {
  domainGroup,
  emailFrom,
  emailKey,
  HAS_ACTION_LINK,
  isEmail,
  partitionOf,
  storedEmail,
} from './email-item.ts'
import type { EmailKey, Recent } from './recent.ts'
import { Storing } from './storing.ts'
import type { Table } from './table.ts'

/** Requests at a time: for the domains of a stream, and for removing a mailbox. The SDK opens 50 connections. */
const DOMAIN_WINDOW = 10
const REMOVE_WINDOW = 48
/** Emails that one page looks at when it filters, so that no request takes seconds; and at once at most. */
const PAGE_SCAN = 1000
const QUERY_MAX = 400

/** Greater than every ULID. */
const HIGHEST = '~'

export interface EmailsParts {
  mail: Table
  keys: Table
  blobs: Pick<BlobStore, 'remove'>
  clock: Clock
  /** Gives n random bytes. */
  random?: (size: number) => Uint8Array
  /** What the stream has announced of late; without it `replay` over domains is eventually consistent. */
  recent?: Recent
}

/**
 * Emails in the mail table, one item each; its stream announces them. How they are stored stands in storing.ts.
 *
 * Removing: (1) the delivery item counts the copy as removed, (2) the email is deleted. In this order a retry of
 * the store cannot bring back what was removed, and a retry of the removal finds the email and goes on where it
 * was. The one whose delete finds the email is the one that removed it:
 *
 *   A: delivery x = left 1, left = 0 if x is id 1     done: x was the last copy
 *   B: delivery x = left 1, left = 0 if x is id 1     refused, the item says that x was the last copy
 *   B: delete x/1 if it is there                      done: removed, last
 *   A: delete x/1 if it is there                      refused: there is no such email any more
 */
export class DynamoMessages implements MessageStore {
  readonly #mail: Table
  readonly #keys: Table
  readonly #clock: Clock
  readonly #recent: Recent | undefined
  readonly #deliveries: Deliveries
  readonly #storing: Storing

  constructor({ mail, keys, blobs, clock, random = randomBytes, recent }: EmailsParts) {
    this.#mail = mail
    this.#keys = keys
    this.#clock = clock
    this.#recent = recent
    this.#deliveries = new Deliveries(keys)
    this.#storing = new Storing({ mail, deliveries: this.#deliveries, blobs, clock, random })
  }

  store(mail: NewMail): Promise<Email[]> {
    return this.#storing.store(mail)
  }

  async find(address: string, id: string): Promise<StoredEmail | undefined> {
    return storedEmail(await this.#mail.get(emailKey(address, id)), this.#clock())
  }

  async page(address: string, { limit, before, after, filter }: PageRequest): Promise<Page> {
    const { items, stopped } = await this.#newest(address, limit + 1, PAGE_SCAN, { before, after, filter })
    const emails = items.slice(0, limit).map(emailFrom)
    return { emails, next: items.length > limit ? emails.at(-1)!.id : stopped }
  }

  async *replay(scope: Scope, after: string, limit: number): AsyncIterable<ReplayBatch> {
    const newest =
      'address' in scope
        ? (await this.#newest(scope.address, limit + 1, Infinity, { after })).items
        : await this.#newestOf(new Set(scope.domains), limit + 1, after)
    const missed = newest.length > limit ? { missed_before: text(newest[limit - 1]!, 'sk') } : {}
    const [first, ...others] = inBatches(newest.slice(0, limit).reverse())
    if (first === undefined) return
    // Of the others only the keys are held while the consumer takes the first.
    const keys = others.map((items) => items.map((item) => emailKey(addressOf(item), text(item, 'sk'))))
    yield { ...missed, emails: first.map(emailFrom) }
    for (const batch of keys) {
      const items = await this.#alive(batch)
      if (items.length > 0) yield { emails: items.reverse().map(emailFrom) }
    }
  }

  /**
   * The newest `count` emails of an address that the filter asks for; fewer when there are no more, or when
   * `scan` emails were looked at: then `stopped` is the id of the last one of these.
   */
  async #newest(
    address: string,
    count: number,
    scan: number,
    { before, after = '', filter = {} }: { before?: string; after?: string; filter?: EmailFilter },
  ): Promise<{ items: Item[]; stopped: string | undefined }> {
    const items: Item[] = []
    // DynamoDB refuses to start a query outside of its range.
    if (before !== undefined && before <= after) return { items, stopped: undefined }
    const wanted = conditions(filter)
    let start = before === undefined ? undefined : emailKey(address, before)
    let scanned = 0
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
      items.push(...page.items)
      scanned += limit
      start = page.last
      if (start === undefined || items.length >= count) return { items, stopped: undefined }
      if (scanned >= scan) return { items, stopped: text(start, 'sk') }
    }
  }

  /** The newest `count` emails of all these domains. */
  async #newestOf(domains: ReadonlySet<string>, count: number, after: string): Promise<Item[]> {
    const items: Item[] = []
    for (let before = HIGHEST, more = true; more && items.length < count; ) {
      const keys = await this.#keysOf(domains, count, after, before)
      more = keys.length === count
      before = keys.at(-1)?.id ?? before
      // The index says where to look, the table what is there: it may have been removed or marked as read.
      items.push(...(await this.#alive(keys.map(({ address, id }) => emailKey(address, id)))))
    }
    return items.slice(0, count)
  }

  /** Those of these emails that are there, newest first. */
  async #alive(keys: Item[]): Promise<Item[]> {
    const found = await this.#mail.getAll(keys)
    const now = this.#clock()
    const alive = found.filter((item) => isEmail(item) && number(item, 'expires_ms') > now)
    return alive.sort((a, b) => (text(a, 'sk') < text(b, 'sk') ? 1 : -1))
  }

  /** The newest `count` keys between these ids, from the index and from what was announced of late. */
  async #keysOf(
    domains: ReadonlySet<string>,
    count: number,
    after: string,
    before: string,
  ): Promise<EmailKey[]> {
    const lists = await inParallel([...domains], DOMAIN_WINDOW, (domain) =>
      this.#indexed(domain, count, after, before),
    )
    const byId = new Map<string, EmailKey>()
    const announced = this.#recent?.emails(domains, after) ?? []
    for (const key of [...lists.flat(), ...announced]) {
      if (key.id > after && key.id < before) byId.set(key.id, key)
    }
    return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, count)
  }

  async #indexed(domain: string, count: number, after: string, before: string): Promise<EmailKey[]> {
    const { items } = await this.#mail.query({
      index: TABLES.mail.index.name,
      // Both ends are in the range, so they are asked for beside the `count`.
      key: '#group = :group AND #sk BETWEEN :after AND :before',
      values: { ':group': s(domainGroup(domain)), ':after': s(after), ':before': s(before) },
      limit: count + 2,
      newestFirst: true,
    })
    return items.map((item) => ({ address: addressOf(item), id: text(item, 'sk') }))
  }

  /** One write, refused for an email that is read already: then the refusal brings it. */
  async markRead(address: string, id: string): Promise<StoredEmail | undefined> {
    const now = this.#clock()
    const { item } = await this.#mail.update(emailKey(address, id), 'SET #read = :yes', {
      condition: '#expires_ms > :now AND #read = :no',
      values: { ':yes': { BOOL: true }, ':no': { BOOL: false }, ':now': n(now) },
    })
    return storedEmail(item, now)
  }

  async remove(address: string, id: string): Promise<{ delivery: string; last: boolean } | undefined> {
    const stored = await this.find(address, id)
    return stored && this.#removeCopy(address, id, stored.delivery)
  }

  async #removeCopy(
    address: string,
    id: string,
    delivery: string,
  ): Promise<{ delivery: string; last: boolean } | undefined> {
    const last = await this.#deliveries.release(delivery, address, id, this.#clock())
    const written = await this.#mail.delete(emailKey(address, id), { condition: 'attribute_exists(#pk)' })
    // After more than one request it was most likely our own delete that is in the way of ours.
    const removed = written.done || written.attempts > 1
    return removed ? { delivery, last } : undefined
  }

  async removeAll(address: string, after = ''): Promise<{ removed: number; orphans: string[] }> {
    let removed = 0
    const orphans: string[] = []
    let start: Item | undefined
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
      await inParallel(page.items, REMOVE_WINDOW, async (item) => {
        const copy = await this.#removeCopy(address, text(item, 'sk'), text(item, 'delivery'))
        if (copy === undefined) return
        removed++
        if (copy.last) orphans.push(copy.delivery)
      })
      start = page.last
    } while (start !== undefined)
    return { removed, orphans }
  }

  /** Counts what the index lists, where a copy that has just been removed can still be. */
  async purge(domain: string, upTo: string, limit: number): Promise<{ removed: number; orphans: string[] }> {
    if (upTo === '') return { removed: 0, orphans: [] }
    const { items } = await this.#mail.query({
      index: TABLES.mail.index.name,
      key: '#group = :group AND #sk <= :upto',
      values: { ':group': s(domainGroup(domain)), ':upto': s(upTo) },
      limit,
    })
    const keys = items.map(({ pk, sk }) => ({ pk: pk!, sk: sk! }))
    const found = (await this.#mail.getAll(keys)).filter(isEmail)
    const removed = await inParallel(found, REMOVE_WINDOW, (item) =>
      this.#removeCopy(addressOf(item), text(item, 'sk'), text(item, 'delivery')),
    )
    const orphans = removed.flatMap((copy) => (copy?.last ? [copy.delivery] : []))
    return { removed: items.length, orphans }
  }

  async check(): Promise<void> {
    try {
      await Promise.all([this.#mail.get(emailKey('', 'check')), this.#keys.get({ pk: s('check') })])
    } catch (error) {
      throw unavailable(error)
    }
  }
}

function addressOf(item: Item): string {
  return text(item, 'pk').slice(partitionOf('').length)
}

/** As ports.ts bounds them. */
function inBatches(items: Item[]): Item[][] {
  const batches: Item[][] = []
  let bytes = REPLAY_BATCH_BYTES
  for (const item of items) {
    const size = JSON.stringify(emailFrom(item)).length
    const last = batches.at(-1)
    if (last === undefined || last.length === REPLAY_BATCH || bytes + size > REPLAY_BATCH_BYTES) {
      batches.push([item])
      bytes = size
    } else {
      last.push(item)
      bytes += size
    }
  }
  return batches
}

/** The filter as a part of DynamoDB's filter expression, over texts that are folded on both sides. */
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
