import type { ComponentChildren, RefObject } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './icon.tsx'

interface Props {
  /** The visible label; empty for a button with an icon only. */
  label: string
  /** The accessible name of the button. */
  name: string
  icon: IconName
  class?: string
  /** Which edge of the button the panel is aligned to. */
  align?: 'left' | 'right'
  children: (close: () => void) => ComponentChildren
}

/** A button that opens a panel below itself. Escape, or a click or focus outside, closes it. */
export function Menu({ label, name, icon, class: kind = '', align = 'right', children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  useDismissal(isOpen, root, setOpen, close)
  return (
    <div class="menu" ref={root}>
      <button
        type="button"
        ref={button}
        class={kind}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={name}
        title={name}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={icon} />
        {label && <span class="wide-only">{label}</span>}
      </button>
      <div id={id} class={`menu-panel ${align}`} hidden={!isOpen}>
        {isOpen && children(close)}
      </div>
    </div>
  )
}

/** Closes an open panel on Escape, and on a click or focus outside of it. */
function useDismissal(
  isOpen: boolean,
  root: RefObject<HTMLElement | null>,
  setOpen: (isOpen: boolean) => void,
  close: () => void,
): void {
  // In the same step as the panel, so that no click is missed that comes at once.
  useLayoutEffect(() => {
    if (!isOpen) return
    const outside = ({ target }: Event) => {
      if (!root.current?.contains(target as Node)) setOpen(false)
    }
    // In the capture phase, because Escape means something else to the shortcuts of the page.
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      close()
    }
    document.addEventListener('pointerdown', outside)
    document.addEventListener('focusin', outside)
    document.addEventListener('keydown', closeOnEscape, { capture: true })
    return () => {
      document.removeEventListener('pointerdown', outside)
      document.removeEventListener('focusin', outside)
      document.removeEventListener('keydown', closeOnEscape, { capture: true })
    }
  }, [isOpen])
}

export type MenuItem = [label: string, act: () => unknown]

interface ItemsProps {
  items: MenuItem[]
  close: () => void
}

/** The actions of a menu. */
export function MenuItems({ items, close }: ItemsProps) {
  return (
    <ul>
      {items.map(([label, act]) => (
        <li key={label}>
          <button
            type="button"
            class="menu-item"
            onClick={() => {
              close()
              act()
            }}
          >
            {label}
          </button>
        </li>
      ))}
    </ul>
  )
}
