import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Email } from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import { person } from '../lib/format.ts'
import { type Place, type PlaceStore, placeHash } from '../lib/place.ts'
import { remember } from '../lib/recent.ts'
import { useStore } from '../lib/store.ts'
import { announce } from '../ui/announcer.ts'
import { Problem } from '../ui/problem.tsx'
import { AddressBar } from './address-bar.tsx'
import { DomainKeyForm } from './domain-key-form.tsx'
import { FirstScreen } from './first-screen.tsx'
import { InboxStore } from './inbox-store.ts'
import { KeyDialog } from './key-dialog.tsx'
import { MailList } from './mail-list.tsx'
import { MailView } from './mail-view.tsx'
import { notify } from './notify.ts'
import { useShortcuts } from './shortcuts.ts'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import { StatusBar } from './status-bar.tsx'
import { UndoToast } from './undo-toast.tsx'

const TICK_MS = 10_000

interface Props {
  places: PlaceStore
  place: Place
}

/** One address: its emails, and the one that is open. */
export function Inbox({ places, place: { address, id } }: Props) {
  const store = useStore(useMemo(() => new InboxStore(address, tellOfArrival), [address]))
  const { apiKey, taken } = useStore(credentials)
  const [now, setNow] = useState(Date.now())
  const [dialog, setDialog] = useState<'key' | 'shortcuts'>()

  useEffect(() => {
    store.open()
    remember(address)
    return () => store.close()
  }, [store])
  useEffect(() => {
    const tick = setInterval(() => {
      setNow(Date.now())
      store.dropExpired(Date.now())
    }, TICK_MS)
    return () => clearInterval(tick)
  }, [store])

  const { unread } = store
  useEffect(() => {
    document.title = `${unread > 0 ? `(${unread}) ` : ''}${address} · Mayfly`
  }, [unread, address])
  useEffect(() => {
    if (taken) announce('The page took a free API key for you, kept in this browser')
  }, [taken])

  const open = (mail: string | undefined) => places.go({ address, id: mail })
  const remove = (ids: string[], all = false) => {
    const next = id !== undefined && ids.includes(id) ? neighbour(store.shown, id, ids) : id
    store.deletions.add(ids, all)
    // On a phone the list is where one goes on.
    if (next !== id) open(isNarrow() ? undefined : next)
  }
  useShortcuts({ store, id, open, remove, help: () => setDialog('shortcuts') })

  return (
    <div class="inbox" data-open={id !== undefined}>
      <h1 class="visually-hidden">Inbox of {address}</h1>
      <div class="inbox-head">
        <AddressBar address={address} onChange={(next) => places.go({ address: next })} />
        <StatusBar
          link={store.refused ? undefined : store.link}
          hasKey={apiKey !== undefined}
          taken={taken}
          onKey={() => setDialog('key')}
          onShortcuts={() => setDialog('shortcuts')}
        />
      </div>
      <InboxBody store={store} id={id} now={now} open={open} remove={remove} onKey={() => setDialog('key')} />
      <UndoToast store={store} />
      {dialog === 'key' && <KeyDialog onClose={() => setDialog(undefined)} />}
      {dialog === 'shortcuts' && <ShortcutsDialog onClose={() => setDialog(undefined)} />}
    </div>
  )
}

interface BodyProps {
  store: InboxStore
  id: string | undefined
  now: number
  open: (id: string | undefined) => void
  remove: (ids: string[], all?: boolean) => void
  onKey: () => void
}

function InboxBody({ store, id, now, open, remove, onKey }: BodyProps) {
  const { problem, loaded } = store
  if (problem?.code === 'domain_key_missing' || problem?.code === 'domain_key_invalid') {
    return <DomainKeyForm domain={store.domain} problem={problem} onKey={() => store.open()} />
  }
  if (problem && !(loaded && problem.passing)) {
    return (
      <Problem problem={problem}>
        {problem.code === 'domain_not_found' && (
          <p>
            Is it yours?{' '}
            <a href={`/domains#${encodeURIComponent(store.domain)}`}>See what {store.domain} needs</a> to
            receive mail here.
          </p>
        )}
      </Problem>
    )
  }
  if (!loaded) return <p class="loading">Opening the inbox…</p>
  if (store.shown.length === 0 && store.search.emails === undefined && id === undefined) {
    return <FirstScreen address={store.address} />
  }
  const hrefOf = (mail: string) => placeHash({ address: store.address, id: mail })
  return (
    <div class="panes">
      <MailList store={store} selected={id} now={now} hrefOf={hrefOf} remove={remove} />
      <MailPane id={id} store={store} now={now} open={open} remove={remove} onKey={onKey} />
    </div>
  )
}

/** The mail scrolls by itself, and begins at its top. */
function MailPane({ id, ...rest }: BodyProps) {
  const pane = useRef<HTMLDivElement>(null)
  useEffect(() => {
    pane.current?.scrollTo(0, 0)
  }, [id])
  return (
    <div class="mail-pane" ref={pane}>
      {id === undefined ? (
        <p class="none">Choose a mail to read it.</p>
      ) : (
        <MailView key={id} id={id} {...rest} />
      )}
    </div>
  )
}

/** What is read after this mail when it goes: the next older one that stays, or the next newer one. */
function neighbour(shown: Email[], id: string, gone: string[]): string | undefined {
  const at = shown.findIndex((email) => email.id === id)
  const stays = ({ id: other }: Email) => !gone.includes(other)
  return (shown.slice(at + 1).find(stays) ?? shown.slice(0, Math.max(at, 0)).findLast(stays))?.id
}

function isNarrow(): boolean {
  return matchMedia('(width < 52rem)').matches
}

function tellOfArrival(email: Email): void {
  announce(`New mail from ${person(email.from)}: ${email.subject || 'no subject'}`)
  notify(email)
}
