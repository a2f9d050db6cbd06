import { useEffect, useState } from 'preact/hooks'
import { ask } from '../lib/api.ts'
import { decoded } from '../lib/decoded.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import { MakePrivate } from './make-private.tsx'
import { RecordList } from './record-list.tsx'
import { keyRecord, neededRecords, type Verification } from './verification.ts'

/** The domain doctor: what DNS must say for a domain's mail to come here, and what it says. */
export function DomainsPage() {
  const [text, setText] = useState(decoded(location.hash.slice(1)))
  const [checked, setChecked] = useState<Verification>()
  const [problem, setProblem] = useState<ApiProblem>()
  const [busy, setBusy] = useState(false)

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
  }
  useEffect(() => {
    if (text !== '') check(text)
  }, [])

  return (
    <div class="page">
      <div class="intro">
        <h1>Domains</h1>
        <p>Point a domain’s mail here, and every address on it works at once. No account, no registration.</p>
      </div>
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault()
          check(domainIn(text))
        }}
      >
        <label for="domain">Domain</label>
        <div class="field-row">
          <input
            id="domain"
            required
            placeholder="mail.example.com"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button type="submit" class="primary" disabled={busy}>
            {busy ? 'Asking DNS…' : 'Check'}
          </button>
        </div>
        <p class="fine">
          Best a subdomain that has no mail yet: its MX record moves all of its mail here. A domain that
          points here is registered by this check.
        </p>
      </form>
      {problem && <Problem problem={problem} />}
      {checked && <Result checked={checked} busy={busy} onRecheck={() => check(checked.domain)} />}
    </div>
  )
}

const STATUS_TEXT = {
  verified: 'receives mail here',
  pending: 'is nearly there: the mail provider is still checking that it is yours',
  unverified: 'does not receive mail here yet',
}

interface ResultProps {
  checked: Verification
  busy: boolean
  onRecheck: () => void
}

function Result({ checked, busy, onRecheck }: ResultProps) {
  const { domain, status, verified, mx } = checked
  const expected = checked.records.find(({ type }) => type === 'MX')?.value
  return (
    <>
      <section class="card" aria-labelledby="result">
        <div class="result-head" role="status" data-status={status}>
          <h2 id="result">
            <Icon name={status === 'verified' ? 'check' : 'search'} />
            <span>
              {domain} {STATUS_TEXT[status]}
            </span>
          </h2>
          {checked.private && (
            <p class="badge">
              <Icon name="lock" />
              Private
            </p>
          )}
        </div>
        {!verified && expected !== undefined && !expected.endsWith(` ${mx}`) && (
          <p class="notice">
            Its mail goes to <code>{mx}</code> now. The record below has to be the one with the lowest number.
          </p>
        )}
        <RecordList records={neededRecords(checked)} />
        <p class="actions">
          <button type="button" onClick={onRecheck} disabled={busy}>
            <Icon name="fresh" />
            Check again
          </button>
          {status === 'verified' && (
            <a class="button" href={`/#hello@${domain}`}>
              Open hello@{domain}
            </a>
          )}
        </p>
        {status !== 'verified' && (
          <p class="fine">
            A new record is often seen within minutes; how long it takes at most is set where you edit it.
          </p>
        )}
      </section>
      <MakePrivate
        key={domain}
        domain={domain}
        found={keyRecord(checked)?.found ?? false}
        isPrivate={checked.private}
      />
    </>
  )
}

/** Of whatever was pasted: a URL, an address, a name with a dot at its end. */
function domainIn(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^.*@/, '')
    .replace(/[/:?#].*$/, '')
    .replace(/\.$/, '')
}
