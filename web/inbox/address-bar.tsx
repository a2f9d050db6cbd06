import { useEffect, useState } from 'preact/hooks'
import { addressFault, addressFrom } from '../lib/address.ts'
import { domainOf, type ListedDomain } from '../lib/api.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { Copy } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import { allDomains, freshUsername } from './fresh-address.ts'
import { RecentAddresses } from './recent-addresses.tsx'
import { ShareButton } from './share.tsx'

interface Props {
  address: string
  onChange: (address: string) => void
}

/** The address: to copy, to edit, to share, and to exchange for a new or an earlier one. */
export function AddressBar({ address, onChange }: Props) {
  const domain = domainOf(address)
  const username = address.slice(0, -domain.length - 1)
  const [text, setText] = useState(username)
  const [fault, setFault] = useState<string>()
  const [domains, setDomains] = useState<ListedDomain[]>([])
  const [problem, setProblem] = useState<ApiProblem>()

  useEffect(() => {
    setText(username)
    setFault(undefined)
  }, [address])
  useEffect(() => {
    // Without the list the address can still be read and edited.
    allDomains().then(setDomains, () => {})
  }, [])

  const typed = addressFrom(text, domain)
  const commit = () => {
    if (typed === undefined) return setText(username)
    const wrong = addressFault(typed)
    setFault(wrong)
    if (wrong === undefined && typed !== address) onChange(typed)
  }
  const chooseNew = async () => {
    setProblem(undefined)
    try {
      onChange(`${await freshUsername()}@${domain}`)
    } catch (error) {
      setProblem(error as ApiProblem)
    }
  }
  return (
    <section class="address cluster" aria-label="Your address">
      <form
        class="address-parts"
        onSubmit={(event) => {
          event.preventDefault()
          commit()
        }}
      >
        <input
          class="username"
          aria-label="Username"
          title="Type any name"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onBlur={commit}
          aria-invalid={fault !== undefined}
          aria-describedby={fault === undefined ? undefined : 'address-fault'}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          maxLength={320}
          size={Math.max(4, text.length)}
        />
        <span class="at">@</span>
        <DomainChoice
          domain={domain}
          domains={domains}
          onChange={(chosen) => onChange(`${username}@${chosen}`)}
        />
      </form>
      <div class="cluster">
        {/* Text that was just typed can be copied before it is committed. */}
        <Copy text={typed ?? address} what="address" class="primary">
          Copy
        </Copy>
        <button type="button" onClick={chooseNew} aria-label="New address" title="Use a new random address">
          <Icon name="fresh" />
          <span class="wide-only">New address</span>
        </button>
        <RecentAddresses current={address} onChoose={onChange} />
        <ShareButton address={address} />
      </div>
      {fault !== undefined && (
        <p id="address-fault" class="wrong" role="alert">
          {fault}
        </p>
      )}
      {problem && <Problem problem={problem} onDismiss={() => setProblem(undefined)} />}
    </section>
  )
}

interface DomainChoiceProps {
  domain: string
  domains: ListedDomain[]
  onChange: (domain: string) => void
}

function DomainChoice({ domain, domains, onChange }: DomainChoiceProps) {
  const isListed = domains.some((listed) => listed.domain === domain)
  if (domains.length === 1 && isListed) return <span class="domain">{domain}</span>
  return (
    <select
      class="domain"
      aria-label="Domain"
      value={domain}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {!isListed && <option value={domain}>{domain}</option>}
      {domains.map((listed) => (
        <option key={listed.domain} value={listed.domain}>
          {listed.private ? `${listed.domain} (private)` : listed.domain}
        </option>
      ))}
    </select>
  )
}
