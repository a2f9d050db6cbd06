import { useMemo } from 'preact/hooks'
import { Inbox } from '../inbox/inbox.tsx'
import { ShortcutSection } from '../inbox/shortcuts-dialog.tsx'
import { domainOf } from '../lib/api.ts'
import { useInfo } from '../lib/info.ts'
import { type Place, type PlaceStore, placeHash } from '../lib/place.ts'
import { pageStream } from '../stream/connect.ts'
import { Icon } from '../ui/icon.tsx'
import { DomainMail } from './domain-mail.ts'

interface Props {
  places: PlaceStore
  place: Place
}

/** All mail of a private domain, as an inbox. */
export function DomainInbox({ places, place }: Props) {
  const domain = domainOf(place.address)
  const mail = useMemo(() => new DomainMail(domain, pageStream()), [domain])
  const source = useMemo(() => ({ api: mail, feed: mail }), [mail])
  const parts = {
    source,
    bar: <DomainBar domain={domain} />,
    empty: <EmptyDomain domain={domain} />,
    idle: <IdlePane mail={mail} domain={domain} />,
  }
  return <Inbox places={places} place={place} parts={parts} />
}

function DomainBar({ domain }: { domain: string }) {
  return (
    <section class="address cluster" aria-label="Domain">
      <span class="cluster">
        <Icon name="lock" />
        <strong class="wrap">{domain}</strong>
        <span class="chip">All addresses</span>
      </span>
      <a class="button" href={placeHash({ address: `hello@${domain}` })}>
        Open hello@{domain}
      </a>
    </section>
  )
}

function EmptyDomain({ domain }: { domain: string }) {
  const info = useInfo()
  return (
    <div class="empty card stack">
      <h2>Waiting for email</h2>
      <p>
        Emails to any address at <strong>{domain}</strong> appear here as they arrive.
      </p>
      {info?.smtp && (
        <p class="cluster">
          <span>
            SMTP host <code>{info.smtp.host}</code>
          </span>
          <span>
            port <code>{info.smtp.port}</code>
          </span>
        </p>
      )}
    </div>
  )
}

/** The reading pane while no email is open. */
function IdlePane({ mail, domain }: { mail: DomainMail; domain: string }) {
  return (
    <div class="empty stack">
      <h2>No email selected</h2>
      <p>The list has the mail of every address at {domain}.</p>
      {mail.hasOlder && <p class="notice">The domain has older emails. Open their addresses to read them.</p>}
      <ShortcutSection />
    </div>
  )
}
