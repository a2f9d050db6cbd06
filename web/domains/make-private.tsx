import { useEffect, useState } from 'preact/hooks'
import { sha256 } from '../lib/sha256.ts'
import { Copy } from '../ui/copy.tsx'
import { RecordCard } from './record-list.tsx'

type Form = 'hashed' | 'plain'

/** As long as the service reads one in a TXT record. */
const KEY_MAX_CHARACTERS = 256

interface Props {
  domain: string
  /** Whether there is such a record now. */
  found: boolean
  isPrivate: boolean
}

/** The TXT record of a domain key, computed here: the key is sent nowhere. */
export function MakePrivate({ domain, found, isPrivate }: Props) {
  const [key, setKey] = useState('')
  const [form, setForm] = useState<Form>('hashed')
  const value = useTxtValue(key, form)
  return (
    <section class="card" aria-labelledby="private">
      <h2 id="private">{isPrivate ? 'This domain is private' : 'Make it private'}</h2>
      <p>
        With a domain key in DNS, the domain’s mail is for those who have the key. The same key on several
        domains joins them in one stream.{' '}
        {isPrivate && 'Change the record to change the key; remove it to open the domain.'}
      </p>
      <label for="new-domain-key">Domain key</label>
      <div class="field-row">
        <input
          id="new-domain-key"
          autocomplete="off"
          spellcheck={false}
          maxLength={KEY_MAX_CHARACTERS}
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
        <button type="button" onClick={() => setKey(randomKey())}>
          Make one up
        </button>
        {key !== '' && <Copy text={key} what="domain key" />}
      </div>
      <fieldset class="choices">
        <legend>In DNS, which anybody can read</legend>
        <Choice
          form="hashed"
          chosen={form}
          onChoose={setForm}
          text="Hashed"
          note="Only who has the key can read the mail."
        />
        <Choice
          form="plain"
          chosen={form}
          onChoose={setForm}
          text="Plain"
          note="Simpler, but whoever asks DNS has the key."
        />
      </fieldset>
      {value !== undefined && (
        <ul class="records" aria-label="Record for the domain key">
          <RecordCard
            record={{
              type: 'TXT',
              name: `_mayfly.${domain}`,
              value,
              purpose: found
                ? 'Replaces the one that is there.'
                : 'Makes the domain private once it is checked again.',
            }}
          />
        </ul>
      )}
      <p class="fine">
        The value is made in this browser; the key is sent nowhere. Keep it: it cannot be read back from its
        hash.
      </p>
    </section>
  )
}

interface ChoiceProps {
  form: Form
  chosen: Form
  onChoose: (form: Form) => void
  text: string
  note: string
}

function Choice({ form, chosen, onChoose, text, note }: ChoiceProps) {
  return (
    <label class="choice">
      <input type="radio" name="form" checked={form === chosen} onChange={() => onChoose(form)} />
      <span>
        {text} <span class="fine">{note}</span>
      </span>
    </label>
  )
}

function useTxtValue(key: string, form: Form): string | undefined {
  const [hash, setHash] = useState<{ of: string; hex: string }>()
  const trimmed = key.trim()
  useEffect(() => {
    sha256(trimmed).then((hex) => setHash({ of: trimmed, hex }))
  }, [trimmed])
  if (trimmed === '') return undefined
  if (form === 'plain') return `key=${trimmed}`
  return hash?.of === trimmed ? `key-sha256=${hash.hex}` : undefined
}

/** 144 random bits. */
function randomKey(): string {
  const text = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18)))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_')
}
