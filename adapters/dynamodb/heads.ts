import { crc32 } from 'node:zlib'
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { domainPart } from '../../core/address.ts'
import { DAY_MS } from '../../core/limits.ts'
import { type Item, s, text, ttl } from './attributes.ts'
import type { Table } from './table.ts'

/**
 * Heads per domain. Transactions on one head exclude each other for some milliseconds, so one head
 * takes less than 100 transactions a second. Each head is one more write for a stream that follows
 * the whole domain (domain-order.ts).
 */
export const HEADS = 32
/** Longer than any writer runs. An expired head would reject nothing. */
const KEPT_MS = 15 * DAY_MS

/**
 * The heads: items with the greatest id that was stored below them. An address always has the same
 * head. One transaction writes an email and its head, on the condition that the head's id is lower
 * than that of the email. So the ids of an address grow in the order in which its emails become
 * visible.
 */
export class Heads {
  readonly #table: Table

  constructor(table: Table) {
    this.#table = table
  }

  /**
   * Returns the write of a head for the transaction that stores emails below it.
   * @param first the lowest id of these emails, which must be greater than that of the head
   * @param last the greatest id of these emails
   */
  advance(head: string, first: string, last: string, now: number): TransactWriteItem {
    return this.#table.updating({ pk: s(head) }, ADVANCE, condition(first, last, now))
  }

  /**
   * When it resolves, no email of the address can be stored under this id or a lower one any more.
   */
  async raiseOf(address: string, id: string, now: number): Promise<void> {
    await this.#table.update({ pk: s(headOf(address)) }, ADVANCE, condition(id, id, now))
  }

  /**
   * When it resolves, no email of the domain can be stored under this id or a lower one any more.
   */
  async raise(domain: string, id: string, now: number): Promise<void> {
    const raising = Array.from({ length: HEADS }, (_, head) =>
      this.#table.update({ pk: s(nameOf(domain, head)) }, ADVANCE, condition(id, id, now)),
    )
    await Promise.all(raising)
  }
}

/** Returns the name of an address's head. */
export function headOf(address: string): string {
  return nameOf(domainPart(address), crc32(address) % HEADS)
}

/** Returns the id of a head that rejected a lower one. */
export function lastIdOf(head: Item): string {
  return text(head, 'last_id')
}

const ADVANCE = 'SET #last_id = :id, #expires_at = :ttl'

function condition(first: string, last: string, now: number) {
  return {
    condition: 'attribute_not_exists(#pk) OR #last_id < :first',
    values: { ':id': s(last), ':first': s(first), ':ttl': ttl(now + KEPT_MS) },
  }
}

/**
 * The number of heads is part of the name, because version 0.2.0 had eight, and its heads do not
 * order emails of this version.
 */
function nameOf(domain: string, head: number): string {
  return `head${HEADS}#${domain}#${head}`
}
