import type { _Record } from '@aws-sdk/client-dynamodb-streams'
import { domainPart } from '../../core/address.ts'
import type { Clock } from '../../core/clock.ts'
import type { Change } from '../../core/events/ports.ts'
import { MINUTE_MS } from '../../core/limits.ts'
import { type Item, text } from './attributes.ts'
import { DOMAINS, domainOf } from './domain-item.ts'
import { isLog } from './domain-log.ts'
import { addressOf, arrivedFrom, CLEARING, isEmailPartition } from './email-item.ts'
import { isWaiting } from './waiting-copies.ts'

/** Clearing an inbox takes less than this, because it is one request (an HTTP API allows 30 s). */
const CLEARING_MS = MINUTE_MS

/** Converts records of the mail table's stream (NEW_AND_OLD_IMAGES) to changes. */
export class StreamRecords {
  readonly #clock: Clock
  /** Addresses whose inbox is being cleared, with the time of the start. */
  readonly #clearing = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Returns undefined for a record that is no change: an expired item that DynamoDB removed, a log
   * entry, or a copy that waits.
   * @throws if the record has a form that this version does not know
   */
  of(record: _Record): Change | undefined {
    const { eventName, dynamodb } = record
    const keys = dynamodb?.Keys as Item | undefined
    if (keys === undefined) throw new Error('the record has no keys')
    const [image, before] = [dynamodb?.NewImage, dynamodb?.OldImage] as (Item | undefined)[]
    const partition = text(keys, 'pk')
    if (partition === DOMAINS) {
      const domain = eventName === 'REMOVE' ? undefined : domainOf(image ?? {})
      return { type: 'domain', name: text(keys, 'sk'), domain }
    }
    if (isLog(partition) || isWaiting(partition)) return undefined
    if (!isEmailPartition(partition)) throw new Error('the record is of an unknown kind of item')
    const [address, id] = [addressOf(keys), text(keys, 'sk')]
    const of = { domain: domainPart(address), address }
    if (eventName === 'REMOVE' && isExpiry(record)) return undefined
    if (id === CLEARING) {
      if (eventName !== 'REMOVE') this.#begin(address)
      else if (this.#clearing.delete(address)) return { type: 'inbox-cleared', ...of }
      return undefined
    }
    if (eventName === 'REMOVE') {
      return this.#isClearing(address) ? undefined : { type: 'email-deleted', ...of, id }
    }
    if (image === undefined) throw new Error('the record has no image')
    if (eventName === 'INSERT') return arrivedFrom(image)
    const isRead = image.read?.BOOL === true && before?.read?.BOOL === false
    return isRead ? { type: 'email-read', ...of, id } : undefined
  }

  #begin(address: string): void {
    const now = this.#clock()
    for (const [other, since] of this.#clearing) if (since < now - CLEARING_MS) this.#clearing.delete(other)
    this.#clearing.set(address, now)
  }

  #isClearing(address: string): boolean {
    return (this.#clearing.get(address) ?? 0) > this.#clock() - CLEARING_MS
  }
}

/** DynamoDB itself removes expired items (developer guide, "DynamoDB Streams and Time to Live"). */
function isExpiry({ userIdentity }: _Record): boolean {
  return userIdentity?.Type === 'Service' && userIdentity.PrincipalId === 'dynamodb.amazonaws.com'
}
