import { Dialog } from '../ui/dialog.tsx'
import { SHORTCUTS } from './shortcuts.ts'

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <ShortcutList />
    </Dialog>
  )
}

export function ShortcutList() {
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
