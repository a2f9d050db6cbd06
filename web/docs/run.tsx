import { useState } from 'preact/hooks'
import { ask } from '../lib/api.ts'
import { type ApiProblem, asProblem } from '../lib/problem.ts'
import { withAccess } from '../lib/session.ts'
import { Problem } from '../ui/problem.tsx'
import { useOwnAddress } from './example-tabs.tsx'

/** How long a wait that is run here takes at most, in seconds. */
const WAIT_SECONDS = 10

/** Sends a request of the reference with the session of this page and the reader's own address, and shows the answer. */
export function Run({ path }: { path: string }) {
  const address = useOwnAddress()
  const [answer, setAnswer] = useState<string>()
  const [problem, setProblem] = useState<ApiProblem>()
  const [isBusy, setBusy] = useState(false)
  const query = path.endsWith('/wait') ? `?timeout=${WAIT_SECONDS}` : ''
  const target = path.replace('{address}', encodeURIComponent(address ?? '').replace('%40', '@')) + query
  const run = async () => {
    setBusy(true)
    setProblem(undefined)
    setAnswer(undefined)
    try {
      const result = await withAccess((access) => ask<unknown>(target, access))
      setAnswer(JSON.stringify(result, null, 2))
    } catch (error) {
      setProblem(asProblem(error))
    }
    setBusy(false)
  }
  if (path.includes('{address}') && address === undefined) return null
  return (
    <div class="stack tight">
      <p class="cluster">
        <button type="button" class="primary" onClick={run} disabled={isBusy}>
          {isBusy ? 'Running…' : 'Run'}
        </button>
        <code class="wrap">GET {target}</code>
      </p>
      {answer !== undefined && (
        <div role="status">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
          <pre class="source answer" tabIndex={0}>
            {answer}
          </pre>
        </div>
      )}
      {problem && <Problem problem={problem} onDismiss={() => setProblem(undefined)} />}
    </div>
  )
}
