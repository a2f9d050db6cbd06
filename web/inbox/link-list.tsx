import { useEffect, useState } from 'preact/hooks'
import type { CheckedLink, Email } from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import { type ApiProblem, asProblem } from '../lib/problem.ts'
import { Copy } from '../ui/copy.tsx'
import { Problem } from '../ui/problem.tsx'
import { isGood, summaryOf } from './checked-links.ts'
import type { InboxStore } from './inbox-store.ts'
import { mayCheckLinks } from './mail-api.ts'

interface Props {
  store: Pick<InboxStore, 'api'>
  email: Email
}

/** The links of an email, and what they answer if the reader lets the service request them. */
export function LinkList({ store, email: { id, links, action_link } }: Props) {
  const [checked, setChecked] = useState<ReadonlyMap<string, CheckedLink>>()
  return (
    <>
      <LinkCheck
        check={() => store.api.checkLinks(id)}
        onDone={(results) => setChecked(new Map(results.map((result) => [result.url, result])))}
      />
      <ul aria-label="Links">
        {links.map((link) => {
          const result = checked?.get(link)
          return (
            <li key={link}>
              <div class="cluster nowrap">
                <a class="clip" href={link} target="_blank" rel="noopener noreferrer">
                  {link}
                </a>
                {link === action_link?.url && <span class="chip">Action link</span>}
                {result && <Status result={result} />}
                <Copy text={link} what="link" />
              </div>
              {result && <Explanation result={result} />}
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
  const [summary, setSummary] = useState('')
  const [problem, setProblem] = useState<ApiProblem>()
  if (!isOffered) return null
  const start = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const results = await check()
      onDone(results)
      setSummary(summaryOf(results))
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
        <span class="fine">
          The service requests every link. A request may already do something, such as unsubscribe you.
        </span>
      </p>
      <p role="status">{summary}</p>
      {problem && <Problem problem={problem} onDismiss={() => setProblem(undefined)} />}
    </div>
  )
}

function Status({ result }: { result: CheckedLink }) {
  return <span class={`chip ${isGood(result) ? 'good' : 'bad'}`}>{result.status ?? 'No answer'}</span>
}

/** Where the link leads, and why it has no answer. */
function Explanation({ result: { redirects, error } }: { result: CheckedLink }) {
  const last = redirects.at(-1)
  if (last === undefined && error === null) return null
  return (
    <p class="fine wrap">
      {last !== undefined && `Redirects to ${last}. `}
      {error}
    </p>
  )
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
