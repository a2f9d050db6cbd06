import { useEffect, useMemo, useState } from 'preact/hooks'
import { GenerateKey, type NewKey, ShownKey } from '../keys/generate-key.tsx'
import { BASE_PATH } from '../lib/base.ts'
import { credentials } from '../lib/credentials.ts'
import { useStore } from '../lib/store.ts'
import { Command } from '../ui/command.tsx'
import { Form } from '../ui/form.tsx'
import { Problem } from '../ui/problem.tsx'
import { NewWebhookForm } from './new-webhook-form.tsx'
import { WebhookCard } from './webhook-card.tsx'
import { WebhookStore } from './webhook-store.ts'

/** Creates webhooks, pings them, and shows their deliveries. */
export function WebhooksPage() {
  const { apiKey } = useStore(credentials)
  const [generated, setGenerated] = useState<NewKey>()
  const useKey = (key: NewKey) => {
    setGenerated(key)
    credentials.apiKey = key.key
  }
  return (
    <div class="page">
      <div class="intro stack tight">
        <h1>Webhooks</h1>
        <p>We POST each new email to your URL, signed (Standard Webhooks).</p>
        <p class="fine">
          Webhooks expire with their API key. <a href={`${BASE_PATH}/docs#newWebhook`}>API reference</a>
        </p>
      </div>
      {apiKey === undefined ? (
        <ChooseKey onKey={useKey} />
      ) : (
        <Webhooks
          key={apiKey}
          apiKey={apiKey}
          generated={generated?.key === apiKey ? generated : undefined}
        />
      )}
    </div>
  )
}

function ChooseKey({ onKey }: { onKey: (key: NewKey) => void }) {
  const [key, setKey] = useState('')
  return (
    <div class="stack">
      <section class="card stack" aria-labelledby="use-key">
        <h2 id="use-key">Have a key?</h2>
        <Form
          onSubmit={() => {
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
        </Form>
      </section>
      <section class="card stack" aria-labelledby="generate">
        <h2 id="generate">New key</h2>
        <GenerateKey purpose="Webhooks" onKey={onKey} />
      </section>
    </div>
  )
}

interface WebhooksProps {
  apiKey: string
  /** The key, if it was generated on this page and is shown now and never again. */
  generated: NewKey | undefined
}

function Webhooks({ apiKey, generated }: WebhooksProps) {
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
      {generated && <ShownKey generated={generated} />}
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
