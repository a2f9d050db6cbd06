import { type Email, emailOf, type StoredContent } from '../../core/inbox/email.ts'
import type { StoredEmail } from '../../core/inbox/ports.ts'
import { ulidTime } from '../../core/ulid.ts'

/** Bits of `messages.has`. */
export const HAS = { code: 1, link: 2, attachment: 4, action_link: 8 } as const

/** Which email. */
export interface Key {
  address: string
  id: string
}

/** An email, as the selections here give it. */
export interface Row extends Key {
  expires_at: number
  read: number
  content: string
  delivery: string
}

// CROSS JOIN keeps SQLite from turning the join around: the order comes from the index on emails.
export const SELECT = `
  SELECT e.id, e.address, e.expires_at, e.read, m.content, m.delivery
  FROM emails e CROSS JOIN messages m ON m.id = e.message`
export const BY_ID = `${SELECT} WHERE e.address = ? AND e.id = ? AND e.expires_at > ?`

export function email(row: Row): Email {
  const content = JSON.parse(row.content) as StoredContent
  const retentionMs = row.expires_at - ulidTime(row.id)
  return { ...emailOf(content, row.address, row.id, retentionMs), read: row.read === 1 }
}

export function storedEmail(row: Row | undefined): StoredEmail | undefined {
  return row && { email: email(row), delivery: row.delivery }
}
