import { Dialog } from '../ui/dialog.tsx'
import { SHORTCUTS } from './shortcuts.ts'

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <ShortcutList />
    </Dialog>
  )
}

/** The shortcuts at the end of a reading pane without an email. */
export function ShortcutSection() {
  return (
    <section class="stack tight">
      <h3>Keyboard shortcuts</h3>
      <ShortcutList />
    </section>
  )
}

function ShortcutList() {
  return (
    <dl class="cells shortcuts">
      {SHORTCUTS.map(([key, action]) => (
        <div key={key} class="cluster">
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{action}</dd>
        </div>
      ))}
    </dl>
  )
}
