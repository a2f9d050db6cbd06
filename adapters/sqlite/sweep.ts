import { DAY_MS } from '../../core/limits.ts'
import { removeParts } from './blobs.ts'
import type { Database } from './database.ts'
import { expiredMessages } from './expiry.ts'
import { removeFindings } from './late-search.ts'
import type { CommandSet, Committed, Transaction } from './transaction.ts'
import { removeExpiredWebhooks } from './webhooks.ts'

/** How much one step removes at most, so that incoming mail waits for milliseconds only. */
const BATCH_ROWS = 200
const BATCH_BYTES = 8 * 1024 * 1024

/** An expired key is reported as expired for this long, and then as unknown. */
const EXPIRED_KEY_MS = 7 * DAY_MS

/** Messages that are kept as abandoned. */
const ABANDONED_MAX = 10_000

/** The numbers of removed rows. */
export interface Swept {
  /** Messages whose last copy has expired, or whose emails were never stored. */
  messages: number
  keys: number
  uses: number
  webhooks: number
}

export type SweepCommands = Committed<typeof sweepCommands>

/** Removes everything that has expired, in batches between other writes. */
export async function sweep(commands: SweepCommands): Promise<Swept> {
  const swept: Swept = { messages: 0, keys: 0, uses: 0, webhooks: 0 }
  for (let more = true; more; ) {
    const batch = await commands.sweepBatch()
    swept.messages += batch.messages
    swept.keys += batch.keys
    swept.uses += batch.uses
    swept.webhooks += batch.webhooks
    more = Object.values(batch).some((count) => count > 0)
  }
  return swept
}

/** Commands of a sweep. */
export const sweepCommands = {
  sweepBatch({ db, clock, abandoned }: Transaction): Swept {
    const now = clock()
    return {
      messages: removeExpiredMessages(db, now, abandoned),
      keys: db.run(
        `DELETE FROM api_keys WHERE hash IN
           (SELECT hash FROM api_keys WHERE expires_at <= ? LIMIT ${BATCH_ROWS})`,
        now - EXPIRED_KEY_MS,
      ).changes,
      uses: db.run(
        `DELETE FROM uses WHERE rowid IN (SELECT rowid FROM uses WHERE expires_at <= ? LIMIT ${BATCH_ROWS})`,
        now,
      ).changes,
      webhooks: removeExpiredWebhooks(db, now, BATCH_ROWS),
    }
  },
} satisfies CommandSet

/** Removes some of the expired messages. Returns how many. */
function removeExpiredMessages(db: Database, now: number, abandoned: Set<string>): number {
  const expired = expiredMessages(db, now, BATCH_ROWS)
  let count = 0
  let bytes = 0
  for (const { id, stored, size } of expired) {
    // The first one is always removed, whatever its size.
    if (count > 0 && bytes + size > BATCH_BYTES) break
    count++
    bytes += size
    removeParts(db, id)
    db.run(
      'DELETE FROM emails WHERE id IN (SELECT value ->> 1 FROM messages, json_each(copies) WHERE messages.id = ?)',
      id,
    )
    removeFindings(db, id)
    db.run('DELETE FROM messages WHERE id = ?', id)
    // If its emails were stored later, they would have no parts.
    if (!stored) abandon(abandoned, String(id))
  }
  return count
}

/** A writer stores its message within minutes, so the oldest entries are dropped. */
function abandon(abandoned: Set<string>, messageId: string): void {
  abandoned.add(messageId)
  const [oldest = messageId] = abandoned
  if (abandoned.size > ABANDONED_MAX) abandoned.delete(oldest)
}
