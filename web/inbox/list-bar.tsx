import { useState } from 'preact/hooks'
import { plural } from '../lib/format.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { announce } from '../ui/announcer.ts'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import type { InboxStore } from './inbox-store.ts'

/** More deletions than these one by one would use up the key's requests of a minute. */
const ONE_BY_ONE_MAX = 50

interface Props {
  store: InboxStore
  chosen: string[]
  onChoose: (ids: string[]) => void
  onRemove: (ids: string[], all: boolean) => void
}

/** Search, how many mails there are, and what can be done with all or some of them. */
export function ListBar({ store, chosen, onChoose, onRemove }: Props) {
  const { shown, search, more } = store
  const [problem, setProblem] = useState<ApiProblem>()
  const [busy, setBusy] = useState(false)
  const some = chosen.length > 0
  const ids = some ? chosen : shown.map(({ id }) => id)
  // Everything, also what is not listed: only where that is what was asked for.
  const whole = !some && search.emails === undefined && (more || shown.length > ONE_BY_ONE_MAX)

  const markRead = async () => {
    setBusy(true)
    setProblem(undefined)
    const unread = shown.filter((email) => ids.includes(email.id) && store.isUnread(email))
    try {
      const count = await store.markRead(unread.map(({ id }) => id))
      announce(`${plural(count, 'mail')} marked as read`)
      onChoose([])
    } catch (error) {
      setProblem(error as ApiProblem)
    }
    setBusy(false)
  }
  return (
    <div class="list-bar">
      <div class="search">
        <Icon name="search" />
        <input
          type="search"
          aria-label="Search this inbox"
          placeholder="Search this inbox"
          value={search.text}
          onInput={(event) => search.type(event.currentTarget.value)}
        />
      </div>
      <div class="list-head">
        <label class="choose-all">
          <input
            type="checkbox"
            aria-label="Select all listed mails"
            checked={some && chosen.length === shown.length}
            disabled={shown.length === 0}
            onClick={() => onChoose(chosen.length === shown.length ? [] : shown.map(({ id }) => id))}
          />
        </label>
        <p role="status">{some ? `${chosen.length} selected` : countText(store)}</p>
        <button
          type="button"
          class="quiet"
          disabled={busy || !shown.some((email) => ids.includes(email.id) && store.isUnread(email))}
          aria-label={some ? 'Mark selected as read' : 'Mark all as read'}
          title={some ? 'Mark selected as read' : 'Mark all as read'}
          onClick={markRead}
        >
          <Icon name="read" />
        </button>
        <button
          type="button"
          class="quiet"
          disabled={ids.length === 0}
          aria-label={deleteText(some, search.emails !== undefined, ids.length)}
          title={deleteText(some, search.emails !== undefined, ids.length)}
          onClick={() => onRemove(ids, whole)}
        >
          <Icon name="trash" />
        </button>
      </div>
      {problem && <Problem problem={problem} />}
    </div>
  )
}

function deleteText(some: boolean, searching: boolean, count: number): string {
  if (some) return 'Delete selected'
  return searching ? `Delete the ${plural(count, 'mail')} that were found` : 'Delete all'
}

/** An honest count: what is not fetched is not counted, but it is said that there is more. */
function countText(store: InboxStore): string {
  const { shown, more, unread, search } = store
  const count = `${shown.length}${more ? '+' : ''} ${shown.length === 1 && !more ? 'mail' : 'mails'}`
  if (search.emails !== undefined) return search.busy ? `Searching… ${count}` : `${count} found`
  return unread > 0 ? `${count}, ${unread}${store.nextCursor === null ? '' : '+'} unread` : count
}
