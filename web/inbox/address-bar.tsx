import { useEffect, useState } from 'preact/hooks'
import type { ListedDomain } from '../lib/api.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { Copy } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import { allDomains, freshUsername } from './fresh-address.ts'

interface Props {
  address: string
  onChange: (address: string) => void
}

/** The address, to copy, to change in either part, or to swap for a new one. */
export function AddressBar({ address, onChange }: Props) {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const [username, setUsername] = useState(address.slice(0, at))
  const [domains, setDomains] = useState<ListedDomain[]>([])
  const [problem, setProblem] = useState<ApiProblem>()

  useEffect(() => {
    // Without the list the address can still be read and typed; the inbox itself tells what is wrong.
    allDomains().then(setDomains, () => {})
  }, [])

  const commit = () => {
    const typed = username.trim().toLowerCase()
    if (typed === '') setUsername(address.slice(0, at))
    else if (typed.includes('@')) onChange(typed)
    else if (typed !== address.slice(0, at)) onChange(`${typed}@${domain}`)
  }
  const takeNew = async () => {
    setProblem(undefined)
    try {
      onChange(`${await freshUsername()}@${domain}`)
    } catch (error) {
      setProblem(error as ApiProblem)
    }
  }
  const names = domains.map((listed) => listed.domain)
  return (
    <section class="address" aria-labelledby="address-heading">
      <h1 id="address-heading" class="eyebrow">
        Your address
      </h1>
      <form
        class="address-form"
        onSubmit={(event) => {
          event.preventDefault()
          commit()
        }}
      >
        <div class="address-parts">
          <input
            class="username"
            aria-label="Username"
            value={username}
            onInput={(event) => setUsername(event.currentTarget.value)}
            onBlur={commit}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            maxLength={320}
            size={Math.max(6, username.length)}
          />
          <span class="at">@</span>
          <select
            class="domain"
            aria-label="Domain"
            value={domain}
            onChange={(event) => onChange(`${address.slice(0, at)}@${event.currentTarget.value}`)}
          >
            {!names.includes(domain) && <option value={domain}>{domain}</option>}
            {domains.map((listed) => (
              <option key={listed.domain} value={listed.domain}>
                {listed.private ? `${listed.domain} (private)` : listed.domain}
              </option>
            ))}
          </select>
        </div>
        <div class="address-actions">
          <Copy text={address} what="address" class="primary">
            Copy
          </Copy>
          <button type="button" onClick={takeNew}>
            <Icon name="fresh" />
            New address
          </button>
        </div>
      </form>
      {problem && <Problem problem={problem} />}
    </section>
  )
}
