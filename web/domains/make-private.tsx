import { useEffect, useState } from 'preact/hooks'
import { Copy } from '../ui/copy.tsx'
import { RecordList } from './record-list.tsx'

type Form = 'hashed' | 'plain'

/** The service reads keys of at most this length from a TXT record. */
const KEY_MAX_CHARACTERS = 256

/** Browsers offer SHA-256 to https and localhost only. */
const CAN_HASH = globalThis.crypto?.subtle !== undefined

interface Props {
  domain: string
  /** Whether the domain has such a record. */
  isFound: boolean
  isPrivate: boolean
}

/** The TXT record of a domain key. It is computed here, so that the key stays in the browser. */
export function MakePrivate({ domain, isFound, isPrivate }: Props) {
  const [key, setKey] = useState('')
  const [form, setForm] = useState<Form>(CAN_HASH ? 'hashed' : 'plain')
  const value = useTxtValue(key, form)
  const purpose = isFound ? 'Replaces the existing record.' : 'Makes the domain private at the next check.'
  return (
    <section class="card stack" aria-labelledby="private">
      <h2 id="private">{isPrivate ? 'This domain is private' : 'Make this domain private'}</h2>
      <p>
        Publish a domain key in DNS, and only people who have it can read the mail.{' '}
        {isPrivate && 'Change the record to change the key, or remove it to make the domain public.'}
      </p>
      <KeyField value={key} onChange={setKey} />
      <FormChoice chosen={form} onChoose={setForm} />
      {value !== undefined && (
        <RecordList
          label="Record for the domain key"
          records={[{ type: 'TXT', name: `_mayfly.${domain}`, value, purpose }]}
        />
      )}
      <p class="fine">The key never leaves this browser. Keep a copy. It cannot be recovered.</p>
    </section>
  )
}

function KeyField({ value, onChange }: { value: string; onChange: (key: string) => void }) {
  return (
    <div>
      <label for="new-domain-key">Domain key</label>
      <div class="cluster">
        <input
          id="new-domain-key"
          class="grow"
          autocomplete="off"
          spellcheck={false}
          maxLength={KEY_MAX_CHARACTERS}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
        <button type="button" onClick={() => onChange(randomKey())}>
          Generate
        </button>
        {value !== '' && <Copy text={value} what="domain key" />}
      </div>
    </div>
  )
}

function FormChoice({ chosen, onChoose }: Pick<ChoiceProps, 'chosen' | 'onChoose'>) {
  return (
    <fieldset class="stack tight">
      <legend>What others see in DNS</legend>
      <Choice form="hashed" chosen={chosen} onChoose={onChoose} isDisabled={!CAN_HASH} text="Hashed">
        {CAN_HASH ? 'The record does not reveal the key.' : 'Only over https or on localhost.'}
      </Choice>
      <Choice form="plain" chosen={chosen} onChoose={onChoose} text="Plain">
        Anyone can look up the key.
      </Choice>
    </fieldset>
  )
}

interface ChoiceProps {
  form: Form
  chosen: Form
  onChoose: (form: Form) => void
  isDisabled?: boolean
  text: string
  children: string
}

function Choice({ form, chosen, onChoose, isDisabled = false, text, children }: ChoiceProps) {
  return (
    <label class="cluster nowrap choice">
      <input
        type="radio"
        name="form"
        checked={form === chosen}
        disabled={isDisabled}
        onChange={() => onChoose(form)}
      />
      <span>
        {text} <span class="fine">{children}</span>
      </span>
    </label>
  )
}

function useTxtValue(key: string, form: Form): string | undefined {
  const [hash, setHash] = useState<{ of: string; hex: string }>()
  const trimmed = key.trim()
  useEffect(() => {
    if (form === 'hashed') sha256(trimmed).then((hex) => setHash({ of: trimmed, hex }))
  }, [trimmed, form])
  if (trimmed === '') return undefined
  if (form === 'plain') return `key=${trimmed}`
  return hash?.of === trimmed ? `key-sha256=${hash.hex}` : undefined
}

/** Hex SHA-256 of the UTF-8 of a text. */
async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** 144 random bits. */
function randomKey(): string {
  const text = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18)))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_')
}
