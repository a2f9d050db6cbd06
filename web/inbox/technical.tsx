import { useEffect, useState } from 'preact/hooks'
import type { WholeEmail } from '../lib/api.ts'
import { bytes } from '../lib/format.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { Copy } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import { saveAs } from './download.ts'
import type { InboxStore } from './inbox-store.ts'

const VERDICT_NAMES = { spf: 'SPF', dkim: 'DKIM', dmarc: 'DMARC', spam: 'Spam', virus: 'Virus' } as const
const VERDICT_TEXT = {
  pass: 'pass',
  fail: 'fail',
  gray: 'unsure',
  processing_failed: 'failed to check',
} as const

/** What was checked when the mail came in. Where nobody checked there is nothing to say. */
export function VerdictList({ verdicts }: { verdicts: WholeEmail['verdicts'] }) {
  const checked = Object.entries(VERDICT_NAMES).flatMap(([key, name]) => {
    const verdict = verdicts[key as keyof typeof VERDICT_NAMES]
    return verdict === null ? [] : [{ name, verdict }]
  })
  if (checked.length === 0) return null
  return (
    <ul class="verdicts" aria-label="Verdicts">
      {checked.map(({ name, verdict }) => (
        <li key={name} data-verdict={verdict}>
          {name} {VERDICT_TEXT[verdict]}
        </li>
      ))}
    </ul>
  )
}

export function HeaderTable({ email }: { email: WholeEmail }) {
  const envelope = [
    { name: 'Envelope from', value: email.mail_from ?? 'none: a bounce' },
    { name: 'Envelope to', value: email.address },
  ]
  return (
    <table class="headers">
      <caption class="visually-hidden">Envelope and headers</caption>
      <tbody>
        {[...envelope, ...email.headers].map(({ name, value }, i) => (
          <tr key={i}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** More than this is for a text editor. */
const SHOWN_BYTES = 200_000

export function RawSource({ store, email }: { store: InboxStore; email: WholeEmail }) {
  const [raw, setRaw] = useState<{ blob: Blob; start: string }>()
  const [problem, setProblem] = useState<ApiProblem>()
  useEffect(() => {
    store.api
      .part(email.raw_url)
      .then(async (blob) => setRaw({ blob, start: await blob.slice(0, SHOWN_BYTES).text() }))
      .catch(setProblem)
  }, [email.raw_url])
  if (problem) return <Problem problem={problem} />
  if (raw === undefined) return <p class="loading">Fetching the source…</p>
  return (
    <>
      <p class="actions">
        <button type="button" onClick={() => saveAs(raw.blob, `${email.id}.eml`)}>
          <Icon name="save" />
          Save as .eml
        </button>
        <Copy text={raw.start} what="source">
          Copy
        </Copy>
      </p>
      <pre class="source">{raw.start}</pre>
      {raw.blob.size > SHOWN_BYTES && (
        <p class="notice">
          The first {bytes(SHOWN_BYTES)} of {bytes(raw.blob.size)}. The saved file has all of it.
        </p>
      )}
    </>
  )
}
