import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { addressFault, addressFrom, EVERYTHING } from '../lib/address.ts'
import { domainOf, type ListedDomain } from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import { showsAllMail, useInfo } from '../lib/info.ts'
import { placeHash } from '../lib/place.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { Copy } from '../ui/copy.tsx'
import { Form } from '../ui/form.tsx'
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
  const name = useUsername(address, onChange)
  const [problem, setProblem] = useState<ApiProblem>()
  const chooseNew = () => {
    setProblem(undefined)
    freshUsername().then((fresh) => onChange(`${fresh}@${domainOf(address)}`), setProblem)
  }
  return (
    <section class="address cluster" aria-label="Your address">
      <AddressForm address={address} name={name} onChange={onChange} />
      <div class="cluster">
        {/* Text that was just typed can be copied before it is committed. */}
        <Copy text={name.typed ?? address} what="address" class="primary">
          Copy
        </Copy>
        <button
          type="button"
          onClick={chooseNew}
          aria-label="New address"
          title="Switch to a new random address"
        >
          <Icon name="fresh" />
          <span class="wide-only">New address</span>
        </button>
        <RecentAddresses current={address} onChoose={onChange} />
        <DomainLink domain={domainOf(address)} />
        <AllMailLink />
        <ShareButton address={address} />
      </div>
      {name.fault !== undefined && (
        <p id="address-fault" class="fine bad" role="alert">
          {name.fault}
        </p>
      )}
      {problem && <Problem problem={problem} onDismiss={() => setProblem(undefined)} />}
    </section>
  )
}

/** To the mail of all addresses, on the operator's own machine. */
function AllMailLink() {
  if (!showsAllMail(useInfo())) return null
  return (
    <a class="button quiet" href={placeHash({ address: EVERYTHING })}>
      All mail
    </a>
  )
}

/** To the mail of all addresses of a private domain, if this tab has its key. */
function DomainLink({ domain }: { domain: string }) {
  if (credentials.domainKey(domain) === undefined) return null
  return (
    <a class="button quiet" href={placeHash({ address: `@${domain}` })}>
      All addresses
    </a>
  )
}

interface Username {
  text: string
  setText: (text: string) => void
  /** The address that the text means; undefined for empty text. */
  typed: string | undefined
  fault: string | undefined
  /** Opens the typed address, or shows its fault. */
  commit: () => void
}

/** The text of the username field, which is the one of the address until it is edited. */
function useUsername(address: string, onChange: Props['onChange']): Username {
  const domain = domainOf(address)
  const username = address.slice(0, -domain.length - 1)
  const [text, setText] = useState(username)
  const [fault, setFault] = useState<string>()
  // Before anything can be typed into the field: an effect after the drawing would lose what was typed by then.
  useLayoutEffect(() => {
    setText(username)
    setFault(undefined)
  }, [address])
  const typed = addressFrom(text, domain)
  const commit = () => {
    if (typed === undefined) return setText(username)
    const wrong = addressFault(typed)
    setFault(wrong)
    if (wrong === undefined && typed !== address) onChange(typed)
  }
  return { text, setText, typed, fault, commit }
}

function AddressForm({ address, name, onChange }: Props & { name: Username }) {
  const domain = domainOf(address)
  const { text, fault, commit } = name
  return (
    <Form class="address-parts" onSubmit={commit}>
      <input
        aria-label="Username"
        title="Type any name"
        value={text}
        onInput={(event) => name.setText(event.currentTarget.value)}
        onBlur={commit}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : 'address-fault'}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        maxLength={320}
        size={Math.max(4, text.length)}
      />
      <span class="cluster flush nowrap">
        @
        <DomainChoice
          domain={domain}
          onChange={(chosen) => onChange(`${address.slice(0, -domain.length)}${chosen}`)}
        />
      </span>
    </Form>
  )
}

interface DomainChoiceProps {
  domain: string
  onChange: (domain: string) => void
}

function DomainChoice({ domain, onChange }: DomainChoiceProps) {
  const [domains, setDomains] = useState<ListedDomain[]>([])
  useEffect(() => {
    // Without the list the address can still be read and edited.
    allDomains().then(setDomains, () => {})
  }, [])
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
