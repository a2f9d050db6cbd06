import { useEffect, useState } from 'preact/hooks'
import { isLoopbackName } from '../../core/access/loopback.ts'
import { decoded } from '../../core/decoded.ts'
import { ask, type ListedDomain } from '../lib/api.ts'
import { BASE_PATH } from '../lib/base.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { Form } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import { MakePrivate } from './make-private.tsx'
import { RecordList } from './record-list.tsx'
import { domainIn, keyRecord, neededRecords, summaryOf, type Verification } from './verification.ts'

/** Lists the domains, and checks the DNS records of one. */
export function DomainsPage() {
  const [text, setText] = useState(decoded(location.hash.slice(1)))
  const { domains, checked, problem, isBusy, list, check, dismiss } = useDomains()
  useEffect(() => {
    // A check lists the domains when it ends, so that its result does not move the list.
    if (text === '') list()
    else check(text)
  }, [])
  const choose = (domain: string) => {
    setText(domain)
    check(domain)
    // Below the form, the list may be far from the result.
    scrollTo(0, 0)
  }

  return (
    <div class="page">
      <div class="intro stack">
        <h1>Domains</h1>
        <p>Point the MX record of a domain here, and every address on it receives mail. No account needed.</p>
        <DomainList class="wide-only" domains={domains} onChoose={choose} />
      </div>
      <div class="stack">
        <DomainForm text={text} isBusy={isBusy} onText={setText} onCheck={() => check(domainIn(text))} />
        {problem && <Problem problem={problem} onDismiss={dismiss} />}
        {checked && <Result checked={checked} isBusy={isBusy} onRecheck={() => check(checked.domain)} />}
        <DomainList class="narrow-only" domains={domains} onChoose={choose} />
      </div>
    </div>
  )
}

/** The domains of this service, and the result of the last check. */
function useDomains() {
  const [domains, setDomains] = useState<ListedDomain[]>([])
  const [checked, setChecked] = useState<Verification>()
  const [problem, setProblem] = useState<ApiProblem>()
  const [isBusy, setBusy] = useState(false)
  const list = () =>
    ask<{ domains: ListedDomain[] }>('/api/domains').then(
      (answer) => setDomains(answer.domains),
      () => {},
    )
  const check = async (domain: string) => {
    setBusy(true)
    setProblem(undefined)
    if (checked?.domain !== domain) setChecked(undefined)
    try {
      setChecked(await ask<Verification>(`/api/domain/verify/${encodeURIComponent(domain)}`))
      history.replaceState(null, '', `#${encodeURIComponent(domain)}`)
    } catch (error) {
      setProblem(error as ApiProblem)
    }
    setBusy(false)
    void list()
  }
  return { domains, checked, problem, isBusy, list, check, dismiss: () => setProblem(undefined) }
}

interface DomainFormProps {
  text: string
  isBusy: boolean
  onText: (text: string) => void
  onCheck: () => void
}

function DomainForm({ text, isBusy, onText, onCheck }: DomainFormProps) {
  return (
    <Form class="card stack tight" onSubmit={onCheck}>
      <label for="domain">Domain</label>
      <div class="cluster">
        <input
          id="domain"
          class="grow"
          required
          placeholder="mail.example.com"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? 'Checking DNS…' : 'Check and add'}
        </button>
      </div>
      <p class="fine">
        Use a subdomain without mailboxes, because all of its mail will come here. The check adds the domain
        as soon as its MX record points here.
      </p>
    </Form>
  )
}

interface DomainListProps {
  class: string
  domains: ListedDomain[]
  onChoose: (domain: string) => void
}

/** The list is beside the form, or below it on a narrow screen, so that it moves nothing when it arrives. */
function DomainList({ class: kind, domains, onChoose }: DomainListProps) {
  if (domains.length === 0) return null
  return (
    <section class={`stack tight ${kind}`}>
      <h2>Domains on this service</h2>
      <ul class="ruled">
        {domains.map(({ domain, private: isPrivate }) => (
          <li key={domain}>
            <button type="button" class="menu-item" onClick={() => onChoose(domain)}>
              <span class="wrap">{domain}</span>
              {isPrivate && <PrivateChip />}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface ResultProps {
  checked: Verification
  isBusy: boolean
  onRecheck: () => void
}

function Result({ checked, isBusy, onRecheck }: ResultProps) {
  const { domain, status } = checked
  return (
    <>
      <section class="card stack" aria-labelledby="result">
        <div class="split" role="status">
          <h2 id="result" class="wrap">
            {summaryOf(checked)}
          </h2>
          {checked.private && <PrivateChip />}
        </div>
        {isLoopbackName(location.hostname) && <LocalNotice checked={checked} />}
        <Notices checked={checked} />
        <Records checked={checked} />
        <div class="cluster">
          <button type="button" onClick={onRecheck} disabled={isBusy}>
            <Icon name="fresh" />
            Check again
          </button>
          {status === 'verified' && (
            <a class="button" href={`${BASE_PATH}/#hello@${domain}`}>
              Open hello@{domain}
            </a>
          )}
          {status === 'verified' && checked.private && (
            <a class="button" href={`${BASE_PATH}/#@${domain}`}>
              Open all mail
            </a>
          )}
        </div>
      </section>
      <MakePrivate
        key={domain}
        domain={domain}
        isFound={keyRecord(checked)?.found ?? false}
        isPrivate={checked.private}
      />
    </>
  )
}

/** The records to publish. A service that nothing outside can reach needs none, so they are closed there. */
function Records({ checked }: { checked: Verification }) {
  const records = neededRecords(checked)
  const list = (
    <>
      <RecordList records={records} />
      {checked.status !== 'verified' && (
        <p class="fine">New DNS records can take minutes or hours to show up.</p>
      )}
    </>
  )
  if (!isLoopbackName(location.hostname) || records.every(({ found }) => found)) return list
  return (
    <details>
      <summary>DNS records for a service that others can reach</summary>
      <div class="stack tight closed-records">{list}</div>
    </details>
  )
}

/** A service that nothing outside can reach receives mail without DNS. */
function LocalNotice({ checked: { domain, status } }: { checked: Verification }) {
  return (
    <p class="notice">
      This service runs on your own machine, where nothing outside can reach it.
      {status === 'verified' && ` Programs here can already send to every address at ${domain}.`}
    </p>
  )
}

/** Explains a domain whose MX record does not lead here. */
function Notices({ checked: { status, verified, mx, records } }: { checked: Verification }) {
  const expected = records.find(({ type }) => type === 'MX')?.value
  const isElsewhere = !verified && expected !== undefined && !expected.endsWith(` ${mx}`)
  return (
    <>
      {status === 'verified' && !verified && !isLoopbackName(location.hostname) && (
        <p class="notice">
          Mail sent directly to this service’s SMTP server arrives. Mail from the internet does not.
        </p>
      )}
      {isElsewhere && (
        <p class="notice">
          The MX record names {mx}. Replace it with the record below, or give the record below the lowest
          number.
        </p>
      )}
    </>
  )
}

function PrivateChip() {
  return (
    <span class="chip">
      <Icon name="lock" />
      Private
    </span>
  )
}
