import { useState } from 'preact/hooks'
import { FILTER_NAMES, type FilterName, HAS, HAS_VALUES } from '../../core/inbox/filter.ts'
import { recentAddresses } from '../lib/recent.ts'
import { Form } from '../ui/form.tsx'
import type { NewWebhook, WebhookStore } from './webhook-store.ts'

const NO_CONDITIONS = Object.fromEntries(FILTER_NAMES.map((name) => [name, ''])) as Record<FilterName, string>
const EMPTY: NewWebhook = { ...NO_CONDITIONS, url: '', target: '', domainKey: '' }

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
    onInput: ({ currentTarget: { value } }) => setValues((before) => ({ ...before, [name]: value })),
    autocomplete: 'off',
    spellcheck: false,
  })
  const create = async () => {
    setBusy(true)
    if (await store.create(values)) setValues((now) => withoutSent(now, values))
    setBusy(false)
  }
  return (
    <Form class="stack" onSubmit={create}>
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
    </Form>
  )
}

/** The optional fields: which emails, and the key of a private domain. */
function Conditions({ field }: { field: FieldOf }) {
  return (
    <details>
      <summary class="fine">Filters and domain key</summary>
      <div class="cells">
        {FILTER_NAMES.filter((name) => name !== 'has').map((name) => (
          <div key={name}>
            <label for={`webhook-${name}`}>{`${name === 'q' ? 'Text' : capitalized(name)} contains`}</label>
            <input {...field(name)} />
          </div>
        ))}
        <div>
          <label for="webhook-has">Has</label>
          <select {...field('has')}>
            <option value="">anything</option>
            {HAS_VALUES.map((value) => (
              <option key={value} value={value}>
                {HAS[value].words}
              </option>
            ))}
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

/** Empties the fields of a created webhook but its target. What was typed since it was sent stays. */
function withoutSent(now: NewWebhook, sent: NewWebhook): NewWebhook {
  const kept = Object.entries(now).filter(
    ([name, value]) => name === 'target' || value !== sent[name as keyof NewWebhook],
  )
  return { ...EMPTY, ...Object.fromEntries(kept) }
}

/** Returns the name of a filter as a label shows it, such as "Subject". */
function capitalized(name: string): string {
  return name[0]!.toUpperCase() + name.slice(1).replaceAll('_', ' ')
}
