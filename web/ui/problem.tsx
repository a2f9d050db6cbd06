import type { ComponentChildren } from 'preact'
import { wait } from '../lib/format.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { inWords } from '../lib/words.ts'
import { Icon } from './icon.tsx'

interface Props {
  problem: ApiProblem
  /** Makes the problem dismissible. */
  onDismiss?: (() => void) | undefined
  /** Says more than the detail of the problem. */
  detail?: string
  children?: ComponentChildren
}

/** What went wrong and what to do about it, in one line. */
export function Problem({ problem, onDismiss, detail: ownDetail, children }: Props) {
  const { retryAfter, requestId, code } = problem
  const { title, detail } = inWords(problem)
  const isFault = code === 'internal_error' || code === 'unexpected'
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{title}.</strong> {ownDetail ?? detail}
        {retryAfter !== undefined && ` Try again in ${wait(retryAfter)}.`}
        {isFault && requestId && (
          <span class="fine">
            {' '}
            Request <code>{requestId}</code>
          </span>
        )}
      </p>
      {children}
      {onDismiss && (
        <button type="button" class="quiet" aria-label="Dismiss" onClick={onDismiss}>
          <Icon name="close" />
        </button>
      )}
    </div>
  )
}
