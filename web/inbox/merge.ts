import type { Email } from '../lib/api.ts'

/** Emails without duplicates, newest first: the ids of one address grow with the time of arrival. */
export function newestFirst(emails: Email[]): Email[] {
  return [...new Map(emails.map((email) => [email.id, email])).values()].sort((a, b) =>
    a.id < b.id ? 1 : -1,
  )
}

/** A list, newest first, with an email that has arrived; the list itself if it contains that email already. */
export function withArrival(emails: Email[], email: Email): Email[] {
  const at = emails.findIndex(({ id }) => id <= email.id)
  if (emails[at]?.id === email.id) return emails
  return at === -1 ? [...emails, email] : [...emails.slice(0, at), email, ...emails.slice(at)]
}

/**
 * The list after its newest page was read. The page decides about the time that it covers, so emails that were
 * deleted elsewhere disappear. Emails that arrived by the stream in the meantime stay, and so do older ones that
 * the page does not reach.
 *
 * @param before the ids that were known when the page was requested
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
