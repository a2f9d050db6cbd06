import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { mentions, type Refusal } from '../all-mail/refusals.ts'
import { EVERYTHING, isDomain } from '../lib/address.ts'
import type { Email } from '../lib/api.ts'
import { plural } from '../lib/format.ts'
import { Problem } from '../ui/problem.tsx'
import type { InboxStore } from './inbox-store.ts'
import { emptyText } from './list-texts.ts'
import { parseQuery } from './query.ts'
import { RefusedRow } from './refused-row.tsx'
import { Row } from './row.tsx'

interface Props {
  store: InboxStore
  selected: string | undefined
  now: number
  hrefOf: (id: string) => string
  chosen: ReadonlySet<string>
  choose: (id: string, through: boolean) => void
  refusals: Refusal[]
}

/** The rows in normal flow: the browser skips those out of sight (`content-visibility`). */
export function Rows({ store, selected, now, hrefOf, chosen, choose, refusals }: Props) {
  const { shown, search } = store
  const pane = useRef<HTMLDivElement>(null)
  const [fresh, showNewest] = useStillRows(pane, shown[0]?.id, shown)
  useReveal(pane, selected)
  const latest = useRef(choose)
  latest.current = choose
  // One function for every drawing, so that unchanged rows are not drawn again.
  const [chooseRow] = useState(() => (id: string, through: boolean) => latest.current(id, through))
  const entries = withRefusals(shown, refusals, store)
  const row = (email: Email) => (
    <Row
      key={email.id}
      email={email}
      unread={store.isUnread(email)}
      current={email.id === selected}
      chosen={chosen.has(email.id)}
      minute={Math.floor(now / 60_000)}
      href={hrefOf(email.id)}
      recipient={recipientIn(store.address, email)}
      choose={chooseRow}
    />
  )
  return (
    <div class="rows" ref={pane}>
      {fresh > 0 && (
        <button type="button" class="new-pill primary" onClick={showNewest}>
          {fresh} new ↑
        </button>
      )}
      {entries.length === 0 && search.problem === undefined && <p class="nothing">{emptyText(search)}</p>}
      <ul>
        {entries.map((entry) =>
          'refusal' in entry ? (
            <RefusedRow key={entry.key} refusal={entry.refusal} nowMs={now} />
          ) : (
            row(entry)
          ),
        )}
      </ul>
      <Older store={store} />
    </div>
  )
}

/** The recipient that a row names: the whole address among all mail, the username in the list of a domain. */
function recipientIn(place: string, { address }: Email): string | undefined {
  if (place === EVERYTHING) return address
  return isDomain(place) ? address.split('@')[0] : undefined
}

/** The emails with the refusals among them, newest first. A search shows those that contain its words. */
function withRefusals(
  emails: Email[],
  refusals: Refusal[],
  { search, more }: InboxStore,
): (Email | { refusal: Refusal; at: string; key: string })[] {
  if (refusals.length === 0) return emails
  const oldest = more ? (emails.at(-1)?.received_at ?? '') : ''
  const { words, to, from } = parseQuery(search.text)
  const wanted = [...words, ...[to, from].filter((text) => text !== undefined)].map((text) =>
    text.toLowerCase(),
  )
  const rows = refusals
    .filter((refusal) => refusal.at >= oldest && mentions(refusal, wanted))
    .map((refusal, i) => ({
      refusal,
      at: refusal.at,
      key: `${refusal.at} ${refusal.recipient} ${refusals.length - i}`,
    }))
  return [...emails.map((email) => ({ at: email.received_at, email })), ...rows]
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    .map((entry) => ('email' in entry ? entry.email : entry))
}

/** The end of the list, where older emails are loaded. */
function Older({ store }: { store: InboxStore }) {
  const { shown, search, olderProblem } = store
  const load = () => void store.older()
  return (
    <>
      {store.more && <ListEnd key={shown.length} onSeen={load} />}
      {olderProblem && (
        <Problem problem={olderProblem}>
          <button type="button" onClick={load}>
            Try again
          </button>
        </Problem>
      )}
      {search.problem && (
        <Problem problem={search.problem} onDismiss={() => search.type('')}>
          <button type="button" onClick={() => void search.retry()}>
            Try again
          </button>
        </Problem>
      )}
      {search.emails !== undefined && store.more && !search.isBusy && (
        <p class="nothing">
          {plural(shown.length, 'match', 'matches')} so far.{' '}
          <button type="button" onClick={load}>
            Search older emails
          </button>
        </p>
      )}
    </>
  )
}

/** Loads the next page when the end of the list comes near. */
function ListEnd({ onSeen }: { onSeen: () => void }) {
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = mark.current
    if (element === null) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onSeen(), {
      root: element.parentElement,
      rootMargin: '600px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return <div ref={mark} />
}

/**
 * Keeps the rows where they are when an email arrives above them. Browsers do that by scroll anchoring, except at
 * the very top: there the rows stay only while the pointer or the focus is on one of them.
 *
 * @returns how many emails have arrived above what is seen, and a function that scrolls to them
 */
function useStillRows(
  pane: RefObject<HTMLDivElement | null>,
  newest: string | undefined,
  shown: { id: string }[],
): [fresh: number, showNewest: () => void] {
  /** The newest email when the top of the list was last seen. */
  const [seen, setSeen] = useState(newest)
  const previous = useRef(newest)
  useLayoutEffect(() => {
    const element = pane.current
    const before = previous.current
    previous.current = newest
    if (element === null || newest === undefined || newest === before) return
    const first = before && element.querySelector<HTMLElement>(`[data-mail="${before}"]`)?.closest('li')
    const isInUse = element.matches(':hover, :focus-within')
    if (first && element.scrollTop === 0 && isInUse) element.scrollTop = first.offsetTop
    else if (element.scrollTop === 0) setSeen(newest)
  }, [newest])
  useEffect(() => {
    const element = pane.current
    if (element === null) return
    const onScroll = () => element.scrollTop < 8 && setSeen(previous.current)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => element.removeEventListener('scroll', onScroll)
  }, [])
  const at = shown.findIndex(({ id }) => id === seen)
  const fresh = seen === undefined || at === -1 ? 0 : at
  return [fresh, () => pane.current?.scrollTo(0, 0)]
}

/** Scrolls the row of the open email into view. */
function useReveal(pane: RefObject<HTMLDivElement | null>, selected: string | undefined): void {
  useEffect(() => {
    if (selected === undefined) return
    pane.current
      ?.querySelector(`[data-mail="${selected}"]`)
      ?.closest('li')
      ?.scrollIntoView({ block: 'nearest' })
  }, [selected])
}
