import { useState } from 'preact/hooks'
import type { Refusal } from '../all-mail/refusals.ts'
import { settings } from '../lib/settings.ts'
import { useStore } from '../lib/store.ts'
import type { InboxStore } from './inbox-store.ts'
import { ListBar } from './list-bar.tsx'
import { Rows } from './rows.tsx'
import { afterClick } from './selection.ts'

interface Props {
  store: InboxStore
  selected: string | undefined
  now: number
  hrefOf: (id: string) => string
  remove: (ids: string[]) => void
  refusals: Refusal[]
}

/** The emails of the inbox, with search and selection. */
export function MailList({ store, selected, now, hrefOf, remove, refusals }: Props) {
  const { density } = useStore(settings)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [last, setLast] = useState<string>()
  const { shown } = store

  /** Shift selects everything between this email and the one selected before. */
  const choose = (id: string, through: boolean) => {
    const ids = shown.map((email) => email.id)
    setChosen(afterClick(chosen, ids, id, through ? last : undefined))
    setLast(id)
  }
  return (
    <section class="mail-list" aria-label="Emails" data-density={density} data-choosing={chosen.size > 0}>
      <ListBar
        store={store}
        chosen={shown.filter(({ id }) => chosen.has(id)).map(({ id }) => id)}
        onChoose={(ids) => setChosen(new Set(ids))}
        onRemove={(ids) => {
          setChosen(new Set())
          remove(ids)
        }}
      />
      <Rows {...{ store, selected, now, hrefOf, chosen, choose, refusals }} />
    </section>
  )
}
