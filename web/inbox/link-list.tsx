import { useEffect, useMemo, useState } from 'preact/hooks'
import type { CheckedLink, Email } from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import { type ApiProblem, asProblem } from '../lib/problem.ts'
import { Copy } from '../ui/copy.tsx'
import { Problem } from '../ui/problem.tsx'
import { faultsOf, isGood, summaryOf } from './checked-links.ts'
import type { InboxStore } from './inbox-store.ts'
import { linkTexts } from './link-texts.ts'
import { mayCheckLinks } from './mail-api.ts'

interface Props {
  store: Pick<InboxStore, 'api'>
  email: Email
  /** The HTML of the email, which has the texts of the links. */
  html: string | null
}

/** The end of a long URL often says more than its middle. A short URL is one piece, also for those who hear it. */
const SHORT_CHARACTERS = 48
const TAIL_CHARACTERS = 24

/** The links of an email, and what they answer if the reader lets the service request them. */
export function LinkList({ store, email: { id, links, action_link }, html }: Props) {
  const texts = useMemo(() => linkTexts(html ?? ''), [html])
  const [checked, setChecked] = useState<ReadonlyMap<string, CheckedLink>>()
  return (
    <>
      <LinkCheck
        check={() => store.api.checkLinks(id)}
        onDone={(results) => setChecked(new Map(results.map((result) => [result.url, result])))}
      />
      <ul aria-label="Links" class="link-list ruled">
        {links.map((link) => {
          const result = checked?.get(link)
          return (
            <li key={link} class="cluster">
              <a
                class="link-entry stack flush grow"
                href={link}
                title={link}
                target="_blank"
                rel="noopener noreferrer"
              >
                <LinkText text={texts.get(link)} url={link} />
              </a>
              {link === action_link?.url && <span class="chip">Action link</span>}
              {result && <Status result={result} />}
              <Copy text={link} what="link" />
              {result && <Redirect result={result} />}
            </li>
          )
        })}
      </ul>
    </>
  )
}

interface CheckProps {
  check: () => Promise<CheckedLink[]>
  onDone: (results: CheckedLink[]) => void
}

/** The button, if the service would answer it. Links are requested only when it is pressed. */
function LinkCheck({ check, onDone }: CheckProps) {
  const isOffered = useOffer()
  const [isBusy, setBusy] = useState(false)
  const [results, setResults] = useState<CheckedLink[]>([])
  const [problem, setProblem] = useState<ApiProblem>()
  if (!isOffered) return null
  const start = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const checked = await check()
      onDone(checked)
      setResults(checked)
    } catch (error) {
      setProblem(asProblem(error))
    }
    setBusy(false)
  }
  return (
    <div class="stack tight">
      <p class="cluster">
        <button type="button" onClick={start} disabled={isBusy}>
          {isBusy ? 'Requesting the links…' : 'Check links'}
        </button>
        <span class="fine">This opens every link and can trigger it, for example unsubscribe.</span>
      </p>
      <div role="status">
        {results.length > 0 && <p>{summaryOf(results)}</p>}
        {faultsOf(results).map((fault) => (
          <p key={fault} class="bad">
            {fault}
          </p>
        ))}
      </div>
      {problem && <Problem problem={problem} onDismiss={() => setProblem(undefined)} />}
    </div>
  )
}

function Status({ result }: { result: CheckedLink }) {
  return <span class={`chip ${isGood(result) ? 'good' : 'bad'}`}>{result.status ?? 'No answer'}</span>
}

/** The text of the link, then its URL, shortened in the middle. */
function LinkText({ text, url }: { text: string | undefined; url: string }) {
  const cut = url.length > SHORT_CHARACTERS ? url.length - TAIL_CHARACTERS : url.length
  const hasText = text !== undefined && text !== url
  return (
    <>
      {hasText && (
        <strong class="clip" dir="auto">
          {text.slice(0, 200)}
        </strong>
      )}
      <span class={hasText ? 'middle fine' : 'middle'}>
        <span class="clip">{url.slice(0, cut)}</span>
        <span>{url.slice(cut)}</span>
      </span>
    </>
  )
}

/** Where the link leads. */
function Redirect({ result: { redirects } }: { result: CheckedLink }) {
  const last = redirects.at(-1)
  return last === undefined ? null : <p class="fine wrap">Redirects to {last}.</p>
}

/** Whether the service checks links for everyone, or for the API key of this browser. */
function useOffer(): boolean {
  const [isOffered, setOffered] = useState(false)
  useEffect(() => {
    const { apiKey } = credentials
    const ask = async () =>
      (await mayCheckLinks(undefined)) || (apiKey !== undefined && mayCheckLinks(apiKey))
    ask().then(setOffered, () => {})
  }, [])
  return isOffered
}
