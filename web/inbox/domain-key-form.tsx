import { useEffect, useRef, useState } from 'preact/hooks'
import { credentials } from '../lib/credentials.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { inWords } from '../lib/words.ts'
import { Icon } from '../ui/icon.tsx'

interface Props {
  domain: string
  problem: ApiProblem
  onKey: () => void
}

/** Asks for the key of a private domain. */
export function DomainKeyForm({ domain, problem, onKey }: Props) {
  const [key, setKey] = useState('')
  const wrong = problem.code === 'domain_key_invalid'
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      class="card narrow"
      onSubmit={(event) => {
        event.preventDefault()
        credentials.setDomainKey(domain, key.trim())
        onKey()
      }}
    >
      <h2>
        <Icon name="lock" />
        {domain} is private
      </h2>
      <p>
        Its mail is for those who have the domain key. It stays in this tab and is in no link that you copy.
      </p>
      <label for="domain-key">Domain key</label>
      <div class="field-row">
        <input
          id="domain-key"
          ref={field}
          type="password"
          autocomplete="off"
          required
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
          aria-invalid={wrong}
          aria-describedby={wrong ? 'domain-key-wrong' : undefined}
        />
        <button type="submit" class="primary">
          Open
        </button>
      </div>
      {wrong && (
        <p id="domain-key-wrong" class="wrong" role="alert">
          {inWords(problem).title}. {inWords(problem).detail}
        </p>
      )}
    </form>
  )
}
