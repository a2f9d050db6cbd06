import type { Email } from '../../core/inbox/email.ts'
import { fold } from '../../core/inbox/filter.ts'
import type { NewMessage } from '../../core/inbox/ports.ts'
import type { Database } from './database.ts'

/**
 * The table message_index: a row for each message that has copies, which counts and searches over
 * all mail read. It is small: 100,000 rows are read in some 20 ms.
 */

/** For a command: adds the message, or more recipients of it. */
export function putIndex(db: Database, message: number, mail: NewMessage, copies: Email[]): void {
  db.run(
    `INSERT INTO message_index (message, expires_at, addresses, subject) VALUES (?, ?, ?, ?)
     ON CONFLICT (message) DO UPDATE SET
       expires_at = max(expires_at, excluded.expires_at), addresses = addresses || char(10) || excluded.addresses`,
    message,
    copies.at(-1)!.expiresAt,
    addressesOf(mail, copies),
    fold(mail.summary.subject),
  )
}

/** For a command: removes a message that has no copy any more. */
export function removeFromIndex(db: Database, message: number): void {
  db.run('DELETE FROM message_index WHERE message = ?', message)
}

/** For a command: marks messages as read or unread. */
export function markInIndex(db: Database, message: number, read: boolean): void {
  db.run('UPDATE message_index SET read = ? WHERE message = ?', read ? 1 : 0, message)
}

function addressesOf({ summary, mentioned = [] }: NewMessage, copies: Email[]): string {
  const people = [summary.from, ...summary.to, ...summary.cc, ...mentioned]
  const lines = [
    ...copies.map(({ address }) => address),
    ...people.flatMap(({ name, address }) => [name ?? '', address ?? '']),
  ]
  return fold([...new Set(lines)].join('\n'))
}
