import { Icon } from '../ui/icon.tsx'
import { ActivityLog } from './activity-log.tsx'
import type { InboxStore } from './inbox-store.ts'
import { parseQuery } from './query.ts'
import { ShortcutSection } from './shortcuts-dialog.tsx'
import { SnippetTabs } from './snippet-tabs.tsx'

interface Props {
  store: InboxStore
  open: (id: string | undefined) => void
}

/** The reading pane while no email is open: what one can do here. */
export function EmptyPane({ store, open }: Props) {
  const [newest] = store.shown
  const { words: _, without: __, hint: ___, ...filter } = parseQuery(store.search.text)
  return (
    <div class="empty stack">
      <div class="split">
        <h2>No email selected</h2>
        {newest && (
          <button type="button" class="primary" onClick={() => open(newest.id)}>
            <Icon name="open" />
            Open the latest
          </button>
        )}
      </div>
      <section class="stack tight">
        <h3>Wait for an email in a test</h3>
        <SnippetTabs address={store.address} filter={filter} />
      </section>
      <ActivityLog address={store.address} />
      <ShortcutSection />
    </div>
  )
}
