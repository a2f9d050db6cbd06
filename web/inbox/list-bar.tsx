import { useState } from 'preact/hooks'
import { plural } from '../lib/format.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { settings } from '../lib/settings.ts'
import { useStore } from '../lib/store.ts'
import { announce } from '../ui/announcer.ts'
import { Confirm } from '../ui/dialog.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import type { InboxStore } from './inbox-store.ts'
import { type Has, parseQuery, toggleHas } from './query.ts'

/** Up to this many emails are deleted one by one and can be undone; more are deleted by one request. */
const ONE_BY_ONE_MAX = 50

const CHIPS: [value: Has, label: string][] = [
  ['code', 'Code'],
  ['action_link', 'Action link'],
  ['attachment', 'Attachment'],
]

interface Props {
  store: InboxStore
  chosen: string[]
  onChoose: (ids: string[]) => void
  onRemove: (ids: string[]) => void
}

/** Search, the number of emails, and the actions for all or the selected ones. */
export function ListBar({ store, chosen, onChoose, onRemove }: Props) {
  const { shown, search, more } = store
  const { density } = useStore(settings)
  const [problem, setProblem] = useState<ApiProblem>()
  const [isBusy, setBusy] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  const isSelection = chosen.length > 0
  const ids = isSelection ? chosen : shown.map(({ id }) => id)
  const isWholeInbox = !isSelection && search.emails === undefined
  const unread = shown.filter((email) => ids.includes(email.id) && store.isUnread(email))

  const markRead = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      if (isWholeInbox) announce(`${plural(await store.markAllRead(), 'email')} marked as read`)
      else await store.markRead(unread.map(({ id }) => id))
      onChoose([])
    } catch (error) {
      setProblem(error as ApiProblem)
    }
    setBusy(false)
  }
  const remove = () => {
    if (isWholeInbox && (more || shown.length > ONE_BY_ONE_MAX)) setConfirming(true)
    else onRemove(ids)
  }
  return (
    <div class="list-bar">
      <SearchField store={store} />
      <div class="list-head">
        <label class="choose-all">
          <input
            type="checkbox"
            aria-label="Select all listed emails"
            checked={isSelection && chosen.length === shown.length}
            disabled={shown.length === 0}
            onClick={() => onChoose(chosen.length === shown.length ? [] : shown.map(({ id }) => id))}
          />
        </label>
        <p role="status">{isSelection ? `${chosen.length} selected` : countText(store)}</p>
        <IconButton
          icon="rows"
          label={density === 'compact' ? 'Show comfortable rows' : 'Show compact rows'}
          onClick={() => (settings.density = density === 'compact' ? 'comfortable' : 'compact')}
        />
        <IconButton
          icon="read"
          label={isSelection ? 'Mark selected as read' : 'Mark all as read'}
          isDisabled={isBusy || (unread.length === 0 && !(isWholeInbox && more))}
          onClick={markRead}
        />
        <IconButton
          icon="trash"
          label={deleteText(isSelection, search.emails !== undefined, ids.length)}
          isDisabled={ids.length === 0}
          onClick={remove}
        />
      </div>
      {problem && <Problem problem={problem} onDismiss={() => setProblem(undefined)} />}
      {isConfirming && (
        <Confirm
          title="Delete every email in this inbox?"
          text={`${more ? 'The inbox has more emails than the list shows. All' : `All ${shown.length}`} of them are deleted immediately. This cannot be undone.`}
          action="Delete all"
          onConfirm={() => void store.deletions.clear(store.emails.map(({ id }) => id))}
          onClose={() => setConfirming(false)}
        />
      )}
    </div>
  )
}

function SearchField({ store: { search } }: { store: InboxStore }) {
  const { has } = parseQuery(search.text)
  return (
    <div class="search" data-active={search.text !== ''}>
      <Icon name="search" />
      <input
        type="search"
        aria-label="Search this inbox"
        placeholder="Search: words, from:, subject:, has:"
        value={search.text}
        onInput={(event) => search.type(event.currentTarget.value)}
      />
      <fieldset class="chips cluster">
        <legend class="visually-hidden">Only emails with</legend>
        {CHIPS.map(([value, label]) => (
          <button
            key={value}
            type="button"
            class="chip"
            aria-pressed={has === value}
            onClick={() => search.type(toggleHas(search.text, value))}
          >
            {label}
          </button>
        ))}
      </fieldset>
    </div>
  )
}

interface IconButtonProps {
  icon: IconName
  label: string
  isDisabled?: boolean
  onClick: () => void
}

function IconButton({ icon, label, isDisabled = false, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      class="quiet"
      disabled={isDisabled}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}

function deleteText(isSelection: boolean, isSearch: boolean, count: number): string {
  if (isSelection) return 'Delete selected'
  return isSearch ? `Delete the ${plural(count, 'email')} found` : 'Delete all'
}

/** `+` means that the service has more than the page has loaded. */
function countText({ shown, more, unread, search, nextCursor }: InboxStore): string {
  const count = `${shown.length}${more ? '+' : ''} ${shown.length === 1 && !more ? 'email' : 'emails'}`
  if (search.emails !== undefined) return search.isBusy ? 'Searching…' : `${count} found`
  const plus = nextCursor === null ? '' : '+'
  return unread > 0 ? `${unread}${plus} of ${shown.length}${plus} unread` : count
}
