import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Refusal } from '../all-mail/refusals.ts'
import { addressFault, isDomain } from '../lib/address.ts'
import type { Email } from '../lib/api.ts'
import { BASE_PATH } from '../lib/base.ts'
import { person } from '../lib/format.ts'
import { type Place, type PlaceStore, placeHash } from '../lib/place.ts'
import { remember } from '../lib/recent.ts'
import { useStore } from '../lib/store.ts'
import { announce } from '../ui/announcer.ts'
import { Problem } from '../ui/problem.tsx'
import { ActivityPane } from './activity-pane.tsx'
import { AddressBar } from './address-bar.tsx'
import { DomainKeyForm } from './domain-key-form.tsx'
import { EmptyPane } from './empty-pane.tsx'
import { showBadge } from './favicon.ts'
import { FirstScreen } from './first-screen.tsx'
import { type Feed, InboxStore } from './inbox-store.ts'
import type { MailSource } from './mail-api.ts'
import { MailList } from './mail-list.tsx'
import { MailView } from './mail-view.tsx'
import { notify } from './notify.ts'
import { useShortcuts } from './shortcuts.ts'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import { StatusBar } from './status-bar.tsx'
import { Toasts } from './toasts.tsx'

const TICK_MS = 10_000
/** In place of an email's id: the time line of requests and emails. */
const ACTIVITY = 'activity'

/** What an inbox of a whole domain shows in place of that of an address. */
export interface DomainParts {
  source: { api: MailSource; feed: Feed }
  bar: ComponentChildren
  empty: ComponentChildren
  idle: ComponentChildren
  /** What the page is called; by default after its domain. */
  title?: string
  /** Mail that the service refused, to be listed among the emails. */
  refusals?: Refusal[]
}

interface Props {
  places: PlaceStore
  place: Place
  /** For the place of a whole domain. */
  parts?: DomainParts
}

/** One address, or a whole domain: its emails, and the email that is open. */
export function Inbox({ places, place: { address, id }, parts }: Props) {
  const store = useInbox(address, parts)
  const now = useNow(store)
  const [showsShortcuts, setShowsShortcuts] = useState(false)

  // Moving between emails adds no history entries, so that Back returns to the list.
  const open = (mail: string | undefined) =>
    mail === undefined ? places.closeMail() : places.go({ address, id: mail }, { replace: id !== undefined })
  const remove = (ids: string[]) => {
    const next = id !== undefined && ids.includes(id) ? neighbour(store.shown, id, ids) : id
    store.deletions.add(ids)
    // On a phone one continues in the list.
    if (next !== id) open(isNarrow() ? undefined : next)
  }
  useShortcuts({ store, id, open, remove, help: () => setShowsShortcuts(true) })

  return (
    <div class="inbox" data-open={id !== undefined}>
      <h1 class="visually-hidden">
        {parts?.title ?? `${isDomain(address) ? 'All mail' : 'Inbox'} of ${address}`}
      </h1>
      <div class="inbox-bar split">
        {parts?.bar ?? <AddressBar address={address} onChange={(next) => places.go({ address: next })} />}
        <StatusBar
          link={store.isRefused ? undefined : store.link}
          onShortcuts={() => setShowsShortcuts(true)}
        />
      </div>
      <InboxBody {...{ store, id, now, open, remove, parts }} />
      <Toasts store={store} />
      {showsShortcuts && <ShortcutsDialog onClose={() => setShowsShortcuts(false)} />}
    </div>
  )
}

/** The emails of the address, open as long as the page shows it, and their number in the title of the page. */
function useInbox(address: string, parts: DomainParts | undefined): InboxStore {
  const store = useStore(
    useMemo(() => new InboxStore(address, announceArrival, parts?.source), [address, parts?.source]),
  )
  const { unread, isLoaded } = store
  useEffect(() => {
    void store.open()
    return () => store.close()
  }, [store])
  // An address with a typing error, or on a domain that does not exist, is not worth remembering.
  useEffect(() => {
    if (isLoaded && !isDomain(address)) remember(address)
  }, [isLoaded, address])
  useEffect(() => {
    document.title = `${unread > 0 ? `(${unread}) ` : ''}${parts?.title ?? address} · Mayfly`
    showBadge(unread)
  }, [unread, address])
  return store
}

/** The current time in Unix ms. Emails that have expired by then leave the list. */
function useNow(store: InboxStore): number {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const tick = setInterval(() => {
      setNow(Date.now())
      store.dropExpired(Date.now())
    }, TICK_MS)
    return () => clearInterval(tick)
  }, [store])
  return now
}

interface BodyProps {
  store: InboxStore
  id: string | undefined
  now: number
  open: (id: string | undefined) => void
  remove: (ids: string[]) => void
  parts: DomainParts | undefined
}

function InboxBody({ store, id, now, open, remove, parts }: BodyProps) {
  const { problem, isLoaded } = store
  if (problem?.code === 'domain_key_missing' || problem?.code === 'domain_key_invalid') {
    return <DomainKeyForm domain={store.domain} problem={problem} onKey={() => void store.open()} />
  }
  if (problem && !(isLoaded && problem.isTransient)) {
    const fault = problem.code === 'invalid_address' ? addressFault(store.address) : undefined
    return (
      <Problem problem={problem} {...(fault && { detail: fault })}>
        {(problem.code === 'domain_not_found' || problem.code === 'domain_public') && (
          <a class="button" href={`${BASE_PATH}/domains#${encodeURIComponent(store.domain)}`}>
            Set up {store.domain}
          </a>
        )}
      </Problem>
    )
  }
  if (!isLoaded) return <p class="nothing">Opening the inbox…</p>
  const refusals = parts?.refusals ?? []
  if (
    store.shown.length === 0 &&
    refusals.length === 0 &&
    store.search.emails === undefined &&
    id === undefined
  ) {
    return parts?.empty ?? <FirstScreen address={store.address} />
  }
  const hrefOf = (mail: string) => placeHash({ address: store.address, id: mail })
  return (
    <div class="panes">
      <MailList {...{ store, now, hrefOf, remove, refusals }} selected={id} />
      <MailPane {...{ store, id, now, open, remove, parts }} />
    </div>
  )
}

/** Scrolls by itself, and to the top when another email is opened. */
function MailPane({ id, parts, ...rest }: BodyProps) {
  const pane = useRef<HTMLDivElement>(null)
  useEffect(() => {
    pane.current?.scrollTo(0, 0)
  }, [id])
  return (
    <div class="mail-pane" ref={pane}>
      {id === undefined && (parts?.idle ?? <EmptyPane {...rest} />)}
      {id === ACTIVITY && <ActivityPane address={rest.store.address} open={rest.open} />}
      {id !== undefined && id !== ACTIVITY && <MailView key={id} id={id} {...rest} />}
    </div>
  )
}

/** The email to read after this one is deleted: the next older one that stays, otherwise the next newer one. */
function neighbour(shown: Email[], id: string, removed: string[]): string | undefined {
  const at = shown.findIndex((email) => email.id === id)
  const stays = ({ id: other }: Email) => !removed.includes(other)
  return (shown.slice(at + 1).find(stays) ?? shown.slice(0, Math.max(at, 0)).findLast(stays))?.id
}

function isNarrow(): boolean {
  return matchMedia('(width < 52rem)').matches
}

function announceArrival(email: Email): void {
  announce(`New email from ${person(email.from)}: ${email.subject || 'no subject'}`)
  notify(email)
}
