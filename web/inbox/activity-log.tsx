import { useEffect, useState } from 'preact/hooks'
import { ask, domainOf } from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import { ApiProblem } from '../lib/problem.ts'

interface ClientRequest {
  method: string
  target: string
  started_at: string
  /** Null while the client waits for the answer. */
  status: number | null
  ms: number | null
}

const POLL_MS = 1000
const SHOWN = 8

/** The latest requests of API clients for this inbox. Only a service on loopback has them. */
export function ActivityLog({ address }: { address: string }) {
  const requests = useRequests(address)
  if (requests === undefined) return null
  const waiting = requests.filter(({ status }) => status === null).length
  return (
    <section class="stack tight" aria-label="API requests for this inbox">
      <h3>API requests for this inbox {waiting > 0 && <span class="chip good">{waiting} waiting</span>}</h3>
      {requests.length === 0 ? (
        <p class="fine">None yet. Requests of your tests appear here, with how long they wait.</p>
      ) : (
        <ul class="ruled">
          {requests.slice(0, SHOWN).map((request) => (
            <li key={`${request.started_at} ${request.target}`} class="split">
              <code class="wrap">
                {request.method} {request.target || '/'}
              </code>
              <span class={`fine ${(request.status ?? 0) >= 400 ? 'bad' : ''}`}>{stateOf(request)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function stateOf({ status, ms, started_at }: ClientRequest): string {
  if (status !== null) return `${status} after ${seconds(ms ?? 0)}`
  return `waiting for ${seconds(Math.max(0, Date.now() - Date.parse(started_at)))}`
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`
}

/** Reads the requests every second while the page is visible; undefined if the service does not record them. */
function useRequests(address: string): ClientRequest[] | undefined {
  const [requests, setRequests] = useState<ClientRequest[]>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isWanted = true
    const read = async () => {
      try {
        if (document.visibilityState === 'visible') {
          const path = `/api/activity/${encodeURIComponent(address)}`
          const domainKey = credentials.domainKey(domainOf(address))
          const answer = await ask<{ requests: ClientRequest[] }>(path, { domainKey })
          if (isWanted) setRequests(answer.requests)
        }
      } catch (error) {
        if (!(error instanceof ApiProblem && error.isTransient)) return
      }
      if (isWanted) timer = setTimeout(read, POLL_MS)
    }
    void read()
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [address])
  return requests
}
