import { domainPart } from '../../core/address.ts'
import type { EmailChange } from '../../core/events/ports.ts'
import { type Email, emailOf } from '../../core/inbox/email.ts'
import { type Having, hasValues, searchable } from '../../core/inbox/filter.ts'
import type { MessageParts, NewMessage, Origin } from '../../core/inbox/ports.ts'
import { putPart, removeParts } from './blobs.ts'
import type { Database } from './database.ts'
import { visibleAfter } from './domains.ts'
import { unavailable } from './errors.ts'
import { SearchedEmails } from './findings.ts'
import { entryOf, type IndexEntry, takeEntry } from './message-index.ts'
import { COPIES, HAS_BITS, hasCopies, type Row, rowOf, TEXT_OF_HTML, UNSEARCHED } from './message-rows.ts'
import { SIZE_FACTOR } from './space.ts'
import type { Transaction } from './transaction.ts'
import { enqueueWebhooks } from './webhooks.ts'

/**
 * The command that stores a message with one email for each recipient. Returns the new emails.
 * @param parts of the message, written with its emails: all or nothing
 */
export function storeEmails(transaction: Transaction, mail: NewMessage, parts: MessageParts): Email[] {
  const { newId, abandoned } = transaction
  if (abandoned.delete(mail.messageId)) {
    throw unavailable(new Error('its parts were given up before its emails were stored'))
  }
  const recipients = mail.recipients.filter((address) => isRegistered(transaction, mail, domainPart(address)))
  const emails = recipients.map((address) => emailOf(mail.summary, address, newId(), mail.retentionMs))
  const message = emails.length === 0 ? undefined : insertMessage(transaction, mail, emails, parts)
  if (message === undefined) return complete(transaction, { ...mail, recipients }, parts)
  if (mail.origin !== undefined) insertOrigin(transaction.db, message, mail, mail.origin)
  addCopies(transaction, message, emails, mail, entryOf(mail, emails))
  return emails
}

/** Makes the copies visible. The newest one has the entry of the message in the index. */
function addCopies(
  transaction: Transaction,
  message: number,
  copies: Email[],
  mail: NewMessage,
  entry: IndexEntry,
): void {
  const { db, publish, hasWebhooks } = transaction
  for (const email of copies) {
    const domain = domainPart(email.address)
    const own = email === copies.at(-1) ? entry : undefined
    db.run(
      `INSERT INTO emails (id, address, domain, message, expires_at, addresses, subject, message_read)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      email.id,
      email.address,
      domain,
      message,
      email.expiresAt,
      own?.addresses ?? null,
      own?.subject ?? null,
      own?.read ?? null,
    )
    const change = changeOf(email, domain, mail)
    publish(change)
    if (hasWebhooks) enqueueWebhooks(transaction, change)
  }
}

/** A new email, whose message is searched as soon as somebody reads the change. */
function changeOf(email: Email, domain: string, { unsearched }: NewMessage): EmailChange {
  const { address } = email
  if (unsearched === undefined) return { type: 'email', domain, address, email }
  let searched: Email | undefined
  return {
    type: 'email',
    domain,
    address,
    get email() {
      if (searched === undefined) {
        const { codes, links, actionLink } = unsearched.search()
        searched = { ...email, codes, links, actionLink }
      }
      return searched
    },
  }
}

/** Stores a message of which a part, or everything, may be stored already. */
function complete(transaction: Transaction, mail: NewMessage, parts: MessageParts): Email[] {
  const { db, clock, newId } = transaction
  const id = rowOf(mail.messageId)
  const known = db.get<{ copies: string }>('SELECT copies FROM messages WHERE id = ?', id)
  if (known === undefined) return []
  const before = JSON.parse(known.copies) as [address: string, id: string][]
  const fresh = mail.recipients
    .filter((recipient) => !before.some(([address]) => address === recipient))
    .map((address) => emailOf(mail.summary, address, newId(), mail.retentionMs))
  if (fresh.length > 0) {
    for (const [name, data] of parts) putPart(db, id, name, data)
    if (mail.origin !== undefined) insertOrigin(db, id, mail, mail.origin)
    updateMessage(transaction, id, mail, fresh, before)
    const [, newest] = before.at(-1) ?? []
    const entry = entryOf(mail, fresh, newest === undefined ? undefined : takeEntry(db, newest))
    addCopies(transaction, id, fresh, mail, entry)
  }

  // The parts may be there, although no copy is: all were removed, or no domain is open.
  const now = clock()
  if (!hasCopies(db, id, now)) removeParts(db, id)
  const stored = new SearchedEmails()
  return db.all<Row>(`${COPIES} ORDER BY e.id`, id, now).map((row) => stored.email(row))
}

/** Whether the domain is registered as it was when its recipients were accepted. */
function isRegistered(
  transaction: Transaction,
  { visibleAfter: expected = {} }: NewMessage,
  domain: string,
): boolean {
  return expected[domain] === undefined || expected[domain] === visibleAfter(transaction, domain)
}

/**
 * Stores a new message with the common data of its copies and its parts; undefined if it exists.
 * `raw` and `body` go into the row of the message, because a commit writes each page that it
 * touches, so fewer rows are faster.
 */
function insertMessage(
  transaction: Transaction,
  mail: NewMessage,
  emails: Email[],
  parts: MessageParts,
): number | undefined {
  const { db } = transaction
  const { sender, subject } = searchable(mail.summary)
  const { changes, id } = db.run(
    `INSERT INTO messages (id, has, sender, subject, summary, expires_at, stored, copies, raw, body)
     VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    rowOf(mail.messageId),
    hasOf(mail),
    sender,
    subject,
    JSON.stringify(mail.summary),
    emails.at(-1)!.expiresAt,
    JSON.stringify(emails.map(({ address, id }) => [address, id])),
    parts.get('raw') ?? null,
    parts.get('body') ?? null,
  )
  if (changes === 0) return undefined
  noteRetention(transaction, id, mail.retentionMs)
  for (const [name, data] of parts) if (name !== 'raw' && name !== 'body') putPart(db, id, name, data)
  return id
}

/** Notes who sent the message, for its share of the store (shares.ts). */
function insertOrigin(db: Database, message: number, mail: NewMessage, { client, sender }: Origin): void {
  const domain = domainPart(mail.recipients[0] ?? '')
  db.run(
    'INSERT OR REPLACE INTO origins (message, client, sender, domain, bytes) VALUES (?, ?, ?, ?, ?)',
    message,
    client,
    sender,
    domain,
    Math.ceil(mail.summary.size * SIZE_FACTOR),
  )
}

/** Adds copies to an existing message. The message is kept as long as its last copy. */
function updateMessage(
  transaction: Transaction,
  message: number,
  mail: NewMessage,
  fresh: Email[],
  before: [address: string, id: string][],
): void {
  const { summary, retentionMs } = mail
  const { sender, subject } = searchable(summary)
  const expiresAt = fresh.at(-1)!.expiresAt
  // Before a message is stored, its expiry is that of an unfinished one, which does not count.
  transaction.db.run(
    `UPDATE messages SET has = ?, sender = ?, subject = ?, summary = ?, copies = ?,
       expires_at = iif(stored, max(expires_at, ?), ?), stored = 1 WHERE id = ?`,
    hasOf(mail),
    sender,
    subject,
    JSON.stringify(summary),
    JSON.stringify([...before, ...fresh.map(({ address, id }) => [address, id])]),
    expiresAt,
    expiresAt,
    message,
  )
  noteRetention(transaction, message, retentionMs)
}

/** The value of `messages.has`. */
function hasOf({ summary, unsearched }: NewMessage): number {
  if (unsearched === undefined) return bitsOf(summary)
  return bitsOf(summary) | UNSEARCHED | (unsearched.isTextOfHtml ? TEXT_OF_HTML : 0)
}

/** The bits of what an email has. */
export function bitsOf(email: Having): number {
  return hasValues(email).reduce((bits, value) => bits | HAS_BITS[value], 0)
}

/** Notes how long a message that is stored now is kept, for expiry.ts. */
function noteRetention({ db, remembered }: Transaction, message: number, retentionMs: number): void {
  const { newest } = remembered
  const isNewest = newest === undefined || message > newest.message
  if (newest !== undefined && isNewest && retentionMs === newest.retentionMs) {
    newest.message = message
    return
  }
  remembered.newest = isNewest ? { message, retentionMs } : undefined
  const series = db.get<{ retentionMs: number }>(
    'SELECT retention_ms AS retentionMs FROM retentions WHERE message <= ? ORDER BY message DESC LIMIT 1',
    message,
  )
  if (series?.retentionMs === retentionMs) return
  db.run('INSERT OR REPLACE INTO retentions (message, retention_ms) VALUES (?, ?)', message, retentionMs)
}
