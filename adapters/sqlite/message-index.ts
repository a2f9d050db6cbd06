import type { Email } from '../../core/inbox/email.ts'
import { fold } from '../../core/inbox/filter.ts'
import type { NewMessage } from '../../core/inbox/ports.ts'
import type { Database } from './database.ts'

/**
 * The newest copy that a message ever had stands for it where all mail is listed, counted and searched: only its row in
 * the table emails has an entry, and stays as long as the message has a copy. A table of its own would cost each commit
 * another page. The row of a copy that was removed has a negative `expires_at`, so it is no email any more.
 */
export interface IndexEntry {
  /** Folded, one in a line. */
  addresses: string
  /** Folded. */
  subject: string
  /** Whether a copy was read, as 0 or 1. */
  read: number
}

/** The id of the copy that has the entry of a message `m`. */
export const NEWEST = "m.copies ->> '$[#-1][1]'"
/** The addresses in the entry of the message `m` of an email `e`. */
export const ADDRESSES = `coalesce(e.addresses, (SELECT addresses FROM emails WHERE id = ${NEWEST}))`
/** Of an email that has an entry: whether its message has not expired. */
export const IS_CURRENT = 'abs(expires_at) > ?'

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

/** For a command: takes the entry of a message from the copy that has it. */
export function takeEntry(db: Database, id: string): IndexEntry | undefined {
  const entry = db.get<IndexEntry>(
    'SELECT addresses, subject, message_read AS read FROM emails WHERE id = ?',
    id,
  )
  db.run('UPDATE emails SET addresses = NULL, subject = NULL, message_read = NULL WHERE id = ?', id)
  db.run('DELETE FROM emails WHERE id = ? AND expires_at < 0', id)
  return entry
}

/** For a command: removes a copy, but for its entry. */
export function removeKeepingEntry(db: Database, id: string): void {
  db.run('DELETE FROM emails WHERE id = ? AND addresses IS NULL', id)
  db.run('UPDATE emails SET expires_at = -expires_at WHERE id = ?', id)
}

/** For a command: removes the entry of a message that has no copy any more. */
export function removeEntry(db: Database, message: number): void {
  db.run(`DELETE FROM emails WHERE id = (SELECT ${NEWEST} FROM messages m WHERE m.id = ?)`, message)
}

/** For a command: marks a message as read or unread. */
export function markInIndex(db: Database, message: number, read: boolean): void {
  db.run(
    `UPDATE emails SET message_read = ? WHERE id = (SELECT ${NEWEST} FROM messages m WHERE m.id = ?)`,
    Number(read),
    message,
  )
}
