import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isDomain } from '../lib/address.ts'
import { plural } from '../lib/format.ts'
import { Problem } from '../ui/problem.tsx'
import type { InboxStore } from './inbox-store.ts'
import { emptyText } from './list-texts.ts'
import { Row } from './row.tsx'

interface Props {
  store: InboxStore
  selected: string | undefined
  now: number
  hrefOf: (id: string) => string
  chosen: ReadonlySet<string>
  choose: (id: string, through: boolean) => void
}

/** The rows in normal flow: the browser skips those out of sight (`content-visibility`). */
export function Rows({ store, selected, now, hrefOf, chosen, choose }: Props) {
  const { shown, search } = store
  const pane = useRef<HTMLDivElement>(null)
  const [fresh, showNewest] = useStillRows(pane, shown[0]?.id, shown)
  useReveal(pane, selected)
  const latest = useRef(choose)
  latest.current = choose
  // One function for every drawing, so that unchanged rows are not drawn again.
  const [chooseRow] = useState(() => (id: string, through: boolean) => latest.current(id, through))
  return (
    <div class="rows" ref={pane}>
      {fresh > 0 && (
        <button type="button" class="new-pill primary" onClick={showNewest}>
          {fresh} new ↑
        </button>
      )}
      {shown.length === 0 && search.problem === undefined && <p class="nothing">{emptyText(search)}</p>}
      <ul>
        {shown.map((email) => (
          <Row
            key={email.id}
            email={email}
            unread={store.isUnread(email)}
            current={email.id === selected}
            chosen={chosen.has(email.id)}
            minute={Math.floor(now / 60_000)}
            href={hrefOf(email.id)}
            recipient={isDomain(store.address) ? email.address.split('@')[0] : undefined}
            choose={chooseRow}
          />
        ))}
      </ul>
      <Older store={store} />
    </div>
  )
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
