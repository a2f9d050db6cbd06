import { useState } from 'preact/hooks'
import type { CompareProps } from '../compare/compare-dialog.tsx'
import { useLoaded } from '../lib/loaded.ts'
import type { InboxStore } from './inbox-store.ts'

interface Props {
  store: InboxStore
  /** The selected emails, newest first. */
  chosen: string[]
}

/** Opens the comparison of two selected emails. */
export function CompareButton({ store, chosen }: Props) {
  const [ids, setIds] = useState<CompareProps['ids']>()
  const [newer, older] = chosen
  const pair: CompareProps['ids'] | undefined =
    newer !== undefined && older !== undefined && chosen.length === 2 ? [newer, older] : undefined
  return (
    <>
      <button
        type="button"
        class="quiet"
        data-compare
        disabled={pair === undefined}
        title={pair ? 'Compare the two selected emails' : 'Select two emails to compare them'}
        onClick={() => setIds(pair)}
      >
        Compare
      </button>
      {ids && <LazyDialog store={store} ids={ids} onClose={() => setIds(undefined)} />}
    </>
  )
}

/** The comparison, whose script is loaded when it is first needed. */
function LazyDialog(props: CompareProps) {
  const loaded = useLoaded(() => import('../compare/compare-dialog.tsx'))
  return loaded === undefined ? null : <loaded.CompareDialog {...props} />
}
