import { CATCH_ALL } from '../../core/access/catch-all.ts'
import type { Has } from '../../core/inbox/filter.ts'
import type { Database } from './database.ts'

/** Bits of `messages.has` and `findings.has`. */
export const HAS_BITS: Record<Has, number> = { code: 1, link: 2, attachment: 4, action_link: 8 }
/** In `messages.has`: what the message has besides attachments is in the table findings, when it was searched. */
export const UNSEARCHED = 16
/** In `messages.has` of such a message: its text is made of its HTML. */
export const TEXT_OF_HTML = 32

/**
 * The row of a message: its id as a number (Writer.newMessageId).
 * @throws Error for another id
 */
export function rowOf(messageId: string): number {
  const row = Number(messageId)
  if (Number.isSafeInteger(row) && row > 0) return row
  throw new Error(`The id of a message is a whole number in this store, not ${messageId}`)
}

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
  has: number
  /** JSON of Findings; null if they are in the summary, or the message was not searched yet. */
  findings: string | null
}

const COLUMNS = `e.id, e.address, e.expires_at AS expiresAt, e.read, m.summary, CAST(m.id AS TEXT) AS messageId, m.has, f.findings`

// CROSS JOIN keeps the order of the tables, because the sort order comes from the index on emails.
export const SELECT = `
  SELECT ${COLUMNS} FROM emails e CROSS JOIN messages m ON m.id = e.message
  LEFT JOIN findings f ON f.message = m.id`
export const BY_ID = `${SELECT} WHERE e.address = ? AND e.id = ? AND e.expires_at > ?`

/** The copies of a message that still exist. */
export const COPIES = `
  SELECT ${COLUMNS} FROM messages m LEFT JOIN findings f ON f.message = m.id
  CROSS JOIN json_each(m.copies) c CROSS JOIN emails e ON e.id = c.value ->> 1
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
