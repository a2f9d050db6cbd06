import { hash } from 'node:crypto'
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { domainPart } from '../../core/address.ts'
import type { Clock } from '../../core/clock.ts'
import { DAY_MS, SECOND_MS } from '../../core/limits.ts'
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
 * A head is raised above the clock by at most this much, so the ids of emails are not further ahead
 * of the clock.
 */
export const AHEAD_MS = SECOND_MS

/**
 * The heads: items with the greatest id that was stored below them. An address always has the same
 * head. One transaction writes an email and its head, on the condition that the head's id is lower
 * than that of the email. So the ids of an address grow in the order in which its emails become
 * visible.
 */
export class Heads {
  readonly #table: Table
  readonly #clock: Clock

  constructor(table: Table, clock: Clock) {
    this.#table = table
    this.#clock = clock
  }

  /** Returns the name of the head that a transaction for an email of this address advances. */
  of(address: string): string {
    return nameOf(domainPart(address), headNumber(address))
  }

  /**
   * Returns the write of a head for the transaction that stores emails below it.
   * @param first the lowest id of these emails, which must be greater than that of the head
   * @param last the greatest id of these emails
   */
  advance(head: string, first: string, last: string): TransactWriteItem {
    return this.#table.updating({ pk: s(head) }, ADVANCE, condition(first, last, this.#clock()))
  }

  /**
   * When it resolves, no email of the address can be stored under this id or a lower one any more.
   */
  async raiseOf(address: string, id: string): Promise<void> {
    await this.#raiseAll([this.of(address)], id)
  }

  /**
   * When it resolves, no email of the domain can be stored under this id or a lower one any more.
   */
  async raise(domain: string, id: string): Promise<void> {
    const heads = Array.from({ length: HEADS }, (_, head) => nameOf(domain, head))
    await this.#raiseAll(heads, id)
  }

  async #raiseAll(heads: string[], id: string): Promise<void> {
    const now = this.#clock()
    await Promise.all(
      heads.map((head) => this.#table.update({ pk: s(head) }, ADVANCE, condition(id, id, now))),
    )
  }
}

/** Returns the id of a head that rejected a lower one. */
export function lastIdOf(head: Item): string {
  return text(head, 'last_id')
}

const ADVANCE = 'SET #last_id = :id, #ttl = :ttl'

function condition(first: string, last: string, now: number) {
  return {
    condition: 'attribute_not_exists(#pk) OR #last_id < :first',
    values: { ':id': s(last), ':first': s(first), ':ttl': ttl(now + KEPT_MS) },
  }
}

/**
 * The low bits of a CRC would give many consecutive addresses (user1, user2, …) of some domains the
 * same head.
 */
function headNumber(address: string): number {
  return hash('sha256', address, 'buffer').readUInt8() % HEADS
}

/** The number of heads is part of the name, because it decides which addresses share a head. */
function nameOf(domain: string, head: number): string {
  return `head${HEADS}#${domain}#${head}`
}
