import { useEffect, useRef, useState } from 'preact/hooks'
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
  /** The line of the HTML that is shown and marked; undefined for the whole message. */
  line?: number | undefined
}

/** The message as it was received, or its HTML part. */
export function SourceView({ store, email, line }: SourceProps) {
  const [showsHtml, setShowsHtml] = useState(line !== undefined)
  const { raw, problem } = useRaw(store, email)
  const { body_html } = email
  const isHtml = showsHtml && body_html !== null
  return (
    <>
      <div class="cluster">
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
        {raw && (
          <button type="button" class="quiet" onClick={() => saveAs(raw.blob, `${email.id}.eml`)}>
            <Icon name="save" />
            Save as .eml
          </button>
        )}
        {(isHtml || raw) && (
          <Copy text={isHtml ? body_html : (raw?.start ?? '')} what="source">
            Copy
          </Copy>
        )}
      </div>
      {isHtml && line !== undefined && <MarkedLine text={body_html} line={line} />}
      {isHtml && line === undefined && <LongText text={body_html} class="source" />}
      {isHtml ? null : <RawSource raw={raw} problem={problem} />}
    </>
  )
}

interface Raw {
  blob: Blob
  /** The first bytes, as text. */
  start: string
}

function useRaw(store: SourceProps['store'], email: WholeEmail): { raw?: Raw; problem?: ApiProblem } {
  const [state, setState] = useState<{ raw?: Raw; problem?: ApiProblem }>({})
  useEffect(() => {
    store.api.part(email.raw_url).then(
      async (blob) => setState({ raw: { blob, start: await blob.slice(0, SHOWN_BYTES).text() } }),
      (problem) => setState({ problem }),
    )
  }, [email.raw_url])
  return state
}

function RawSource({ raw, problem }: { raw: Raw | undefined; problem: ApiProblem | undefined }) {
  if (problem) return <Problem problem={problem} />
  if (raw === undefined) return <p class="nothing">Loading the source…</p>
  return (
    <>
      <pre class="source">{raw.start}</pre>
      {raw.blob.size > SHOWN_BYTES && (
        <p class="notice">
          The first {bytes(SHOWN_BYTES)} of {bytes(raw.blob.size)}. The saved file is complete.
        </p>
      )}
    </>
  )
}

/** Characters of the HTML before and after a marked line. */
const CONTEXT = 50_000

/** The HTML around a line, which is marked and in the middle of the window. */
function MarkedLine({ text, line }: { text: string; line: number }) {
  const mark = useRef<HTMLElement>(null)
  useEffect(() => mark.current?.scrollIntoView({ block: 'center' }), [line])
  let from = 0
  for (let i = 1; i < line; i++) from = text.indexOf('\n', from) + 1
  const end = text.indexOf('\n', from)
  const to = end === -1 ? text.length : end
  return (
    <pre class="source">
      {text.slice(Math.max(0, from - CONTEXT), from)}
      <mark ref={mark}>{text.slice(from, Math.min(to, from + CONTEXT))}</mark>
      {text.slice(to, to + CONTEXT)}
    </pre>
  )
}
