import { useEffect, useState } from 'preact/hooks'
import type { ListedDomain } from '../lib/api.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { Copy } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import { allDomains, freshUsername } from './fresh-address.ts'
import { RecentAddresses } from './recent-addresses.tsx'

interface Props {
  address: string
  onChange: (address: string) => void
}

/** The address, to copy, to change in either part, to swap for a new one, or for one of before. */
export function AddressBar({ address, onChange }: Props) {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const [username, setUsername] = useState(address.slice(0, at))
  const [domains, setDomains] = useState<ListedDomain[]>([])
  const [problem, setProblem] = useState<ApiProblem>()

  useEffect(() => setUsername(address.slice(0, at)), [address])
  useEffect(() => {
    // Without the list the address can still be read and typed; the inbox itself tells what is wrong.
    allDomains().then(setDomains, () => {})
  }, [])

  // What is typed is the address already, for whoever copies it before anything else.
  const typed = addressOf(username, domain) ?? address
  const commit = () => (typed === address ? setUsername(address.slice(0, at)) : onChange(typed))
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
    <section class="address" aria-label="Your address">
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
            title="Any name works: type one"
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
          {names.length > 1 || !names.includes(domain) ? (
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
          ) : (
            <span class="domain">{domain}</span>
          )}
        </div>
        <div class="address-actions">
          <Copy text={typed} what="address" class="primary">
            Copy
          </Copy>
          <button type="button" onClick={takeNew} title="Take an address that nobody else was given">
            <Icon name="fresh" />
            New<span class="wide-only"> address</span>
          </button>
          <RecentAddresses current={address} onChoose={onChange} />
        </div>
      </form>
      {problem && <Problem problem={problem} />}
    </section>
  )
}

/** A whole address may be pasted into the field of the name, also as `mailto:` or between angle brackets. */
function addressOf(text: string, domain: string): string | undefined {
  const typed = text
    .trim()
    .toLowerCase()
    .replace(/^mailto:/, '')
    .replace(/^.*<(.*)>$/, '$1')
  if (typed === '') return undefined
  return typed.includes('@') ? typed : `${typed}@${domain}`
}
