import { useState } from 'preact/hooks'
import { recentAddresses } from '../lib/recent.ts'
import type { NewWebhook, WebhookStore } from './webhook-store.ts'

const EMPTY: NewWebhook = { url: '', target: '', from: '', subject: '', has: '', domainKey: '' }

/** Returns the attributes of the form control for a value. */
type FieldOf = (name: keyof NewWebhook) => {
  id: string
  value: string
  onInput: (event: { currentTarget: HTMLInputElement | HTMLSelectElement }) => void
  autocomplete: string
  spellcheck: boolean
}

export function NewWebhookForm({ store }: { store: WebhookStore }) {
  const [values, setValues] = useState<NewWebhook>({ ...EMPTY, target: recentAddresses()[0] ?? '' })
  const [isBusy, setBusy] = useState(false)
  const field: FieldOf = (name) => ({
    id: `webhook-${name}`,
    value: values[name],
    onInput: (event) => setValues({ ...values, [name]: event.currentTarget.value }),
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
        <label for="webhook-target">Address or domain</label>
        <input {...field('target')} required placeholder="bot42@example.com" />
      </div>
      <Conditions field={field} />
      <p>
        <button type="submit" class="primary" disabled={isBusy}>
          Create webhook
        </button>
      </p>
    </form>
  )
}

/** The optional fields: which emails, and the key of a private domain. */
function Conditions({ field }: { field: FieldOf }) {
  return (
    <details>
      <summary class="fine">Filters and domain key</summary>
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
  )
}
