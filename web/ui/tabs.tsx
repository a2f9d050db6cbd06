import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

export interface Tab {
  /** By default the label. */
  id?: string
  label: string
  content: () => ComponentChildren
  /** Whether this view has nothing to show; its tab keeps its place. */
  isDisabled?: boolean
}

interface Props {
  label: string
  tabs: Tab[]
  /** The id of a tab. The first usable tab is shown in place of one that is not there. */
  selected: string | undefined
  onSelect: (id: string) => void
  /** Controls beside the tabs. */
  tools?: ComponentChildren
}

/** Tabs as in the ARIA practices: arrow keys move between them, Tab moves into the panel. */
export function Tabs({ label, tabs, selected, onSelect, tools }: Props) {
  const panel = useId()
  const list = useRef<HTMLDivElement>(null)
  const usable = tabs.filter(({ isDisabled }) => !isDisabled)
  const current = usable.find((tab) => idOf(tab) === selected) ?? usable[0]
  const move = (event: KeyboardEvent) => {
    const position = current === undefined ? 0 : usable.indexOf(current)
    const to = { ArrowLeft: position - 1, ArrowRight: position + 1, Home: 0, End: usable.length - 1 }[
      event.key
    ]
    if (to === undefined) return
    event.preventDefault()
    const next = usable[(to + usable.length) % usable.length]
    if (next === undefined) return
    onSelect(idOf(next))
    ;(list.current?.children[tabs.indexOf(next)] as HTMLElement | undefined)?.focus()
  }
  return (
    <div>
      <div class="tab-bar split">
        <div class="strip" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
          {tabs.map((tab) => (
            <button
              type="button"
              key={idOf(tab)}
              role="tab"
              aria-selected={tab === current}
              aria-controls={panel}
              tabIndex={tab === current ? 0 : -1}
              disabled={tab.isDisabled ?? false}
              onClick={() => onSelect(idOf(tab))}
            >
              {tab.label}
            </button>
          ))}
        </div>
        {tools}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a panel of plain text is scrolled by keyboard */}
      <div id={panel} role="tabpanel" aria-label={current?.label} tabIndex={0}>
        {current?.content()}
      </div>
    </div>
  )
}

function idOf({ id, label }: Tab): string {
  return id ?? label
}
