import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Email } from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import { person } from '../lib/format.ts'
import { type Place, type PlaceStore, placeHash } from '../lib/place.ts'
import { useStore } from '../lib/store.ts'
import { announce } from '../ui/announcer.ts'
import { Problem } from '../ui/problem.tsx'
import { AddressBar } from './address-bar.tsx'
import { DomainKeyForm } from './domain-key-form.tsx'
import { InboxStore } from './inbox-store.ts'
import { KeyDialog } from './key-dialog.tsx'
import { MailList } from './mail-list.tsx'
import { MailView } from './mail-view.tsx'
import { notify } from './notify.ts'
import { StatusBar } from './status-bar.tsx'

const TICK_MS = 20_000

interface Props {
  places: PlaceStore
  place: Place
}

/** One address: its emails, and the one that is open. */
export function Inbox({ places, place: { address, id } }: Props) {
  const store = useStore(useMemo(() => new InboxStore(address, tellOfArrival), []))
  const { apiKey } = useStore(credentials)
  const [now, setNow] = useState(Date.now())
  const [askingKey, setAskingKey] = useState(false)

  useEffect(() => {
    store.open()
    const tick = setInterval(() => {
      setNow(Date.now())
      store.dropExpired(Date.now())
    }, TICK_MS)
    return () => {
      clearInterval(tick)
      store.close()
    }
  }, [])

  const { unread } = store
  useEffect(() => {
    document.title = `${unread > 0 ? `(${unread}) ` : ''}${address} · Mayfly`
  }, [unread])

  const hrefOf = (mail?: string) => placeHash({ address, id: mail })
  return (
    <div class="inbox" data-open={id !== undefined}>
      <AddressBar address={address} onChange={(next) => places.go({ address: next })} />
      <StatusBar
        link={store.refused ? undefined : store.link}
        hasKey={apiKey !== undefined}
        onKey={() => setAskingKey(true)}
      />
      <InboxBody
        store={store}
        id={id}
        now={now}
        hrefOf={hrefOf}
        onLeave={() => places.go({ address })}
        onKey={() => setAskingKey(true)}
      />
      {askingKey && <KeyDialog onClose={() => setAskingKey(false)} />}
    </div>
  )
}

interface BodyProps {
  store: InboxStore
  id: string | undefined
  now: number
  hrefOf: (mail?: string) => string
  onLeave: () => void
  onKey: () => void
}

function InboxBody({ store, id, now, hrefOf, onLeave, onKey }: BodyProps) {
  const { problem, loaded, emails } = store
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
  if (emails.length === 0 && id === undefined) {
    return (
      <div class="empty">
        <div class="pulse" aria-hidden="true" />
        <h2>Waiting for mail</h2>
        <p>
          Send something to <strong>{store.address}</strong>. It shows up here by itself, with its codes ready
          to copy.
        </p>
        <p class="fine">
          For a script or a pipeline, see <a href="/docs">the API</a>.
        </p>
      </div>
    )
  }
  return (
    <div class="panes">
      <MailList store={store} selected={id} now={now} hrefOf={hrefOf} onKey={onKey} />
      <MailView
        key={id}
        store={store}
        id={id}
        now={now}
        listHref={hrefOf()}
        onLeave={onLeave}
        onKey={onKey}
      />
    </div>
  )
}

function tellOfArrival(email: Email): void {
  announce(`New mail from ${person(email.from)}: ${email.subject || 'no subject'}`)
  notify(email)
}
