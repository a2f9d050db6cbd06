import { useState } from 'preact/hooks'
import { credentials } from '../lib/credentials.ts'
import { useStore } from '../lib/store.ts'
import { Dialog } from '../ui/dialog.tsx'
import { GenerateKey } from '../ui/generate-key.tsx'

/** Gives the inbox an API key: one that there is, or a new one. */
export function KeyDialog({ onClose }: { onClose: () => void }) {
  const { apiKey } = useStore(credentials)
  const [generating, setGenerating] = useState(false)
  return (
    <Dialog title="API key" onClose={onClose}>
      <p>
        With a key the inbox shows HTML, attachments, headers and the raw message, remembers what was read,
        and can delete. It is kept in this browser only.
      </p>
      {apiKey !== undefined && !generating ? <KeyInUse apiKey={apiKey} /> : <EnterKey onDone={onClose} />}
      {(apiKey === undefined || generating) && (
        <>
          <p class="or">or</p>
          <GenerateKey
            purpose="Inbox in the browser"
            onKey={(key) => {
              setGenerating(true)
              credentials.apiKey = key
            }}
          />
        </>
      )}
    </Dialog>
  )
}

function KeyInUse({ apiKey }: { apiKey: string }) {
  return (
    <>
      <p>
        In use: <code>…{apiKey.slice(-6)}</code>
      </p>
      <p class="actions">
        <button type="button" onClick={() => (credentials.apiKey = undefined)}>
          Forget it here
        </button>
        <a class="button" href="/keys">
          Manage keys
        </a>
      </p>
    </>
  )
}

function EnterKey({ onDone }: { onDone: () => void }) {
  const [text, setText] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        credentials.apiKey = text.trim()
        onDone()
      }}
    >
      <label for="api-key">Enter a key</label>
      <div class="field-row">
        <input
          id="api-key"
          autocomplete="off"
          spellcheck={false}
          required
          placeholder="mf_…"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit">Use</button>
      </div>
    </form>
  )
}
