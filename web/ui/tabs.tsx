import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

export interface Tab {
  id: string
  label: string
  content: () => ComponentChildren
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
  const position = Math.max(
    0,
    tabs.findIndex((tab) => tab.id === selected),
  )
  const current = tabs[position]
  const move = (event: KeyboardEvent) => {
    const to = { ArrowLeft: position - 1, ArrowRight: position + 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = (to + tabs.length) % tabs.length
    onSelect(tabs[next]?.id ?? selected)
    ;(list.current?.children[next] as HTMLElement | undefined)?.focus()
  }
  return (
    <div>
      <div class="tab-bar split">
        <div class="strip" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
          {tabs.map((tab, i) => (
            <button
              type="button"
              key={tab.id}
              id={`${id}-${tab.id}`}
              role="tab"
              aria-selected={i === position}
              aria-controls={`${id}-panel`}
              tabIndex={i === position ? 0 : -1}
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
