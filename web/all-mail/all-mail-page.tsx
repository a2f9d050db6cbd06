import { useEffect, useMemo, useState } from 'preact/hooks'
import { FirstScreen } from '../inbox/first-screen.tsx'
import { freshAddress } from '../inbox/fresh-address.ts'
import { Inbox } from '../inbox/inbox.tsx'
import { ShortcutSection } from '../inbox/shortcuts-dialog.tsx'
import { domainOf } from '../lib/api.ts'
import { type Place, type PlaceStore, placeHash } from '../lib/place.ts'
import { Copy } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { AllMail } from './all-mail.ts'
import { useRefusals } from './refusals.ts'

interface Props {
  places: PlaceStore
  place: Place
}

/** The mail of all addresses: the first page of the operator of a service on loopback. */
export function AllMailPage({ places, place }: Props) {
  const mail = useMemo(() => new AllMail(), [])
  const source = useMemo(() => ({ api: mail, feed: mail }), [mail])
  const refusals = useRefusals()
  const [address, setAddress] = useState<string>()
  const choose = () => void freshAddress().then(setAddress, () => {})
  useEffect(choose, [])
  const parts = {
    source,
    refusals,
    title: 'All mail',
    bar: <AllMailBar address={address} onNew={choose} />,
    empty:
      address === undefined ? (
        <p class="nothing">Choosing an address…</p>
      ) : (
        <FirstScreen address={address} isAll />
      ),
    idle: <IdlePane address={address} />,
  }
  return <Inbox places={places} place={place} parts={parts} />
}

/** The name of the page, and a new address beside it. */
function AllMailBar({ address, onNew }: { address: string | undefined; onNew: () => void }) {
  return (
    <section class="address cluster" aria-label="New address">
      <strong class="all-mail-title">All mail</strong>
      {address !== undefined && (
        <span class="cluster">
          <span class="fine wide-only">New address</span>
          <a class="wrap" href={placeHash({ address })}>
            {address.split('@')[0]}
            <wbr />@{domainOf(address)}
          </a>
          <Copy text={address} what="address" class="primary">
            Copy
          </Copy>
          <button type="button" onClick={onNew} aria-label="Another address" title="Another address">
            <Icon name="fresh" />
          </button>
        </span>
      )}
    </section>
  )
}

/** The reading pane while no email is open. */
function IdlePane({ address }: { address: string | undefined }) {
  return (
    <div class="empty stack">
      <h2>No email selected</h2>
      <p>
        The list has the mail of every address, and what was refused. <code>to:</code> searches by address.
      </p>
      {address !== undefined && <FirstScreen address={address} isAll isPart />}
      <ShortcutSection />
    </div>
  )
}
