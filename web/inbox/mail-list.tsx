import { useEffect, useRef, useState } from 'preact/hooks'
import { Problem } from '../ui/problem.tsx'
import type { InboxStore } from './inbox-store.ts'
import { ListBar } from './list-bar.tsx'
import { Row } from './row.tsx'

/** The height of a row in px; styles/inbox.css has the same. */
const ROW_HEIGHT = 76
/** Rows that are drawn beyond what is seen, so that scrolling never shows a gap. */
const BEYOND = 8

interface Props {
  store: InboxStore
  selected: string | undefined
  now: number
  hrefOf: (id: string) => string
  remove: (ids: string[], all?: boolean) => void
}

/** The mails of the inbox, of which only those in sight are drawn. */
export function MailList({ store, selected, now, hrefOf, remove }: Props) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | undefined>(undefined)
  const { shown } = store
  const still = shown.filter(({ id }) => chosen.has(id)).map(({ id }) => id)

  /** Shift chooses everything from the one chosen before. */
  const choose = (id: string, through: boolean) => {
    const next = new Set(chosen)
    const ids = shown.map((email) => email.id)
    const [a, b] = [ids.indexOf(last.current ?? id), ids.indexOf(id)]
    const range = through && a !== -1 ? ids.slice(Math.min(a, b), Math.max(a, b) + 1) : [id]
    const on = !chosen.has(id)
    for (const each of range) on ? next.add(each) : next.delete(each)
    last.current = id
    setChosen(next)
  }
  return (
    <section class="mail-list" aria-label="Mails">
      <ListBar
        store={store}
        chosen={still}
        onChoose={(ids) => setChosen(new Set(ids))}
        onRemove={(ids, all) => {
          setChosen(new Set())
          remove(ids, all)
        }}
      />
      <Rows {...{ store, selected, now, hrefOf }} chosen={chosen} choose={choose} />
    </section>
  )
}

interface RowsProps extends Omit<Props, 'remove'> {
  chosen: ReadonlySet<string>
  choose: (id: string, through: boolean) => void
}

function Rows({ store, selected, now, hrefOf, chosen, choose }: RowsProps) {
  const { shown, search } = store
  const pane = useRef<HTMLDivElement>(null)
  const [first, last] = useWindow(pane, shown.length)
  useReveal(pane, selected === undefined ? -1 : shown.findIndex(({ id }) => id === selected))
  const latest = useRef(choose)
  latest.current = choose
  // The same function for each drawing, so that rows which have not changed are not drawn again.
  const [chooseRow] = useState(() => (id: string, through: boolean) => latest.current(id, through))

  useEffect(() => {
    if (last >= shown.length && store.more) void store.older()
  }, [last, shown.length, store.more])

  return (
    <div class="rows" ref={pane} data-choosing={chosen.size > 0}>
      {shown.length === 0 && <p class="nothing">{emptyText(search)}</p>}
      <ul style={{ height: `${shown.length * ROW_HEIGHT}px` }}>
        {shown.slice(first, last).map((email, i) => (
          <Row
            key={email.id}
            email={email}
            top={(first + i) * ROW_HEIGHT}
            position={first + i + 1}
            total={store.more ? -1 : shown.length}
            unread={store.isUnread(email)}
            current={email.id === selected}
            chosen={chosen.has(email.id)}
            minute={Math.floor(now / 60_000)}
            href={hrefOf(email.id)}
            choose={chooseRow}
          />
        ))}
      </ul>
      {store.olderProblem && (
        <Problem problem={store.olderProblem}>
          <p class="actions">
            <button type="button" onClick={() => store.older()}>
              Try again
            </button>
          </p>
        </Problem>
      )}
      {search.problem && <Problem problem={search.problem} />}
    </div>
  )
}

function emptyText({ emails, busy }: InboxStore['search']): string {
  if (emails === undefined) return 'No mail here any more.'
  return busy ? 'Looking through the whole inbox…' : 'No mail in this inbox has these words.'
}

/** From which to which row is to be drawn. */
function useWindow(pane: { current: HTMLDivElement | null }, count: number): [number, number] {
  const [seen, setSeen] = useState<[number, number]>([0, 20])
  useEffect(() => {
    const element = pane.current!
    const look = () => {
      const from = Math.max(0, Math.floor(element.scrollTop / ROW_HEIGHT) - BEYOND)
      const to = Math.ceil((element.scrollTop + element.clientHeight) / ROW_HEIGHT) + BEYOND
      // Drawn only when the rows at an edge come near, not for every pixel.
      setSeen((known) =>
        Math.abs(known[0] - from) >= BEYOND / 2 || Math.abs(known[1] - to) >= BEYOND / 2 ? [from, to] : known,
      )
    }
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])
  return [Math.min(seen[0], Math.max(0, count - 1)), seen[1]]
}

/** Brings the row of the mail that was opened into sight, where it is not. */
function useReveal(pane: { current: HTMLDivElement | null }, index: number): void {
  useEffect(() => {
    const element = pane.current
    if (element === null || index === -1) return
    const top = index * ROW_HEIGHT
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + ROW_HEIGHT > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + ROW_HEIGHT - element.clientHeight
    }
  }, [index])
}
