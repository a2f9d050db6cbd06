import type { Email } from '../lib/api.ts'

/** Emails by id, newest first: ids of one address sort by arrival. */
export function newestFirst(emails: Email[]): Email[] {
  return [...new Map(emails.map((email) => [email.id, email])).values()].sort((a, b) =>
    a.id < b.id ? 1 : -1,
  )
}

/**
 * What is known after the newest page of the list came. The page is the truth for the time that it covers, so
 * that what was deleted elsewhere goes; what arrived by the stream while it was fetched stays, and so do older
 * emails that it does not reach.
 *
 * @param before the ids that were known when the page was asked for
 */
export function mergePage(
  known: Email[],
  before: ReadonlySet<string>,
  page: { emails: Email[]; next_cursor: string | null },
): Email[] {
  const oldest = page.emails.at(-1)?.id
  const kept = known.filter(
    ({ id }) => !before.has(id) || (page.next_cursor !== null && oldest !== undefined && id < oldest),
  )
  return newestFirst([...kept, ...page.emails])
}
