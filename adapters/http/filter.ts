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
  // Times before 1970 and beyond the 48 bits of a ULID have no id, and no email has such a time.
  if (Number.isNaN(time)) throw new Problem('invalid_query', '"since" is not a time of the calendar.')
  return lastUlidOf(Math.min(Math.max(time, 0), 2 ** 48 - 1))
}
