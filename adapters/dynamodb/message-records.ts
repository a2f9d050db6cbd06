import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { DAY_MS } from '../../core/limits.ts'
import { ulidTime } from '../../core/ulid.ts'
import { type Item, n, number, s, ttl } from './attributes.ts'
import type { Table } from './table.ts'

/**
 * SQS redelivers a message for at most 14 days (MessageRetentionPeriod), from its dead-letter queue
 * too.
 */
const REDELIVERY_MS = 15 * DAY_MS

/** The state of one recipient's copy. */
export type Copy =
  | { state: 'pending' }
  | { state: 'stored'; id: string }
  /** A caller removed it. */
  | { state: 'removed' }

export type Copies = ReadonlyMap<string, Copy>

/**
 * One item for each message, with the state of its copies:
 *
 * - `copies`: for each recipient '' until its email is stored, then its id. After the removal of
 * the email, the number of copies that were left just before it, so that 1 marks the last one.
 * - `left`: the copies that are not removed, pending ones included. Their bytes are still needed.
 *
 * Conditions on this item make sure that concurrent processes do each step once.
 */
export class MessageRecords {
  readonly #table: Table

  constructor(table: Table) {
    this.#table = table
  }

  /** Undefined if nothing of the message was stored yet. */
  async find(messageId: string): Promise<Copies | undefined> {
    const item = await this.#table.get(keyOf(messageId))
    return item && copiesOf(item)
  }

  /**
   * Returns the write of this item for a transaction that stores emails of the message. DynamoDB
   * rejects it if the item differs from `known`, and then returns the item.
   *
   * @param copies the copies to store, by address
   * @param message with all recipients; of a new message, recipients that are not in `copies` are
   * pending
   */
  storing(
    copies: ReadonlyMap<string, string>,
    message: { messageId: string; recipients: string[]; retentionMs: number; now: number },
    known: Copies | undefined,
  ): TransactWriteItem {
    const { messageId } = message
    if (known === undefined)
      return this.#table.putting(newItem(copies, message), { condition: 'attribute_not_exists(#pk)' })
    const sets: string[] = []
    const conditions: string[] = ['attribute_exists(#pk)']
    const names: Record<string, string> = {}
    const values: Item = {}
    let added = 0
    for (const [i, [address, id]] of [...copies].entries()) {
      names[`#address${i}`] = address
      values[`:id${i}`] = s(id)
      sets.push(`#copies.#address${i} = :id${i}`)
      if (known.has(address)) {
        values[':pending'] = s(PENDING)
        conditions.push(`#copies.#address${i} = :pending`)
      } else {
        added++
        conditions.push(`attribute_not_exists(#copies.#address${i})`)
      }
    }
    if (added > 0) {
      values[':added'] = n(added)
      sets.push('#left = #left + :added')
    }
    const condition = conditions.join(' AND ')
    return this.#table.updating(keyOf(messageId), `SET ${sets.join(', ')}`, { condition, names, values })
  }

  /**
   * Counts a copy as removed. Idempotent. Returns whether it was the last one; expired copies count
   * as removed.
   */
  async release(messageId: string, address: string, id: string, now: number): Promise<boolean> {
    const written = await this.#table.update(
      keyOf(messageId),
      // Values on the right-hand side are those from before the update.
      'SET #copies.#address = #left, #left = #left - :one',
      {
        condition: '#copies.#address = :id',
        names: { '#address': address },
        values: { ':id': s(id), ':one': n(1) },
      },
    )
    const { item } = written
    if (!written.done || item === undefined) return item?.copies?.M?.[address]?.N === '1'
    const left = number(item, 'left')
    if (left === 0) return true
    return allExpired(item, now) && this.#releaseRest(messageId, address, left)
  }

  /**
   * Only expired copies are left. This copy becomes the last one, unless a concurrent removal was
   * faster.
   */
  async #releaseRest(messageId: string, address: string, left: number): Promise<boolean> {
    const { done } = await this.#table.update(
      keyOf(messageId),
      'SET #copies.#address = :one, #left = :none',
      {
        condition: '#left = :left',
        names: { '#address': address },
        values: { ':one': n(1), ':none': n(0), ':left': n(left) },
      },
    )
    return done
  }
}

/** Returns the item of a message of which nothing was stored before. */
function newItem(
  copies: ReadonlyMap<string, string>,
  message: { messageId: string; recipients: string[]; retentionMs: number; now: number },
): Item {
  const { messageId, recipients, retentionMs, now } = message
  const entries = recipients.map((recipient) => [recipient, s(copies.get(recipient) ?? PENDING)])
  return {
    ...keyOf(messageId),
    copies: { M: Object.fromEntries(entries) },
    left: n(recipients.length),
    retention_ms: n(retentionMs),
    ttl: ttl(now + retentionMs + REDELIVERY_MS),
  }
}

const PENDING = ''

function keyOf(messageId: string): Item {
  return { pk: s(`message#${messageId}`) }
}

/** Returns the copies in the item of a message. */
export function copiesOf(item: Item): Copies {
  const copies = Object.entries(item.copies?.M ?? {})
  return new Map(
    copies.map(([address, { S: id }]): [string, Copy] => {
      if (id === undefined) return [address, { state: 'removed' }]
      return [address, id === PENDING ? { state: 'pending' } : { state: 'stored', id }]
    }),
  )
}

function allExpired(item: Item, now: number): boolean {
  const retention = number(item, 'retention_ms')
  return [...copiesOf(item).values()].every(
    (copy) => copy.state === 'removed' || (copy.state === 'stored' && ulidTime(copy.id) + retention <= now),
  )
}
