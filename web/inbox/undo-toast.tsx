import { plural } from '../lib/format.ts'
import { Problem } from '../ui/problem.tsx'
import type { InboxStore } from './inbox-store.ts'

/** What was just deleted, as long as it can be taken back. */
export function UndoToast({ store }: { store: InboxStore }) {
  const { undoable, problem } = store.deletions
  return (
    <div class="toasts" role="status">
      {undoable > 0 && (
        <div class="toast">
          <p>{plural(undoable, 'mail')} deleted.</p>
          <button type="button" onClick={() => store.deletions.undo()}>
            Undo
          </button>
        </div>
      )}
      {problem && <Problem problem={problem} />}
    </div>
  )
}
