import type { Clock } from '../../core/clock.ts'
import { inParallel } from '../../core/parallel.ts'
import { type Item, n, s, text } from './attributes.ts'
import type { DomainLog } from './domain-log.ts'
import { addressOf, CLEARING, clearingItem, emailKey, emailsAt, partitionOf } from './email-item.ts'
import type { MessageRecords } from './message-records.ts'
import type { Table } from './table.ts'

/** Concurrent removals. The SDK opens 50 connections. */
const REMOVE_WINDOW = 48

export interface RemovingParts {
  mail: Table
  records: MessageRecords
  log: DomainLog
  clock: Clock
}

interface Removed {
  messageId: string
  last: boolean
}

/**
 * Removes emails. A removal has two steps: (1) the message's item counts the copy as removed, (2)
 * the email is deleted. In this order, a retry of the store cannot bring back a removed email, and
 * a retry of the removal finds the email and continues. Of concurrent removals, the one whose
 * delete finds the email has removed it:
 *
 *   A: message x = left 1, left = 0 if x is id 1      done: x was the last copy
 *   B: message x = left 1, left = 0 if x is id 1      rejected, the item has x as the last copy
 *   B: delete x/1 if it exists                        done: removed, last
 *   A: delete x/1 if it exists                        rejected: the email does not exist any more
 */
export class Removing {
  readonly #mail: Table
  readonly #records: MessageRecords
  readonly #log: DomainLog
  readonly #clock: Clock

  constructor({ mail, records, log, clock }: RemovingParts) {
    this.#mail = mail
    this.#records = records
    this.#log = log
    this.#clock = clock
  }

  /** Removes one email of a message. Returns undefined if another call has removed it. */
  async remove(address: string, id: string, messageId: string): Promise<Removed | undefined> {
    const last = await this.#records.release(messageId, address, id, this.#clock())
    const written = await this.#mail.delete(emailKey(address, id), { condition: 'attribute_exists(#pk)' })
    await this.#log.remove(address, id, written.item)
    // After more than one request, most likely the first delete succeeded and its response was
    // lost.
    const removed = written.done || written.attempts > 1
    return removed ? { messageId, last } : undefined
  }

  /** Removes the emails of an address with ids after this one. */
  async removeAll(address: string, after: string): Promise<{ removed: number; orphans: string[] }> {
    let removed = 0
    const orphans: string[] = []
    let start: Item | undefined
    let begun = false
    do {
      const page = await this.#mail.query({
        key: after === '' ? '#pk = :pk' : '#pk = :pk AND #sk > :after',
        filter: '#expires_at > :now',
        projection: '#sk, #message_id',
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
        const copy = await this.remove(address, text(item, 'sk'), text(item, 'message_id'))
        if (copy === undefined) return
        removed++
        if (copy.last) orphans.push(copy.messageId)
      })
      start = page.last
    } while (start !== undefined)
    if (begun) await this.#mail.delete(emailKey(address, CLEARING))
    return { removed, orphans }
  }

  /** Removes the oldest emails of a domain with ids up to this one. */
  async purge(domain: string, upTo: string, limit: number): Promise<{ removed: number; orphans: string[] }> {
    const keys = await this.#log.oldest(domain, upTo, limit)
    const found = await emailsAt(this.#mail, keys, 0)
    const removed = await inParallel(found, REMOVE_WINDOW, (item) =>
      this.remove(addressOf(item), text(item, 'sk'), text(item, 'message_id')),
    )
    const there = new Set(found.map((item) => text(item, 'sk')))
    const stale = keys.filter(({ id }) => !there.has(id))
    await inParallel(stale, REMOVE_WINDOW, (entry) => this.#log.removeEntry(entry))
    const orphans = removed.flatMap((copy) => (copy?.last ? [copy.messageId] : []))
    return { removed: keys.length, orphans }
  }
}
