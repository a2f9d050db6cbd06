import type { Clock } from '../../core/clock.ts'
import { type EmailFilter, matches, storedPart, unstoredPart } from '../../core/inbox/filter.ts'
import type { Page, PageRequest } from '../../core/inbox/ports.ts'
import { PAGE_READ_BYTES } from '../../core/limits.ts'
import { type Item, n, s, text } from './attributes.ts'
import { emailFrom, emailKey, hasText, partitionOf } from './email-item.ts'
import type { Table } from './table.ts'

/**
 * The most emails that a page with a filter evaluates in all, so that no request takes seconds, and
 * in one query.
 */
const PAGE_SCAN = 1000
const QUERY_MAX = 400

interface Newest {
  items: Item[]
  /** The id of the last email that was evaluated, if more may match. */
  stopped: string | undefined
  bytes: number
}

/** Returns a page of the emails of an address, newest first. */
export async function readPage(
  mail: Table,
  clock: Clock,
  address: string,
  request: PageRequest,
): Promise<Page> {
  const { limit } = request
  const { items, stopped, bytes } = await newest(mail, clock, address, { ...request, limit: limit + 1 })
  const emails = items.slice(0, limit).map(emailFrom)
  return { emails, next: items.length > limit ? emails.at(-1)!.id : stopped, bytes }
}

/**
 * Returns the newest emails of an address that match the filter. Returns fewer than `limit` if no
 * more match, or if PAGE_SCAN emails were evaluated or PAGE_READ_BYTES were read.
 */
async function newest(
  mail: Table,
  clock: Clock,
  address: string,
  { limit: count, before, after = '', filter = {} }: PageRequest,
): Promise<Newest> {
  const items: Item[] = []
  // DynamoDB rejects a query whose start is outside of its range.
  if (before !== undefined && before <= after) return { items, stopped: undefined, bytes: 0 }
  const wanted = conditions(filter)
  const unstored = unstoredPart(filter)
  let start = before === undefined ? undefined : emailKey(address, before)
  let scanned = 0
  let bytes = 0
  for (let limit = Math.min(count, QUERY_MAX); ; limit = Math.min(limit * 4, QUERY_MAX)) {
    const page = await mail.query({
      key: after === '' ? '#pk = :pk' : '#pk = :pk AND #sk > :after',
      filter: `#expires_at > :now${wanted.expression}`,
      values: {
        ':pk': s(partitionOf(address)),
        ':now': n(clock()),
        ...(after === '' ? {} : { ':after': s(after) }),
        ...wanted.values,
      },
      limit,
      newestFirst: true,
      start,
    })
    // The text is compressed: reading it costs the same, and storing it half.
    const found =
      unstored === undefined ? page.items : page.items.filter((item) => matches(emailFrom(item), unstored))
    items.push(...found)
    scanned += limit
    bytes += page.items.reduce((sum, item) => sum + sizeOf(item), 0)
    start = page.last
    if (start === undefined || items.length >= count) return { items, stopped: undefined, bytes }
    if (scanned >= PAGE_SCAN || bytes >= PAGE_READ_BYTES) return { items, stopped: text(start, 'sk'), bytes }
  }
}

/** Returns the approximate size of an item in bytes. */
function sizeOf(item: Item): number {
  return Object.values(item).reduce((sum, { S = '', B }) => sum + S.length + (B?.length ?? 0), 0)
}

/**
 * Returns the part of the filter that attributes answer, as a part of DynamoDB's filter expression.
 */
function conditions(filter: EmailFilter): { expression: string; values: Item } {
  // DynamoDB rejects an empty value, which matches every email.
  const parts = storedPart(filter).filter(({ value }) => value !== '')
  return {
    expression: parts.map(({ field }) => ` AND contains(#${field}, :${field})`).join(''),
    values: Object.fromEntries(
      parts.map(({ field, value }) => [
        `:${field}`,
        s(field === 'has' ? hasText(value) : value.toWellFormed()),
      ]),
    ),
  }
}
