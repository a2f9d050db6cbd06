import { useEffect, useMemo, useState } from 'preact/hooks'
import { GenerateKey } from '../keys/generate-key.tsx'
import { credentials } from '../lib/credentials.ts'
import { useStore } from '../lib/store.ts'
import { Command } from '../ui/command.tsx'
import { Problem } from '../ui/problem.tsx'
import { NewWebhookForm } from './new-webhook-form.tsx'
import { WebhookCard } from './webhook-card.tsx'
import { WebhookStore } from './webhook-store.ts'

/** Creates webhooks, pings them, and shows their deliveries. */
export function WebhooksPage() {
  const { apiKey } = useStore(credentials)
  return (
    <div class="page">
      <div class="intro stack tight">
        <h1>Webhooks</h1>
        <p>Each new email is sent to your URL as a POST request, signed as in Standard Webhooks.</p>
        <p class="fine">
          A webhook belongs to an API key and expires with it. See the <a href="/docs#newWebhook">API</a>.
        </p>
      </div>
      {apiKey === undefined ? <ChooseKey /> : <Webhooks key={apiKey} apiKey={apiKey} />}
    </div>
  )
}

function ChooseKey() {
  const [key, setKey] = useState('')
  return (
    <div class="stack">
      <section class="card stack" aria-labelledby="use-key">
        <h2 id="use-key">Use an API key</h2>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            credentials.apiKey = key.trim()
          }}
        >
          <label for="api-key">API key</label>
          <div class="cluster">
            <input
              id="api-key"
              class="grow"
              required
              placeholder="mf_…"
              autocomplete="off"
              spellcheck={false}
              value={key}
              onInput={(event) => setKey(event.currentTarget.value)}
            />
            <button type="submit" class="primary">
              Use this key
            </button>
          </div>
        </form>
      </section>
      <section class="card stack" aria-labelledby="generate">
        <h2 id="generate">Or generate one</h2>
        <GenerateKey purpose="Webhooks" />
      </section>
    </div>
  )
}

function Webhooks({ apiKey }: { apiKey: string }) {
  const store = useStore(useMemo(() => new WebhookStore(), []))
  useEffect(() => void store.load(), [])
  const { webhooks, problem, created } = store
  return (
    <div class="stack">
      <p class="split fine">
        <span>
          API key <code>…{apiKey.slice(-6)}</code>
        </span>
        <button type="button" class="quiet" onClick={() => (credentials.apiKey = undefined)}>
          Use another key
        </button>
      </p>
      {problem && <Problem problem={problem} onDismiss={() => store.dismiss()} />}
      {created && (
        <div class="box highlight stack tight" role="status">
          <p>
            <strong>Copy the secret now.</strong> Your server verifies signatures with it. You will not see it
            again.
          </p>
          <Command text={created.secret} what="secret" />
        </div>
      )}
      <section class="card stack" aria-labelledby="new">
        <h2 id="new">New webhook</h2>
        <NewWebhookForm store={store} />
      </section>
      {webhooks?.length === 0 && <p class="nothing">This API key has no webhooks yet.</p>}
      {webhooks?.map((webhook) => (
        <WebhookCard key={webhook.id} store={store} webhook={webhook} />
      ))}
    </div>
  )
}
