import { useRefusals } from '../all-mail/refusals.ts'
import { ask, domainOf } from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import { plural } from '../lib/format.ts'
import { placeHash } from '../lib/place.ts'
import { usePolled } from '../lib/polled.ts'
import { type ActivityAnswer, refusalsFor, sessionsOf } from './activity.ts'
import { TimeLine } from './time-line.tsx'

const POLL_MS = 1000

interface Props {
  address: string
  /** Whether everything is shown, not only what happened last. */
  isWhole?: boolean
}

/**
 * What API clients asked of this inbox, beside the emails that arrived: why a test did not get its email. Only a
 * service on loopback records it.
 */
export function ActivityLog({ address, isWhole = false }: Props) {
  const activity = useActivity(address)
  const refusals = useRefusals()
  if (activity === undefined) return null
  const waiting = activity.requests.filter(({ status }) => status === null).length
  const sessions = sessionsOf(activity, refusalsFor(address, refusals), Date.now())
  const shown = isWhole ? sessions : sessions.slice(0, 1)
  return (
    <section class="stack tight" aria-label="API requests for this inbox">
      <div class="split">
        <h3>API requests for this inbox {waiting > 0 && <span class="chip good">{waiting} waiting</span>}</h3>
        {!isWhole && sessions.length > 0 && (
          <a class="fine" href={placeHash({ address, id: 'activity' })}>
            {sessions.length === 1 ? 'Open' : `All ${plural(sessions.length, 'session')}`}
          </a>
        )}
      </div>
      {sessions.length === 0 && (
        <p class="fine">
          None yet. Requests of your tests appear here: what each waits for, and what it gets.
        </p>
      )}
      {shown.map((session) => (
        <TimeLine key={session.from} session={session} address={address} />
      ))}
    </section>
  )
}

/** Reads the activity every second while the page is visible; undefined if the service does not record it. */
function useActivity(address: string): ActivityAnswer | undefined {
  const path = `/api/activity/${encodeURIComponent(address)}`
  const read = () => ask<ActivityAnswer>(path, { domainKey: credentials.domainKey(domainOf(address)) })
  return usePolled(read, POLL_MS, address)
}
