import { useEffect, useState } from 'preact/hooks'
import { PlaceStore } from '../lib/place.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { recentAddresses } from '../lib/recent.ts'
import { useStore } from '../lib/store.ts'
import { Problem } from '../ui/problem.tsx'
import { freshAddress } from './fresh-address.ts'
import { Inbox } from './inbox.tsx'
import { LoneMail } from './lone-mail.tsx'

const places = new PlaceStore()

/** The inbox that the URL names, else the one that was looked at last, else a new one. */
export function InboxPage() {
  const { current } = useStore(places)
  const [problem, setProblem] = useState<ApiProblem>()
  const take = () => {
    setProblem(undefined)
    const [last] = recentAddresses()
    if (last !== undefined) return places.go({ address: last }, { replace: true })
    freshAddress().then((address) => places.go({ address }, { replace: true }), setProblem)
  }
  useEffect(() => {
    if (current === undefined) take()
  }, [current === undefined])
  if (current?.alone && current.id !== undefined)
    return <LoneMail address={current.address} id={current.id} />
  if (current !== undefined) return <Inbox places={places} place={current} />
  if (problem === undefined) return <p class="loading">Taking an address for you…</p>
  return (
    <Problem problem={problem}>
      {problem.code === 'domain_not_found' ? (
        <p>
          <a href="/domains">Point a domain here</a>, and its addresses can be used at once.
        </p>
      ) : (
        <p class="actions">
          <button type="button" onClick={take}>
            Try again
          </button>
        </p>
      )}
    </Problem>
  )
}
