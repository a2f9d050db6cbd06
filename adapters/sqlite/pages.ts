import type { Clock } from '../../core/clock.ts'
import type { Email } from '../../core/inbox/email.ts'
import {
  type EmailFilter,
  fold,
  type Has,
  matches,
  recipientSpellings,
  type StoredField,
  storedPart,
  unstoredPart,
} from '../../core/inbox/filter.ts'
import type { Page, PageRequest, ReplayBatch } from '../../core/inbox/ports.ts'
import { PAGE_READ_BYTES, REPLAY_BATCH, REPLAY_BATCH_BYTES } from '../../core/limits.ts'
import type { Database } from './database.ts'
import { isUnsearched, type Search, type SearchedEmails, searched } from './findings.ts'
import { BY_ID, HAS_BITS, type Key, type Row, SELECT, UNSEARCHED } from './message-rows.ts'

/** Emails that one filtered page examines, so that no request delays the others. */
const PAGE_SCAN = 2000

/** Less and greater than every ULID. */
export const LOWEST = ''
export const HIGHEST = '~'

/** A condition of a query, with the values of its places. */
export interface Condition {
  sql: string
  values: (string | number)[]
}

/**
 * Returns a page of the emails `e` within a condition that an index answers, newest first. It counts only if no
 * message of `made` is missing.
 * @param selecting a condition for which rows are examined, as for a filter
 */
export function readPage(
  db: Database,
  made: SearchedEmails,
  now: number,
  within: Condition,
  request: PageRequest,
  selecting: Condition = { sql: '', values: [] },
): Page {
  return db.snapshot(() => {
    const { limit, after = LOWEST, filter = {} } = request
    const before = lower(request.before ?? HIGHEST, made.end.id)
    const wanted = both(conditions(filter), selecting)
    const scanned = wanted.sql === '' ? undefined : scanEnd(db, within, after, before)
    const unstored = unstoredPart(filter)
    const search = unstored && new TextSearch(unstored, made)
    const emails: Email[] = []
    let bytes = 0
    let last: string | undefined
    for (const row of db.iterate<Row>(
      `${SELECT} WHERE ${within.sql} AND e.id > ? AND e.id < ? AND e.expires_at > ?${wanted.sql} ORDER BY e.id DESC`,
      ...within.values,
      scanned?.below ?? after,
      before,
      now,
      ...wanted.values,
    )) {
      if (emails.length === limit || bytes >= PAGE_READ_BYTES || made.isDue)
        return { emails, next: last, bytes }
      made.end.id ??= `${row.id}${HIGHEST}`
      bytes += made.bytes(row)
      last = row.id
      const found = search === undefined ? made.email(row) : search.find(row)
      // No column says yet what such a message has.
      const isWanted = found !== undefined && (!isUnsearched(row) || matches(found, { has: filter.has }))
      if (isWanted) emails.push(found)
    }
    return { emails, next: scanned?.last, bytes }
  })
}

/**
 * Where a filtered page ends: the last id that it examines, and the next lower one if it exists.
 */
function scanEnd(
  db: Database,
  { sql, values }: Condition,
  after: string,
  before: string,
): { last: string; below: string } | undefined {
  const [last, below] = db.all<{ id: string }>(
    `SELECT id FROM emails e WHERE ${sql} AND id > ? AND id < ? ORDER BY id DESC LIMIT 2 OFFSET ?`,
    ...values,
    after,
    before,
    PAGE_SCAN - 1,
  )
  return below && { last: last!.id, below: below.id }
}

/**
 * Yields the newest `limit` emails, oldest first, in batches that are read when they are requested.
 * @param newest reads the keys of `limit + 1` emails, newest first
 */
export async function* replayOf(
  db: Database,
  search: Search,
  clock: Clock,
  newest: () => Key[],
  limit: number,
): AsyncIterable<ReplayBatch> {
  const keys = newest()
  const wanted = keys.slice(0, limit).reverse()
  let missed = keys.length > limit ? { missedBefore: wanted[0]!.id } : {}
  for (let next = 0; next < wanted.length; ) {
    const first = next
    const emails = await searched(search, (made) => {
      const batch: Email[] = []
      next = first
      for (let bytes = 0; next < wanted.length && batch.length < REPLAY_BATCH; next++) {
        const { address, id } = wanted[next]!
        const found = db.get<Row>(BY_ID, address, id, clock())
        if (found === undefined) continue
        bytes += made.bytes(found)
        if (batch.length > 0 && bytes > REPLAY_BATCH_BYTES) break
        batch.push(made.email(found))
      }
      return batch
    })
    if (emails.length === 0) return
    yield { ...missed, emails }
    missed = {}
  }
}

/** Reads the emails of rows for the part of a filter that no column answers. */
class TextSearch {
  readonly #filter: EmailFilter
  readonly #made: SearchedEmails
  /** Words that the row of a matching email contains, as JSON encodes them: most rows need no parsing. */
  readonly #words: string[]

  constructor(filter: EmailFilter, made: SearchedEmails) {
    this.#filter = filter
    this.#made = made
    // Of a recipient with several spellings, a row need not contain the one in the filter.
    const { to = '', ...others } = filter
    const required = recipientSpellings(to).length === 1 ? filter : others
    const words = Object.values(required).flatMap((value) => fold(value).split(' '))
    this.#words = words.map((word) => JSON.stringify(word).slice(1, -1))
  }

  /** Returns the email of the row if it matches. */
  find(row: Row): Email | undefined {
    // Only `q` compares codes.
    const findings = this.#filter.q === undefined ? '' : this.#made.json(row)
    const text = fold(row.summary + findings + JSON.stringify(row.address))
    if (!this.#words.every((word) => text.includes(word))) return undefined
    const found = this.#made.email(row)
    return matches(found, this.#filter) ? found : undefined
  }
}

/** Uses `instr` instead of LIKE, because filters have no wildcards and both sides are folded. */
const CONDITIONS: Record<StoredField, string> = {
  sender: ' AND instr(m.sender, ?) > 0',
  subject: ' AND instr(m.subject, ?) > 0',
  has: ' AND (m.has | ifnull(f.has, 0)) & ? <> 0',
}
/** Matches too if it is not known yet. */
const MAY_HAVE = ` AND ((m.has | ifnull(f.has, 0)) & ? <> 0 OR m.has & ${UNSEARCHED} <> 0 AND f.message IS NULL)`

function conditionOf(field: StoredField, value: string): string {
  return field === 'has' && value !== 'attachment' ? MAY_HAVE : CONDITIONS[field]
}

/** The lower one of two ids. */
export function lower(before: string, end = before): string {
  return end < before ? end : before
}

function both(a: Condition, b: Condition): Condition {
  return { sql: a.sql + b.sql, values: [...a.values, ...b.values] }
}

/** The part of the filter that columns answer, as SQL. */
function conditions(filter: EmailFilter): Condition {
  const parts = storedPart(filter)
  return {
    sql: parts.map(({ field, value }) => conditionOf(field, value)).join(''),
    values: parts.map(({ field, value }) => (field === 'has' ? HAS_BITS[value as Has] : value)),
  }
}
