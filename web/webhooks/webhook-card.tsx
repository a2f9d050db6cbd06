import { useEffect, useState } from 'preact/hooks'
import { FILTER_NAMES, HAS } from '../../core/inbox/filter.ts'
import { dateTime } from '../lib/format.ts'
import { Confirm } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import type { Attempt, Webhook, WebhookStore } from './webhook-store.ts'

interface Props {
  store: WebhookStore
  webhook: Webhook
}

export function WebhookCard({ store, webhook }: Props) {
  const { id, url, status, expires_at } = webhook
  const [isConfirming, setConfirming] = useState(false)
  useEffect(() => void store.loadDeliveries(id), [id])
  return (
    <section class="card stack" aria-label={`Webhook to ${url}`}>
      <div class="split">
        <h2 class="wrap">{url}</h2>
        {status && <span class={`chip ${status === 'live' ? 'good' : 'warn'}`}>{status}</span>}
      </div>
      <p class="fine">
        {conditions(webhook)}. Expires on {dateTime(expires_at)}.
      </p>
      <div class="cluster">
        <PingButton store={store} id={id} />
        <button type="button" onClick={() => void store.loadDeliveries(id)}>
          <Icon name="fresh" />
          Refresh
        </button>
        <button type="button" class="danger" onClick={() => setConfirming(true)}>
          Delete
        </button>
      </div>
      <Deliveries attempts={store.deliveries.get(id)} />
      {isConfirming && (
        <Confirm
          title="Delete this webhook?"
          text={`${url} receives no more emails. Pending retries are dropped.`}
          action="Delete"
          onConfirm={() => void store.remove(id)}
          onClose={() => setConfirming(false)}
        />
      )}
    </section>
  )
}

function PingButton({ store, id }: { store: WebhookStore; id: string }) {
  const [isBusy, setBusy] = useState(false)
  const ping = async () => {
    setBusy(true)
    await store.ping(id)
    setBusy(false)
  }
  return (
    <button type="button" onClick={ping} disabled={isBusy}>
      <Icon name="send" />
      {isBusy ? 'Pinging…' : 'Send a ping'}
    </button>
  )
}

function conditions(webhook: Webhook): string {
  const parts = [`Emails to ${webhook.address ?? webhook.domain}`]
  for (const name of FILTER_NAMES) {
    const value = webhook[name]
    if (value === undefined) continue
    if (name === 'has') parts.push(`with ${HAS[webhook.has!].words}`)
    else parts.push(`${name === 'q' ? 'text' : name} “${value}”`)
  }
  return parts.join(', ')
}

function Deliveries({ attempts }: { attempts: Attempt[] | undefined }) {
  if (attempts === undefined) return <p class="fine">Loading deliveries…</p>
  if (attempts.length === 0) return <p class="fine">No deliveries yet.</p>
  return (
    <div class="table-scroll">
      <table>
        <caption class="visually-hidden">Deliveries</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Event</th>
            <th scope="col">Result</th>
            <th scope="col">Duration</th>
            <th scope="col">Next attempt</th>
          </tr>
        </thead>
        <tbody>
          {attempts.map(({ time, type, status, error, ms, next_attempt_at }) => (
            <tr key={`${time} ${type}`}>
              <td>{dateTime(time)}</td>
              <td>{type}</td>
              <td class={status !== null && status < 300 ? 'good' : 'bad'}>{status ?? error}</td>
              <td>{ms} ms</td>
              <td>{next_attempt_at === null ? '' : dateTime(next_attempt_at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
