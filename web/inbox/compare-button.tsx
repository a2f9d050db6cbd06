import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { InboxStore } from './inbox-store.ts'

type Pair = readonly [newer: string, older: string]

interface Props {
  store: InboxStore
  /** The selected emails, newest first. */
  chosen: string[]
}

/** Opens the comparison of two selected emails. */
export function CompareButton({ store, chosen }: Props) {
  const [ids, setIds] = useState<Pair>()
  const [newer, older] = chosen
  const pair: Pair | undefined =
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

interface DialogProps {
  store: InboxStore
  ids: Pair
  onClose: () => void
}

/** The comparison, whose script is loaded when it is first needed. */
function LazyDialog(props: DialogProps) {
  const [loaded, setLoaded] = useState<{ CompareDialog: (props: DialogProps) => JSX.Element }>()
  useEffect(() => {
    import('../compare/compare-dialog.tsx').then(setLoaded)
  }, [])
  return loaded === undefined ? null : <loaded.CompareDialog {...props} />
}
