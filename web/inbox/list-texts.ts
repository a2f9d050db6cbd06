import { plural } from '../lib/format.ts'
import type { InboxStore } from './inbox-store.ts'
import { parseQuery } from './query.ts'

/** How many emails are listed. `+` means that the service has more than the page has loaded. */
export function countText({ shown, more, unread, search, nextCursor }: InboxStore): string {
  const count = `${shown.length}${more ? '+' : ''} ${shown.length === 1 && !more ? 'email' : 'emails'}`
  if (search.problem !== undefined) return 'The search failed'
  if (search.emails !== undefined) return search.isBusy ? 'Searching…' : `${count} found`
  const plus = nextCursor === null ? '' : '+'
  return unread > 0 ? `${count}, ${unread}${plus} unread` : count
}

/** Which emails the button deletes. */
export function deleteText(isSelection: boolean, isSearch: boolean, count: number): string {
  if (isSelection) return 'Delete selected'
  return isSearch ? `Delete the ${plural(count, 'email')} found` : 'Delete all'
}

/** Why a list is empty. */
export function emptyText({ emails, isBusy, text }: InboxStore['search']): string {
  if (emails === undefined) return 'No emails.'
  if (isBusy) return 'Searching the whole inbox…'
  const { hint } = parseQuery(text)
  return `No email matches “${text.trim()}”.${hint === undefined ? '' : ` ${hint}`}`
}
