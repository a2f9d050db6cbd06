import { useEffect, useRef, useState } from 'preact/hooks'
import { credentials } from '../lib/credentials.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { inWords } from '../lib/words.ts'
import { Form } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'

interface Props {
  domain: string
  problem: ApiProblem
  onKey: () => void
}

/** Asks for the key of a private domain. */
export function DomainKeyForm({ domain, problem, onKey }: Props) {
  const [key, setKey] = useState('')
  const isWrong = problem.code === 'domain_key_invalid'
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <Form
      class="card narrow stack"
      onSubmit={() => {
        credentials.setDomainKey(domain, key.trim())
        onKey()
      }}
    >
      <h2 class="cluster">
        <Icon name="lock" />
        {domain} is private
      </h2>
      <p>Enter the domain key to read its mail. The key stays in this tab and never appears in a link.</p>
      <div>
        <label for="domain-key">Domain key</label>
        <div class="cluster">
          <input
            id="domain-key"
            class="grow"
            ref={field}
            type="password"
            autocomplete="off"
            required
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
            aria-invalid={isWrong}
            aria-describedby={isWrong ? 'domain-key-wrong' : undefined}
          />
          <button type="submit" class="primary">
            Open
          </button>
        </div>
        {isWrong && (
          <p id="domain-key-wrong" class="fine bad" role="alert">
            {inWords(problem).title}. {inWords(problem).detail}
          </p>
        )}
      </div>
    </Form>
  )
}
