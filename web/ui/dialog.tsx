import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface Props {
  title: string
  onClose: () => void
  class?: string
  children: ComponentChildren
}

/** A modal dialog; the browser's own keeps the focus inside, closes on Escape, and gives the focus back. */
export function Dialog({ title, onClose, class: kind = '', children }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // Before the next paint: a key that is pressed meanwhile must not reach what is behind.
  useLayoutEffect(() => {
    const dialog = ref.current!
    const opener = document.activeElement
    dialog.showModal()
    return () => {
      dialog.close()
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  return (
    <dialog ref={ref} class={kind} aria-labelledby={heading} onCancel={onClose} onClose={onClose}>
      <div class="dialog-head">
        <h2 id={heading}>{title}</h2>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      {children}
    </dialog>
  )
}

interface ConfirmProps {
  title: string
  text: string
  action: string
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, text, action, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <p class="actions">
        <button
          type="button"
          class="danger"
          onClick={() => {
            onClose()
            onConfirm()
          }}
        >
          {action}
        </button>
        <button type="button" onClick={onClose}>
          Keep
        </button>
      </p>
    </Dialog>
  )
}
