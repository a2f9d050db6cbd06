import type { Email } from '../../core/inbox/email.ts'
import { fold } from '../../core/inbox/filter.ts'
import type { NewMessage } from '../../core/inbox/ports.ts'
import type { Database } from './database.ts'

/**
 * The newest copy of each message stands for it where all mail is listed, counted and searched: only
 * its row in the table emails has an entry. A table of its own would cost each commit another page.
 */
export interface IndexEntry {
  /** Folded, one in a line. */
  addresses: string
  /** Folded. */
  subject: string
  /** Whether a copy was read, as 0 or 1. */
  read: number
}

/** The copies `n` of a message `m`, */
const COPIES_OF = 'json_each(m.copies) c CROSS JOIN emails n ON n.id = c.value ->> 1'
/** and the one of them that has the entry. */
export const NEWEST = `${COPIES_OF} AND n.addresses IS NOT NULL`
/**
 * The addresses in the entry of the message `m` of an email `e`: mostly it has the entry itself, or the last copy has it.
 * A message has up to a hundred copies, so they are not looked through for each of them.
 */
export const ADDRESSES = `coalesce(e.addresses,
  (SELECT addresses FROM emails WHERE id = m.copies ->> '$[#-1][1]'), (SELECT n.addresses FROM ${NEWEST}))`
const ENTRY = `SELECT n.id FROM messages m CROSS JOIN ${NEWEST} WHERE m.id = ?`

/** Returns the entry of a message for its newest copy, with what an entry for earlier copies has. */
export function entryOf(
  { summary, mentioned = [] }: NewMessage,
  copies: Email[],
  before?: IndexEntry,
): IndexEntry {
  const lines = new Set(before?.addresses.split('\n'))
  for (const { address } of copies) lines.add(address)
  for (const people of [[summary.from], summary.to, summary.cc, mentioned]) {
    for (const { name, address } of people) {
      if (name !== null) lines.add(name)
      if (address !== null) lines.add(address)
    }
  }
  return {
    addresses: fold([...lines].join('\n')),
    subject: fold(summary.subject),
    read: before?.read ?? 0,
  }
}

/** For a command: takes the entry of a message from the copy that has it; undefined if none has. */
export function takeEntry(db: Database, message: number): IndexEntry | undefined {
  const entry = db.get<IndexEntry>(
    `SELECT addresses, subject, message_read AS read FROM emails WHERE id = (${ENTRY})`,
    message,
  )
  if (entry !== undefined) {
    db.run(
      `UPDATE emails SET addresses = NULL, subject = NULL, message_read = NULL WHERE id = (${ENTRY})`,
      message,
    )
  }
  return entry
}

/** For a command: gives the entry of a message to its newest copy. Returns false if it has no copy any more. */
export function passOnEntry(
  db: Database,
  message: number,
  { addresses, subject, read }: IndexEntry,
  now: number,
): boolean {
  const { changes } = db.run(
    `UPDATE emails SET addresses = ?, subject = ?, message_read = ? WHERE id =
       (SELECT max(n.id) FROM messages m CROSS JOIN ${COPIES_OF} WHERE m.id = ? AND n.expires_at > ?)`,
    addresses,
    subject,
    read,
    message,
    now,
  )
  return changes > 0
}

/** For a command: marks a message as read or unread. */
export function markInIndex(db: Database, message: number, read: boolean): void {
  db.run(`UPDATE emails SET message_read = ? WHERE id = (${ENTRY})`, Number(read), message)
}
