import { crc32 } from 'node:zlib'
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { domainPart } from '../../core/address.ts'
import { DAY_MS } from '../../core/limits.ts'
import { type Item, s, text, ttl } from './attributes.ts'
import type { Table } from './table.ts'

/**
 * Heads of a domain. Transactions on one head exclude each other for some ms, so one alone would take less than
 * 100 mails a second; each more is a write more for whoever follows the whole domain (domain-order.ts).
 */
const HEADS = 8
/** Longer than any writer lives: a head that is gone refuses nothing. */
const REMEMBERED_MS = 15 * DAY_MS

/**
 * The heads: items that hold the greatest id that was stored below them. Each address has one head, the same
 * always. An email is written in one transaction with its head, on the condition that the head is less than the
 * email's id. So the ids of an address grow in the order in which its emails become visible.
 */
export class Heads {
  readonly #table: Table

  constructor(table: Table) {
    this.#table = table
  }

  /** The head's part of the transaction that stores an email. */
  advance(address: string, id: string, now: number): TransactWriteItem {
    return this.#table.updating({ pk: s(headOf(address)) }, ADVANCE, condition(id, now))
  }

  /** From now on no email of the address can be stored under this id or a lesser one. */
  async raiseOf(address: string, id: string, now: number): Promise<void> {
    await this.#table.update({ pk: s(headOf(address)) }, ADVANCE, condition(id, now))
  }

  /** From now on no email of the domain can be stored under this id or a lesser one. */
  async raise(domain: string, id: string, now: number): Promise<void> {
    const raising = Array.from({ length: HEADS }, (_, head) =>
      this.#table.update({ pk: s(nameOf(domain, head)) }, ADVANCE, condition(id, now)),
    )
    await Promise.all(raising)
  }
}

/** The name of an address's head. */
export function headOf(address: string): string {
  return nameOf(domainPart(address), crc32(address) % HEADS)
}

/** The id that a head has which refused another. */
export function lastIdOf(head: Item): string {
  return text(head, 'last_id')
}

const ADVANCE = 'SET #last_id = :id, #expires_at = :ttl'

function condition(id: string, now: number) {
  return {
    condition: 'attribute_not_exists(#pk) OR #last_id < :id',
    values: { ':id': s(id), ':ttl': ttl(now + REMEMBERED_MS) },
  }
}

function nameOf(domain: string, head: number): string {
  return `head#${domain}#${head}`
}
