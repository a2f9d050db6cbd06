import { useState } from 'preact/hooks'
import { EVERYTHING } from '../lib/address.ts'
import { plural } from '../lib/format.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { settings } from '../lib/settings.ts'
import { useStore } from '../lib/store.ts'
import { announce } from '../ui/announcer.ts'
import { Confirm } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Problem } from '../ui/problem.tsx'
import { CompareButton } from './compare-button.tsx'
import type { InboxStore } from './inbox-store.ts'
import { countText, deleteText } from './list-texts.ts'
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
export function ListBar(props: Props) {
  const { store, chosen, onChoose } = props
  const { shown } = store
  const [problem, setProblem] = useState<ApiProblem>()
  // The API has no request that changes all mail of a domain.
  const isOffered = !isWholeInbox(store, chosen) || store.api.clear !== undefined
  const isAllChosen = chosen.length > 0 && chosen.length === shown.length
  return (
    <div>
      <SearchField store={store} />
      <div class="list-head cluster flush nowrap fine">
        <label class="choose">
          <input
            type="checkbox"
            aria-label="Select all listed emails"
            checked={isAllChosen}
            disabled={shown.length === 0}
            onClick={() => onChoose(isAllChosen ? [] : shown.map(({ id }) => id))}
          />
        </label>
        <p class="grow" role="status">
          {chosen.length > 0 ? `${chosen.length} selected` : countText(store)}
        </p>
        {chosen.length > 0 && <CompareButton store={store} chosen={chosen} />}
        <DensityButton />
        {isOffered && (
          <>
            <ReadButton {...props} onProblem={setProblem} />
            <DeleteButton {...props} />
          </>
        )}
      </div>
      {problem && <Problem problem={problem} onDismiss={() => setProblem(undefined)} />}
    </div>
  )
}

function DensityButton() {
  const isCompact = useStore(settings).density === 'compact'
  return (
    <IconButton
      icon="rows"
      label={isCompact ? 'Show comfortable rows' : 'Show compact rows'}
      onClick={() => (settings.density = isCompact ? 'comfortable' : 'compact')}
    />
  )
}

interface ReadProps extends Props {
  onProblem: (problem: ApiProblem | undefined) => void
}

/** Marks the selected emails as read, or those that the search found, or the whole inbox. */
function ReadButton({ store, chosen, onChoose, onProblem }: ReadProps) {
  const [isBusy, setBusy] = useState(false)
  const isSelection = chosen.length > 0
  const isWhole = isWholeInbox(store, chosen)
  const unread = store.shown.filter(
    (email) => store.isUnread(email) && (!isSelection || chosen.includes(email.id)),
  )
  const markRead = async () => {
    setBusy(true)
    onProblem(undefined)
    try {
      if (isWhole) announce(`${plural(await store.markAllRead(), 'email')} marked as read`)
      else await store.markRead(unread.map(({ id }) => id))
      onChoose([])
    } catch (error) {
      onProblem(error as ApiProblem)
    }
    setBusy(false)
  }
  return (
    <IconButton
      icon="read"
      label={isSelection ? 'Mark selected as read' : 'Mark all as read'}
      isDisabled={isBusy || (unread.length === 0 && !(isWhole && store.more))}
      onClick={markRead}
    />
  )
}

/** Deletes the same emails; a whole inbox of many emails after a question. */
function DeleteButton({ store, chosen, onRemove }: Props) {
  const [isConfirming, setConfirming] = useState(false)
  const { shown, more, search } = store
  const place = store.address === EVERYTHING ? 'of every address' : 'in this inbox'
  const isSelection = chosen.length > 0
  const count = isSelection ? chosen.length : shown.length
  const remove = () => {
    if (isWholeInbox(store, chosen) && (more || count > ONE_BY_ONE_MAX)) setConfirming(true)
    else onRemove(isSelection ? chosen : shown.map(({ id }) => id))
  }
  return (
    <>
      <IconButton
        icon="trash"
        label={deleteText(isSelection, search.emails !== undefined, count)}
        isDisabled={count === 0}
        onClick={remove}
      />
      {isConfirming && (
        <Confirm
          title={`Delete every email ${place}?`}
          text={`${more ? `This deletes all emails ${place}, including older ones not shown.` : `This deletes all ${count} emails.`} You cannot undo it.`}
          action="Delete all"
          onConfirm={() => void store.deletions.clear(store.emails.map(({ id }) => id))}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  )
}

function isWholeInbox({ search }: InboxStore, chosen: string[]): boolean {
  return chosen.length === 0 && search.emails === undefined
}

function SearchField({ store: { search, address } }: { store: InboxStore }) {
  const { has } = parseQuery(search.text)
  return (
    <div class="search" data-active={search.text !== ''}>
      <Icon name="search" />
      <input
        type="search"
        aria-label="Search this inbox"
        placeholder={
          address === EVERYTHING ? 'Search: words, to:, from:, has:' : 'Search: words, from:, subject:, has:'
        }
        value={search.text}
        onInput={(event) => search.type(event.currentTarget.value)}
      />
      <fieldset class="cluster">
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
