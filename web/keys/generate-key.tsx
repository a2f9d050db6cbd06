import { useEffect, useState } from 'preact/hooks'
import type { InferOutput } from 'valibot'
import type { CreatedKeyAnswer, QuotaAnswer } from '../../adapters/http/wire/access.ts'
import { ask } from '../lib/api.ts'
import { date, dayAndTime, plural } from '../lib/format.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { Copy } from '../ui/copy.tsx'
import { Form } from '../ui/form.tsx'
import { Problem } from '../ui/problem.tsx'

export type NewKey = InferOutput<typeof CreatedKeyAnswer>
type Quota = InferOutput<typeof QuotaAnswer>

interface Props {
  /** The suggested purpose. */
  purpose: string
  onKey?: (key: NewKey) => void
}

/** Generates API keys and shows each of them once. */
export function GenerateKey({ purpose: suggested, onKey }: Props) {
  const [quota, setQuota] = useState<Quota>()
  // All of them stay visible, because a key cannot be shown again.
  const [generated, setGenerated] = useState<NewKey[]>([])
  const [problem, setProblem] = useState<ApiProblem>()
  const [isBusy, setBusy] = useState(false)

  const readQuota = () => ask<Quota>('/api/keys').then(setQuota, setProblem)
  useEffect(() => void readQuota(), [])

  const generate = async (purpose: string) => {
    setBusy(true)
    setProblem(undefined)
    try {
      const key = await ask<NewKey>('/api/keys', { method: 'POST', body: { purpose } })
      setGenerated((before) => [...before, key])
      onKey?.(key)
    } catch (error) {
      setProblem(error as ApiProblem)
    }
    setBusy(false)
    void readQuota()
  }

  return (
    <>
      {generated.map((key) => (
        <ShownKey key={key.key} generated={key} />
      ))}
      <PurposeForm
        initial={suggested}
        isFirst={generated.length === 0}
        isDisabled={isBusy || quota?.remaining === 0}
        onGenerate={generate}
      />
      {quota && <QuotaLine quota={quota} />}
      {problem && <Problem problem={problem} onDismiss={() => setProblem(undefined)} />}
    </>
  )
}

interface PurposeFormProps {
  initial: string
  isFirst: boolean
  isDisabled: boolean
  onGenerate: (purpose: string) => void
}

function PurposeForm({ initial, isFirst, isDisabled, onGenerate }: PurposeFormProps) {
  const [purpose, setPurpose] = useState(initial)
  return (
    <Form onSubmit={() => onGenerate(purpose.trim())}>
      <label for="purpose">
        Purpose <span class="fine">optional, to recognise the key later</span>
      </label>
      <div class="cluster">
        <input
          id="purpose"
          class="grow"
          value={purpose}
          maxLength={100}
          placeholder="Checkout tests in CI"
          autocomplete="off"
          onInput={(event) => setPurpose(event.currentTarget.value)}
        />
        <button type="submit" class={isFirst ? 'primary' : ''} disabled={isDisabled}>
          {isFirst ? 'Generate a key' : 'Generate another'}
        </button>
      </div>
    </Form>
  )
}

function QuotaLine({ quota: { limit, remaining, resets_at } }: { quota: Quota }) {
  return (
    <p class="cluster fine">
      <meter min={0} max={limit} value={remaining} aria-label="Keys left today" />
      {remaining} of {limit} left.{remaining < limit && ` Resets ${dayAndTime(resets_at, Date.now())}.`}
    </p>
  )
}

/** A key that was generated just now. */
export function ShownKey({ generated: { key, expires_at, rate_limit } }: { generated: NewKey }) {
  return (
    <div class="box highlight stack tight" role="status">
      <p>
        <strong>Copy your key now.</strong> You will not see it again.
      </p>
      <div class="split">
        <code class="wrap">{key}</code>
        <Copy text={key} what="key" class="primary">
          Copy
        </Copy>
      </div>
      <p class="fine">
        Valid until {date(expires_at)}; {rateText(rate_limit)}.
      </p>
    </div>
  )
}

function rateText({ limit, window_seconds }: NewKey['rate_limit']): string {
  return `${plural(limit, 'request')} ${window_seconds === 60 ? 'a minute' : `every ${plural(window_seconds, 'second')}`}`
}
