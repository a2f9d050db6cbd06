import { plural } from '../lib/format.ts'
import { Problem } from '../ui/problem.tsx'
import type { InboxStore } from './inbox-store.ts'

/** The deletion that can be undone, and the result of the last one. */
export function Toasts({ store: { deletions } }: { store: InboxStore }) {
  const { pending, done, problem } = deletions
  return (
    <div class="toasts" role="status">
      {pending.size > 0 && (
        <div class="toast">
          <p>Deleting {plural(pending.size, 'email')}…</p>
          <button type="button" onClick={() => deletions.undo()}>
            Undo
          </button>
        </div>
      )}
      {done !== undefined && (
        <div class="toast">
          <p>{plural(done, 'email')} deleted.</p>
        </div>
      )}
      {problem && <Problem problem={problem} onDismiss={() => deletions.dismiss()} />}
    </div>
  )
}
