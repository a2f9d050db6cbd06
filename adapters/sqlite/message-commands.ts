import { domainPart } from '../../core/address.ts'
import { removeParts } from './blobs.ts'
import type { Database } from './database.ts'
import { storeFull } from './errors.ts'
import { removeFindings } from './late-search.ts'
import { markInIndex, removeEntry, removeKeepingEntry } from './message-index.ts'
import { hasCopies, type Key, VISIBLE } from './message-rows.ts'
import { storeEmails } from './store-emails.ts'
import type { CommandSet, Transaction } from './transaction.ts'

/** Commands that change emails. */
export const messageCommands = {
  storeEmails,

  /** Returns whether the email exists. */
  markRead({ db, clock, publish }: Transaction, address: string, id: string): boolean {
    const { changes } = db.run(
      'UPDATE emails SET read = 1 WHERE address = ? AND id = ? AND read = 0 AND expires_at > ?',
      address,
      id,
      clock(),
    )
    if (changes > 0) {
      markInIndex(db, messageOf(db, address, id), true)
      publish({ type: 'email-read', domain: domainPart(address), address, id })
    }
    return (
      changes > 0 ||
      db.get('SELECT 1 FROM emails WHERE address = ? AND id = ? AND expires_at > ?', address, id, clock()) !==
        undefined
    )
  },

  removeEmail(
    { db, clock, publish }: Transaction,
    address: string,
    id: string,
  ): { messageId: string; last: boolean } | undefined {
    const now = clock()
    const found = db.get<Copy>(
      `${SELECT_COPY} WHERE e.address = ? AND e.id = ? AND e.expires_at > ?`,
      address,
      id,
      now,
    )
    if (found === undefined) return undefined
    publish({ type: 'email-deleted', domain: domainPart(address), address, id })
    return { messageId: found.messageId, last: removeCopy(db, found, now) }
  },

  removeAllEmails(
    { db, clock, publish }: Transaction,
    address: string,
    after: string,
  ): { removed: number; orphans: string[] } {
    const now = clock()
    const found = db.all<Copy>(
      `${SELECT_COPY} WHERE e.address = ? AND e.id > ? AND e.expires_at > ?`,
      address,
      after,
      now,
    )
    const last = found.filter((copy) => removeCopy(db, copy, now))
    if (found.length > 0) publish({ type: 'inbox-cleared', domain: domainPart(address), address })
    return { removed: found.length, orphans: last.map(({ messageId }) => messageId) }
  },

  purgeEmails(
    { db, clock }: Transaction,
    domain: string,
    upTo: string,
    limit: number,
  ): { removed: number; orphans: string[] } {
    const now = clock()
    const found = db.all<Copy>(
      `${SELECT_COPY} WHERE e.domain = ? AND e.id <= ? AND e.expires_at > 0 ORDER BY e.id LIMIT ?`,
      domain,
      upTo,
      limit,
    )
    const last = found.filter((copy) => removeCopy(db, copy, now))
    return { removed: found.length, orphans: last.map(({ messageId }) => messageId) }
  },

  /** Marks copies as read, or as unread, which is not published: no client follows it. */
  setRead({ db, publish }: Transaction, copies: Key[], read: boolean): void {
    for (const { address, id } of copies) {
      const { changes } = db.run(
        'UPDATE emails SET read = ? WHERE address = ? AND id = ? AND read <> ?',
        Number(read),
        address,
        id,
        Number(read),
      )
      if (changes === 0) continue
      markInIndex(db, messageOf(db, address, id), read)
      if (read) publish({ type: 'email-read', domain: domainPart(address), address, id })
    }
  },

  /** Removes copies, and the parts of messages that have none any more. Returns how many there were. */
  removeEmails(transaction: Transaction, copies: Key[]): number {
    const { db, clock } = transaction
    const found = copies.flatMap(({ address, id }) =>
      db.all<Copy>(
        `${SELECT_COPY} WHERE e.address = ? AND e.id = ? AND e.expires_at > ?`,
        address,
        id,
        clock(),
      ),
    )
    removeWhole(transaction, found)
    return found.length
  },

  /** Removes the oldest emails with ids up to `upTo`. Returns how many there were. */
  removeOldestEmails(transaction: Transaction, upTo: string, limit: number): number {
    const { db, clock } = transaction
    const found = db.all<Copy>(
      `${SELECT_COPY} WHERE e.id <= ? AND e.expires_at > ? AND ${VISIBLE} ORDER BY e.id LIMIT ?`,
      upTo,
      clock(),
      limit,
    )
    removeWhole(transaction, found)
    return found.length
  },

  /** Writes, so that it fails if writing fails. */
  checkWriting({ db, clock, isFull }: Transaction): void {
    if (isFull()) throw storeFull()
    db.run("INSERT OR REPLACE INTO meta (name, value) VALUES ('checked_at', ?)", clock())
  },
} satisfies CommandSet

/** Removes copies with the parts of their messages, and publishes each. */
function removeWhole({ db, clock, publish }: Transaction, copies: Copy[]): void {
  const now = clock()
  for (const copy of copies) {
    const { address, id, message } = copy
    if (removeCopy(db, copy, now)) removeParts(db, message)
    publish({ type: 'email-deleted', domain: domainPart(address), address, id })
  }
}

function messageOf(db: Database, address: string, id: string): number {
  return db.get<{ message: number }>('SELECT message FROM emails WHERE address = ? AND id = ?', address, id)!
    .message
}

/** A copy to remove. */
interface Copy extends Key {
  message: number
  messageId: string
}

const SELECT_COPY = `
  SELECT e.address, e.id, e.message, CAST(e.message AS TEXT) AS messageId FROM emails e`

/**
 * Removes one copy, and with the last one the text of the message. Returns whether it was the last
 * one.
 */
function removeCopy(db: Database, { id, message }: Copy, now: number): boolean {
  removeKeepingEntry(db, id)
  if (hasCopies(db, message, now)) return false
  removeEntry(db, message)
  removeFindings(db, message)
  db.run("UPDATE messages SET sender = '', subject = '', summary = NULL WHERE id = ?", message)
  return true
}
