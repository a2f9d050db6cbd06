import { CATCH_ALL } from '../../core/access/catch-all.ts'
import { type Email, emailOf } from '../../core/inbox/email.ts'
import type { Has } from '../../core/inbox/filter.ts'
import type { StoredEmail } from '../../core/inbox/ports.ts'
import { ulidTime } from '../../core/ulid.ts'
import type { EmailSummary } from '../../reading/message.ts'
import type { Database } from './database.ts'

/** Bits of `messages.has`. */
export const HAS_BITS: Record<Has, number> = { code: 1, link: 2, attachment: 4, action_link: 8 }

/** Identifies an email. */
export interface Key {
  address: string
  id: string
}

/** A row of the selections below. */
export interface Row extends Key {
  expiresAt: number
  read: number
  /** JSON of an EmailSummary. */
  summary: string
  messageId: string
}

// CROSS JOIN keeps the order of the tables, because the sort order comes from the index on emails.
export const SELECT = `
  SELECT e.id, e.address, e.expires_at AS expiresAt, e.read, m.summary, m.message_id AS messageId
  FROM emails e CROSS JOIN messages m ON m.id = e.message`
export const BY_ID = `${SELECT} WHERE e.address = ? AND e.id = ? AND e.expires_at > ?`

export function email(row: Row): Email {
  const retentionMs = row.expiresAt - ulidTime(row.id)
  return {
    ...emailOf(JSON.parse(row.summary) as EmailSummary, row.address, row.id, retentionMs),
    read: row.read === 1,
  }
}

export function storedEmail(row: Row | undefined): StoredEmail | undefined {
  return row && { email: email(row), messageId: row.messageId }
}

/** The copies of a message that still exist. */
export const COPIES = `
  SELECT e.id, e.address, e.expires_at AS expiresAt, e.read, m.summary, m.message_id AS messageId FROM messages m
  CROSS JOIN json_each(m.copies) c CROSS JOIN emails e ON e.address = c.value ->> 0 AND e.id = c.value ->> 1
  WHERE m.id = ? AND e.expires_at > ?`

/**
 * Whether an email `e` is newer than the registration of its domain; an unregistered domain has the
 * catch-all registration, if there is one.
 */
export const VISIBLE = `e.id > coalesce(
  (SELECT visible_after FROM domains WHERE name = e.domain),
  (SELECT visible_after FROM domains WHERE name = '${CATCH_ALL}'), '~')`

/** Whether a copy of the message still exists. */
export function hasCopies(db: Database, message: number, now: number): boolean {
  return db.get(`${COPIES} LIMIT 1`, message, now) !== undefined
}
