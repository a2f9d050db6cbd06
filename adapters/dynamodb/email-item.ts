import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { domainPart } from '../../core/address.ts'
import type { Change } from '../../core/events/ports.ts'
import { type Email, emailOf } from '../../core/inbox/email.ts'
import { type Has, hasValues, searchable } from '../../core/inbox/filter.ts'
import type { StoredEmail } from '../../core/inbox/ports.ts'
import { ulidTime } from '../../core/ulid.ts'
import type { EmailSummary } from '../../reading/message.ts'
import { type Item, n, number, s, text, ttl } from './attributes.ts'
import type { Table } from './table.ts'

const ADDRESS = 'address#'

/** Returns a value of `has` as the attribute contains it: so that `link` is no part of another one. */
export function hasText(value: Has | string): string {
  return `(${value})`
}

/**
 * Compression halves the size for 20 µs of work. A write unit is 1 KB, so it halves the cost of
 * storing, marking as read and removing. The worst summary, with all its escapes, stays below the
 * 400 KB limit of an item.
 */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** A new email. */
export type Arrived = Extract<Change, { type: 'email' }>

/** The key of an email. */
export interface EmailKey {
  address: string
  id: string
}

export function partitionOf(address: string): string {
  return ADDRESS + address
}

export function isEmailPartition(partition: string): boolean {
  return partition.startsWith(ADDRESS)
}

/**
 * The sort key, in place of an id, of an item that exists while an inbox is being cleared. A reader
 * of the table's stream publishes the removals between its creation and its deletion as one change.
 * It sorts before every id, and no filter matches it, because it has no `expires_at`.
 */
export const CLEARING = '!clearing'

export function clearingItem(address: string, until: number): Item {
  return { ...emailKey(address, CLEARING), ttl: ttl(until) }
}

export function emailKey(address: string, id: string): Item {
  return { pk: s(partitionOf(address)), sk: s(id) }
}

/**
 * Returns the item of an email: the compressed summary, and the attributes that filters and
 * conditions use.
 * @param keyHash the hash of its domain's key when it is stored; undefined if it was not looked up
 * @param logParts of its domain when it is stored, see Domain in core/access/ports.ts
 */
export function emailItem(
  summary: EmailSummary,
  email: Email,
  messageId: string,
  { keyHash, logParts }: { keyHash?: string | null | undefined; logParts?: number | undefined } = {},
): Item {
  const { sender, subject } = searchable(summary)
  const { expiresAt } = email
  return {
    ...emailKey(email.address, email.id),
    message_id: s(messageId),
    ...(keyHash === undefined ? {} : { key_hash: keyHash === null ? { NULL: true } : s(keyHash) }),
    ...(logParts === undefined ? {} : { log_parts: n(logParts) }),
    summary: { B: brotliCompressSync(JSON.stringify(summary), COMPRESSION) },
    sender: s(sender.toWellFormed()),
    subject: s(subject.toWellFormed()),
    has: s(hasValues(summary).map(hasText).join('')),
    read: { BOOL: false },
    expires_at: n(expiresAt),
    ttl: ttl(expiresAt),
  }
}

export function addressOf(item: Item): string {
  return text(item, 'pk').slice(ADDRESS.length)
}

/** Returns the email in an item; undefined if it has expired. */
export function storedEmail(item: Item | undefined, now: number): StoredEmail | undefined {
  return item !== undefined && isAlive(item, now)
    ? { email: emailFrom(item), messageId: text(item, 'message_id') }
    : undefined
}

/** Returns the items of those of these emails that still exist, oldest first. */
export async function emailsAt(table: Table, keys: EmailKey[], now: number): Promise<Item[]> {
  const items = await table.getAll(keys.map(({ address, id }) => emailKey(address, id)))
  return items.filter((item) => isAlive(item, now)).sort((a, b) => (text(a, 'sk') < text(b, 'sk') ? -1 : 1))
}

function isAlive(item: Item, now: number): boolean {
  return number(item, 'expires_at') > now
}

/** Returns the change that publishes an email. @throws as `emailFrom` */
export function arrivedFrom(item: Item): Arrived {
  const email = emailFrom(item)
  const { address } = email
  const { key_hash: keyHash } = item
  return {
    type: 'email',
    domain: domainPart(address),
    address,
    email,
    ...(keyHash === undefined ? {} : { keyHash: keyHash.S ?? null }),
  }
}

/** @throws if the item is no email, or has a form that this version does not know */
export function emailFrom(item: Item): Email {
  const packed = item.summary?.B
  const partition = text(item, 'pk')
  if (packed === undefined || !isEmailPartition(partition)) throw new Error('the item is no email')
  const summary = JSON.parse(brotliDecompressSync(packed).toString()) as EmailSummary
  const id = text(item, 'sk')
  const retentionMs = number(item, 'expires_at') - ulidTime(id)
  const email = emailOf(summary, partition.slice(ADDRESS.length), id, retentionMs)
  return { ...email, read: item.read?.BOOL === true }
}
