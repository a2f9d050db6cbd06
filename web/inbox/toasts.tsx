import { plural } from '../lib/format.ts'
import { Problem } from '../ui/problem.tsx'
import type { InboxStore } from './inbox-store.ts'

/** The deletion that can be undone, and the result of the last one. */
export function Toasts({ store: { deletions } }: { store: InboxStore }) {
  const { pending, done, problem } = deletions
  return (
    <div class="toasts stack tight" role="status">
      {pending.size > 0 && (
        <div class="toast cluster nowrap">
          <p>{plural(pending.size, 'email')} deleted.</p>
          <button type="button" class="plain" onClick={() => deletions.undo()}>
            Undo
          </button>
        </div>
      )}
      {done !== undefined && (
        <div class="toast cluster nowrap">
          <p>{plural(done, 'email')} deleted.</p>
        </div>
      )}
      {problem && (
        <Problem problem={problem} onDismiss={() => deletions.dismiss()}>
          <p>Emails that were not deleted are in the list again.</p>
        </Problem>
      )}
    </div>
  )
}
