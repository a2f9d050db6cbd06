import { useState } from 'preact/hooks'
import { ask, send } from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import { dateTime, until } from '../lib/format.ts'
import { type ApiProblem, asProblem } from '../lib/problem.ts'
import { useStore } from '../lib/store.ts'
import { Confirm } from '../ui/dialog.tsx'
import { Form } from '../ui/form.tsx'
import { Problem } from '../ui/problem.tsx'
import { UseHere } from './use-here.tsx'

interface KnownKey {
  key: string
  purpose: string
  created_at: string
  /** Null for an operator's key, which has no end and no limit. */
  expires_at: string | null
  requestsLeft: string | null
  requestsLimit: string | null
}

/** Shows what the service knows about a key, and revokes it. */
export function LookUp() {
  const [text, setText] = useState('')
  const [known, setKnown] = useState<KnownKey>()
  const [isRevoked, setRevoked] = useState(false)
  const [problem, setProblem] = useState<ApiProblem>()

  const lookUp = async (key: string) => {
    setProblem(undefined)
    setKnown(undefined)
    setRevoked(false)
    try {
      setKnown(await knownKey(key))
    } catch (error) {
      setProblem(asProblem(error))
    }
  }
  const revoke = async (key: string) => {
    try {
      await ask('/api/keys/current', { method: 'DELETE', apiKey: key })
      if (credentials.apiKey === key) credentials.apiKey = undefined
      setKnown(undefined)
      setText((now) => (now.trim() === key ? '' : now))
      setRevoked(true)
    } catch (error) {
      setProblem(asProblem(error))
    }
  }
  return (
    <>
      <KeyForm text={text} onText={setText} onLookUp={lookUp} />
      {known && <Known known={known} onRevoke={() => revoke(known.key)} />}
      {isRevoked && (
        <p class="notice good" role="status">
          Key revoked. It no longer works.
        </p>
      )}
      {problem && <Problem problem={problem} onDismiss={() => setProblem(undefined)} />}
    </>
  )
}

interface KeyFormProps {
  text: string
  onText: (text: string) => void
  onLookUp: (key: string) => void
}

/** Asks for a key, or takes the one of this browser. */
function KeyForm({ text, onText, onLookUp }: KeyFormProps) {
  const { apiKey } = useStore(credentials)
  return (
    <>
      <Form onSubmit={() => onLookUp(text.trim())}>
        <label for="look-up-key">Key</label>
        <div class="cluster">
          <input
            id="look-up-key"
            class="grow"
            required
            placeholder="mf_…"
            autocomplete="off"
            spellcheck={false}
            value={text}
            onInput={(event) => onText(event.currentTarget.value)}
          />
          <button type="submit">Look up</button>
        </div>
      </Form>
      {apiKey !== undefined && (
        <p>
          <button type="button" class="quiet" onClick={() => onLookUp(apiKey)}>
            Look up the key saved in this browser, …{apiKey.slice(-6)}
          </button>
        </p>
      )}
    </>
  )
}

/** @throws ApiProblem */
async function knownKey(key: string): Promise<KnownKey> {
  const answer = await send('/api/keys/current', { apiKey: key })
  return {
    ...(await answer.json()),
    key,
    requestsLeft: answer.headers.get('RateLimit-Remaining'),
    requestsLimit: answer.headers.get('RateLimit-Limit'),
  }
}

function Known({ known, onRevoke }: { known: KnownKey; onRevoke: () => void }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <div class="stack" role="status">
      <KeyFacts known={known} />
      <div class="cluster">
        <UseHere apiKey={known.key} />
        <button type="button" class="danger" onClick={() => setAsking(true)}>
          Revoke
        </button>
      </div>
      {isAsking && (
        <Confirm
          title="Revoke this key?"
          text="Programs that use this key stop working, and its webhooks end. You cannot undo this."
          action="Revoke"
          onConfirm={onRevoke}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

function KeyFacts({ known }: { known: KnownKey }) {
  const { purpose, created_at, expires_at, requestsLeft, requestsLimit } = known
  return (
    <dl class="facts">
      <dt>Purpose</dt>
      <dd>{purpose || 'None'}</dd>
      <dt>Generated</dt>
      <dd>{dateTime(created_at)}</dd>
      {expires_at !== null && (
        <>
          <dt>Valid until</dt>
          <dd>
            {dateTime(expires_at)} <span class="fine">({until(expires_at, Date.now())})</span>
          </dd>
        </>
      )}
      {requestsLimit !== null && (
        <>
          <dt>This minute</dt>
          <dd>
            {requestsLeft} of {requestsLimit} requests left
          </dd>
        </>
      )}
    </dl>
  )
}
