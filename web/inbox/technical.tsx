import { useEffect, useState } from 'preact/hooks'
import type { WholeEmail } from '../lib/api.ts'
import { bytes } from '../lib/format.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { Copy } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import { saveAs } from './download.ts'
import type { InboxStore } from './inbox-store.ts'
import { LongText } from './text-view.tsx'

type Verdict = NonNullable<WholeEmail['verdicts']['spf']>

const CHECKS = [
  ['spf', 'SPF'],
  ['dkim', 'DKIM'],
  ['dmarc', 'DMARC'],
  ['spam', 'Spam check'],
  ['virus', 'Virus check'],
] as const
const RESULTS: Record<Verdict, [text: string, kind: string]> = {
  pass: ['passed', 'good'],
  fail: ['failed', 'bad'],
  gray: ['unclear', ''],
  processing_failed: ['not completed', ''],
}

interface VerdictProps {
  verdicts: WholeEmail['verdicts']
  only?: Verdict
}

/** The checks that were made when the email arrived. */
export function VerdictList({ verdicts, only }: VerdictProps) {
  const made = CHECKS.flatMap(([key, name]) => {
    const verdict = verdicts[key]
    return verdict === null || (only !== undefined && verdict !== only) ? [] : [{ name, verdict }]
  })
  if (made.length === 0) return null
  return (
    <ul class="cluster" aria-label="Checks">
      {made.map(({ name, verdict }) => (
        <li key={name} class={`chip ${RESULTS[verdict][1]}`}>
          {name} {RESULTS[verdict][0]}
        </li>
      ))}
    </ul>
  )
}

export function HeaderTable({ email }: { email: WholeEmail }) {
  const envelope = [
    { name: 'Envelope from', value: email.mail_from ?? 'empty (a bounce)' },
    { name: 'Envelope to', value: email.address },
  ]
  return (
    <table class="headers">
      <caption class="visually-hidden">Envelope and headers</caption>
      <colgroup>
        <col />
        <col />
      </colgroup>
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

/** Larger messages are better read in a text editor. */
const SHOWN_BYTES = 200_000

interface SourceProps {
  store: Pick<InboxStore, 'api'>
  email: WholeEmail
}

/** The message as it was received, or its HTML part. */
export function SourceView({ store, email }: SourceProps) {
  const [showsHtml, setShowsHtml] = useState(false)
  const { body_html } = email
  return (
    <>
      {body_html !== null && (
        <fieldset class="cluster">
          <legend class="visually-hidden">Which source</legend>
          <button type="button" class="chip" aria-pressed={!showsHtml} onClick={() => setShowsHtml(false)}>
            Whole message
          </button>
          <button type="button" class="chip" aria-pressed={showsHtml} onClick={() => setShowsHtml(true)}>
            HTML
          </button>
        </fieldset>
      )}
      {showsHtml && body_html !== null ? (
        <LongText text={body_html} class="source" />
      ) : (
        <RawSource store={store} email={email} />
      )}
    </>
  )
}

function RawSource({ store, email }: SourceProps) {
  const [raw, setRaw] = useState<{ blob: Blob; start: string }>()
  const [problem, setProblem] = useState<ApiProblem>()
  useEffect(() => {
    store.api
      .part(email.raw_url)
      .then(async (blob) => setRaw({ blob, start: await blob.slice(0, SHOWN_BYTES).text() }))
      .catch(setProblem)
  }, [email.raw_url])
  if (problem) return <Problem problem={problem} />
  if (raw === undefined) return <p class="nothing">Loading the source…</p>
  return (
    <>
      <div class="cluster">
        <button type="button" onClick={() => saveAs(raw.blob, `${email.id}.eml`)}>
          <Icon name="save" />
          Save as .eml
        </button>
        <Copy text={raw.start} what="source">
          Copy
        </Copy>
      </div>
      <pre class="source">{raw.start}</pre>
      {raw.blob.size > SHOWN_BYTES && (
        <p class="notice">
          The first {bytes(SHOWN_BYTES)} of {bytes(raw.blob.size)}. The saved file is complete.
        </p>
      )}
    </>
  )
}
