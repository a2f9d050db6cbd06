import { useState } from 'preact/hooks'
import { recentAddresses } from '../lib/recent.ts'
import type { NewWebhook, WebhookStore } from './webhook-store.ts'

const EMPTY: NewWebhook = { url: '', target: '', from: '', subject: '', has: '', domainKey: '' }

export function NewWebhookForm({ store }: { store: WebhookStore }) {
  const [values, setValues] = useState<NewWebhook>({ ...EMPTY, target: recentAddresses()[0] ?? '' })
  const [isBusy, setBusy] = useState(false)
  const field = (name: keyof NewWebhook) => ({
    id: `webhook-${name}`,
    value: values[name],
    onInput: (event: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
    autocomplete: 'off',
    spellcheck: false,
  })
  const create = async () => {
    setBusy(true)
    if (await store.create(values)) setValues({ ...EMPTY, target: values.target })
    setBusy(false)
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        create()
      }}
    >
      <div>
        <label for="webhook-url">URL</label>
        <input {...field('url')} type="url" required placeholder="https://example.com/mail" />
      </div>
      <div>
        <label for="webhook-target">Address, or a whole domain</label>
        <input {...field('target')} required placeholder="bot42@example.com" />
      </div>
      <details>
        <summary class="fine">Only some emails, or a private domain</summary>
        <div class="cells">
          <div>
            <label for="webhook-from">From contains</label>
            <input {...field('from')} />
          </div>
          <div>
            <label for="webhook-subject">Subject contains</label>
            <input {...field('subject')} />
          </div>
          <div>
            <label for="webhook-has">Has</label>
            <select {...field('has')}>
              <option value="">anything</option>
              <option value="code">a code</option>
              <option value="link">a link</option>
              <option value="action_link">an action link</option>
              <option value="attachment">an attachment</option>
            </select>
          </div>
          <div>
            <label for="webhook-domainKey">Domain key</label>
            <input {...field('domainKey')} type="password" />
          </div>
        </div>
      </details>
      <p>
        <button type="submit" class="primary" disabled={isBusy}>
          Create webhook
        </button>
      </p>
    </form>
  )
}
