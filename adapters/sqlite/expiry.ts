import type { Database } from './database.ts'

/**
 * Expired messages without an index: messages that are kept equally long expire in the order of
 * their ids. The table retentions has the first message of each series of them, which is a single
 * row unless the configuration changes.
 */

/** A message to remove. */
export interface ExpiredMessage {
  id: number
  stored: number
  /** Bytes of its parts. */
  size: number
}

const SIZE = `coalesce(length(raw), 0) + coalesce(length(body), 0) +
  (SELECT coalesce(sum(size), 0) FROM parts WHERE message = messages.id) AS size`
const UNSTORED = `
  SELECT id, stored, ${SIZE} FROM messages
  WHERE stored = 0 AND expires_at <= ? ORDER BY expires_at LIMIT ?`
// A message whose upload took long expires after its neighbours, so the next ones are examined too.
const STORED = `
  SELECT id, stored, ${SIZE} FROM messages WHERE id IN
    (SELECT id FROM messages WHERE id BETWEEN ? AND ? AND stored = 1 ORDER BY id LIMIT ?)
  AND expires_at <= ? ORDER BY id`

/** For a command: returns some of the messages that have expired, and forgets series without any. */
export function expiredMessages(db: Database, now: number, limit: number): ExpiredMessage[] {
  const expired = db.all<ExpiredMessage>(UNSTORED, now, limit)
  const series = db.all<{ first: number }>('SELECT message AS first FROM retentions ORDER BY message')
  for (const [n, { first }] of series.entries()) {
    if (expired.length >= limit) break
    const next = series[n + 1]?.first
    const last = next === undefined ? Number.MAX_SAFE_INTEGER : next - 1
    expired.push(...db.all<ExpiredMessage>(STORED, first, last, limit, now))
    if (next !== undefined && !hasMessages(db, first, last)) {
      db.run('DELETE FROM retentions WHERE message = ?', first)
    }
  }
  return expired
}

function hasMessages(db: Database, first: number, last: number): boolean {
  return db.get('SELECT 1 FROM messages WHERE id BETWEEN ? AND ? LIMIT 1', first, last) !== undefined
}
