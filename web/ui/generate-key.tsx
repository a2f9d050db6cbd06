import { useEffect, useState } from 'preact/hooks'
import { ask } from '../lib/api.ts'
import { date, dateTime, plural } from '../lib/format.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { Copy } from './copy.tsx'
import { Problem } from './problem.tsx'

interface NewKey {
  key: string
  purpose: string
  expires_at: string
  rate_limit: { limit: number; window_seconds: number }
  remaining: number
}

interface Quota {
  limit: number
  remaining: number
  resets_at: string
}

interface Props {
  /** What the key is for, unless its user says otherwise. */
  purpose: string
  onKey?: (key: string) => void
}

/** Generates an API key, and shows it the one time that it can be shown. */
export function GenerateKey({ purpose: suggested, onKey }: Props) {
  const [purpose, setPurpose] = useState(suggested)
  const [quota, setQuota] = useState<Quota>()
  // None is taken away before it was copied: keys are shown this once.
  const [made, setMade] = useState<NewKey[]>([])
  const [problem, setProblem] = useState<ApiProblem>()
  const [busy, setBusy] = useState(false)

  const askQuota = () => ask<Quota>('/api/keys').then(setQuota, setProblem)
  useEffect(() => {
    askQuota()
  }, [])

  const generate = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const key = await ask<NewKey>('/api/keys', { method: 'POST', body: { purpose: purpose.trim() } })
      setMade((before) => [...before, key])
      onKey?.(key.key)
    } catch (error) {
      setProblem(error as ApiProblem)
    }
    setBusy(false)
    askQuota()
  }

  const none = quota?.remaining === 0
  return (
    <div class="generate">
      {made.map((key) => (
        <ShownKey key={key.key} made={key} />
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          generate()
        }}
      >
        <label for="purpose">
          Purpose <span class="fine">to recognise it by</span>
        </label>
        <div class="field-row">
          <input
            id="purpose"
            value={purpose}
            maxLength={100}
            placeholder="Checkout tests in CI"
            autocomplete="off"
            onInput={(event) => setPurpose(event.currentTarget.value)}
          />
          <button type="submit" class={made.length > 0 ? '' : 'primary'} disabled={busy || none}>
            {made.length > 0 ? 'Generate another' : 'Generate a key'}
          </button>
        </div>
      </form>
      {quota && <QuotaLine quota={quota} />}
      {problem && <Problem problem={problem} />}
    </div>
  )
}

function QuotaLine({ quota: { limit, remaining, resets_at } }: { quota: Quota }) {
  return (
    <div class="quota">
      <meter min={0} max={limit} value={remaining} aria-label="Keys left today" />
      <p>
        {remaining === 0 ? 'No keys left today' : `${remaining} of ${limit} keys left today`}
        {remaining < limit && `, all of them again on ${dateTime(resets_at)}`}
      </p>
    </div>
  )
}

function ShownKey({ made: { key, expires_at, rate_limit } }: { made: NewKey }) {
  return (
    <div class="shown-key" role="status">
      <p>
        <strong>Copy your key now.</strong> It is not shown again.
      </p>
      <div class="key-row">
        <code>{key}</code>
        <Copy text={key} what="key" class="primary">
          Copy
        </Copy>
      </div>
      <p class="fine">
        Valid until {date(expires_at)}. {plural(rate_limit.limit, 'request')} in{' '}
        {plural(rate_limit.window_seconds, 'second')}.
      </p>
    </div>
  )
}
