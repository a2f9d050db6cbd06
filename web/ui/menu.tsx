import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './icon.tsx'

interface Props {
  /** What the button shows; nothing but its icon where it is empty. */
  label: string
  /** The button's name, where its label is not enough. */
  name: string
  icon: IconName
  class?: string
  children: (close: () => void) => ComponentChildren
}

/** A button that opens a small panel below itself; Escape, a click elsewhere or the focus elsewhere closes it. */
export function Menu({ label, name, icon, class: kind = '', children }: Props) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  useEffect(() => {
    if (!open) return
    const outside = ({ target }: Event) => {
      if (!place.current?.contains(target as Node)) setOpen(false)
    }
    // Before the page's own keys, for which Escape means something else.
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      close()
    }
    document.addEventListener('pointerdown', outside)
    document.addEventListener('focusin', outside)
    document.addEventListener('keydown', closeByKey, { capture: true })
    return () => {
      document.removeEventListener('pointerdown', outside)
      document.removeEventListener('focusin', outside)
      document.removeEventListener('keydown', closeByKey, { capture: true })
    }
  }, [open])
  return (
    <div class="menu" ref={place}>
      <button
        type="button"
        ref={button}
        class={kind}
        aria-expanded={open}
        aria-controls={id}
        aria-label={name}
        title={name}
        onClick={() => setOpen(!open)}
      >
        <Icon name={icon} />
        {label && <span>{label}</span>}
      </button>
      <div id={id} class="menu-panel" hidden={!open}>
        {open && children(close)}
      </div>
    </div>
  )
}
