import type { ComponentChildren } from 'preact'
import { plural } from '../lib/format.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { inWords } from '../lib/words.ts'

/** What went wrong, what to do about it, and the id by which an operator finds it. */
export function Problem({ problem, children }: { problem: ApiProblem; children?: ComponentChildren }) {
  const { retryAfter, requestId } = problem
  const { title, detail } = inWords(problem)
  return (
    <div class="problem" role="alert">
      <p class="problem-title">{title}</p>
      <p>{detail}</p>
      {retryAfter !== undefined && <p>Try again in {wait(retryAfter)}.</p>}
      {children}
      {requestId && (
        <p class="fine">
          Request <code>{requestId}</code>
        </p>
      )}
    </div>
  )
}

function wait(seconds: number): string {
  if (seconds < 100) return plural(seconds, 'second')
  if (seconds < 6000) return plural(Math.ceil(seconds / 60), 'minute')
  return plural(Math.ceil(seconds / 3600), 'hour')
}
