import { useEffect, useState } from 'preact/hooks'
import { EVERYTHING, isDomain } from '../lib/address.ts'
import { BASE_PATH } from '../lib/base.ts'
import { serviceInfo, showsAllMail } from '../lib/info.ts'
import { useLoaded } from '../lib/loaded.ts'
import { type Place, PlaceStore } from '../lib/place.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { recentAddresses } from '../lib/recent.ts'
import { useStore } from '../lib/store.ts'
import { Problem } from '../ui/problem.tsx'
import { freshAddress } from './fresh-address.ts'
import { Inbox } from './inbox.tsx'
import { LoneMail } from './lone-mail.tsx'

const places = new PlaceStore()

/** Shows the inbox that the URL names, otherwise all mail, the latest inbox of this browser, or a new one. */
export function InboxPage() {
  const { current } = useStore(places)
  const [problem, setProblem] = useState<ApiProblem>()
  const start = () => {
    setProblem(undefined)
    firstAddress().then((address) => places.go({ address }, { replace: true }), setProblem)
  }
  useEffect(() => {
    if (current === undefined) start()
  }, [current === undefined])
  if (current?.alone && current.id !== undefined) {
    return <LoneMail key={`${current.address}/${current.id}`} address={current.address} id={current.id} />
  }
  if (current?.address === EVERYTHING) return <LazyAllMail place={current} />
  if (current !== undefined && isDomain(current.address)) return <LazyDomain place={current} />
  if (current !== undefined) return <Inbox places={places} place={current} />
  if (problem === undefined) return <p class="nothing">Choosing an address…</p>
  return (
    <Problem problem={problem}>
      {problem.code === 'domain_not_found' ? (
        <a class="button" href={`${BASE_PATH}/domains`}>
          Add a domain
        </a>
      ) : (
        <button type="button" onClick={start}>
          Try again
        </button>
      )}
    </Problem>
  )
}

/** Where the page begins. `#new` asks for a new address. @throws ApiProblem */
async function firstAddress(): Promise<string> {
  if (location.hash === '#new') return freshAddress()
  if (showsAllMail(await serviceInfo().catch(() => null))) return EVERYTHING
  return recentAddresses()[0] ?? freshAddress()
}

/** All mail, whose script is loaded when it is first needed. */
function LazyAllMail({ place }: { place: Place }) {
  const page = useLoaded(() => import('../all-mail/all-mail-page.tsx'))
  return page === undefined ? (
    <p class="nothing">Opening all mail…</p>
  ) : (
    <page.AllMailPage places={places} place={place} />
  )
}

/** The page of a whole domain, whose script is loaded when it is first needed. */
function LazyDomain({ place }: { place: Place }) {
  const page = useLoaded(() => import('../domain-inbox/domain-inbox.tsx'))
  return page === undefined ? (
    <p class="nothing">Opening the domain…</p>
  ) : (
    <page.DomainInbox key={place.address} places={places} place={place} />
  )
}
