import { Problem } from '../../core/errors.ts'
import { type EmailFilter, filterOf } from '../../core/inbox/filter.ts'
import { isUlid, lastUlidOf } from '../../core/ulid.ts'

interface FilterQuery extends EmailFilter {
  since?: string
}

/**
 * Returns the filter of a query, and the id after which emails are wanted.
 * @throws Problem `invalid_query`
 */
export function readFilter({ since, ...query }: FilterQuery): {
  filter: EmailFilter
  after: string | undefined
} {
  return { filter: filterOf(query), after: since === undefined ? undefined : idOf(since) }
}

function idOf(since: string): string {
  if (isUlid(since)) return since
  const time = Date.parse(since)
  // Date.parse takes February 30 for March 2.
  const day = since.slice(0, 10)
  if (Number.isNaN(time) || !new Date(day).toISOString().startsWith(day))
    throw new Problem('invalid_query', '"since" is not a time of the calendar.')
  // Times before 1970 and beyond the 48 bits of a ULID have no id, and no email has such a time.
  return lastUlidOf(Math.min(Math.max(time, 0), 2 ** 48 - 1))
}
