import { useState } from 'preact/hooks'
import { ask, send } from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import { dateTime, until } from '../lib/format.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { useStore } from '../lib/store.ts'
import { Confirm } from '../ui/dialog.tsx'
import { Problem } from '../ui/problem.tsx'
import { UseHere } from './use-here.tsx'

interface KnownKey {
  key: string
  purpose: string
  created_at: string
  expires_at: string
  requestsLeft: string | null
  requestsLimit: string | null
}

/** What the service knows of a key, for whoever holds it. */
export function LookUp() {
  const { apiKey } = useStore(credentials)
  const [text, setText] = useState('')
  const [known, setKnown] = useState<KnownKey>()
  const [revoked, setRevoked] = useState(false)
  const [problem, setProblem] = useState<ApiProblem>()

  const lookUp = async (key: string) => {
    setProblem(undefined)
    setKnown(undefined)
    setRevoked(false)
    try {
      const answer = await send('/api/keys/current', { apiKey: key })
      setKnown({
        ...(await answer.json()),
        key,
        requestsLeft: answer.headers.get('RateLimit-Remaining'),
        requestsLimit: answer.headers.get('RateLimit-Limit'),
      })
    } catch (error) {
      setProblem(error as ApiProblem)
    }
  }
  const revoke = async (key: string) => {
    try {
      await ask('/api/keys/current', { method: 'DELETE', apiKey: key })
      if (credentials.apiKey === key) credentials.apiKey = undefined
      setKnown(undefined)
      setText('')
      setRevoked(true)
    } catch (error) {
      setProblem(error as ApiProblem)
    }
  }
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          lookUp(text.trim())
        }}
      >
        <label for="look-up-key">Key</label>
        <div class="field-row">
          <input
            id="look-up-key"
            required
            placeholder="mf_…"
            autocomplete="off"
            spellcheck={false}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button type="submit">Look up</button>
        </div>
      </form>
      {apiKey !== undefined && (
        <p>
          <button type="button" class="quiet" onClick={() => lookUp(apiKey)}>
            Look up the key of this browser, …{apiKey.slice(-6)}
          </button>
        </p>
      )}
      {known && <Known known={known} onRevoke={() => revoke(known.key)} />}
      {revoked && (
        <p class="done" role="status">
          The key is revoked. It is no longer valid anywhere.
        </p>
      )}
      {problem && <Problem problem={problem} />}
    </>
  )
}

function Known({ known, onRevoke }: { known: KnownKey; onRevoke: () => void }) {
  const [asking, setAsking] = useState(false)
  return (
    <div class="known" role="status">
      <dl class="facts">
        <dt>Purpose</dt>
        <dd>{known.purpose || 'None given'}</dd>
        <dt>Made</dt>
        <dd>{dateTime(known.created_at)}</dd>
        <dt>Valid until</dt>
        <dd>
          {dateTime(known.expires_at)} <span class="fine">({until(known.expires_at, Date.now())})</span>
        </dd>
        <dt>This minute</dt>
        <dd>
          {known.requestsLeft} of {known.requestsLimit} requests left
        </dd>
      </dl>
      <div class="actions">
        <button type="button" class="danger" onClick={() => setAsking(true)}>
          Revoke
        </button>
        <UseHere apiKey={known.key} />
      </div>
      {asking && (
        <Confirm
          title="Revoke this key?"
          text="Whatever uses it is refused from now on. A revoked key cannot be brought back."
          action="Revoke"
          onConfirm={onRevoke}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
