import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

export interface Tab {
  id: string
  label: string
  content: () => ComponentChildren
  /** Whether this view has nothing to show; its tab keeps its place. */
  isDisabled?: boolean
}

interface Props {
  label: string
  tabs: Tab[]
  selected: string
  onSelect: (id: string) => void
  /** Controls beside the tabs. */
  tools?: ComponentChildren
}

/** Tabs as in the ARIA practices: arrow keys move between them, Tab moves into the panel. */
export function Tabs({ label, tabs, selected, onSelect, tools }: Props) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const usable = tabs.filter(({ isDisabled }) => !isDisabled)
  const current = usable.find((tab) => tab.id === selected) ?? usable[0]
  const move = (event: KeyboardEvent) => {
    const position = current === undefined ? 0 : usable.indexOf(current)
    const to = { ArrowLeft: position - 1, ArrowRight: position + 1, Home: 0, End: usable.length - 1 }[
      event.key
    ]
    if (to === undefined) return
    event.preventDefault()
    const next = usable[(to + usable.length) % usable.length]
    if (next === undefined) return
    onSelect(next.id)
    ;(list.current?.children[tabs.indexOf(next)] as HTMLElement | undefined)?.focus()
  }
  return (
    <div>
      <div class="tab-bar split">
        <div class="strip" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
          {tabs.map((tab) => (
            <button
              type="button"
              key={tab.id}
              id={`${id}-${tab.id}`}
              role="tab"
              aria-selected={tab === current}
              aria-controls={`${id}-panel`}
              tabIndex={tab === current ? 0 : -1}
              disabled={tab.isDisabled ?? false}
              onClick={() => onSelect(tab.id)}
            >
              {tab.label}
            </button>
          ))}
        </div>
        {tools}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a panel of plain text is scrolled by keyboard */}
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${current?.id}`} tabIndex={0}>
        {current?.content()}
      </div>
    </div>
  )
}
