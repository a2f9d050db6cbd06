import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface Props {
  title: string
  onClose: () => void
  class?: string
  children: ComponentChildren
}

/** A modal dialog. The browser keeps the focus inside and closes it on Escape. */
export function Dialog({ title, onClose, class: kind = '', children }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // Before the next paint: a key that is pressed in between must not reach the page behind.
  useLayoutEffect(() => {
    const dialog = ref.current
    const opener = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  // Escape in the frame of an email, from which a page hears only forwarded keys (web/inbox/mail-frame.tsx).
  const onForwarded = ({ key, isTrusted }: KeyboardEvent) => {
    if (key === 'Escape' && !isTrusted) onClose()
  }
  return (
    <dialog
      ref={ref}
      class={kind}
      aria-labelledby={heading}
      onCancel={onClose}
      onClose={onClose}
      onKeyDown={onForwarded}
    >
      <div class="stack">
        <div class="split nowrap">
          <h2 id={heading} class="wrap">
            {title}
          </h2>
          <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
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

/** Asks before an action that cannot be undone. */
export function Confirm({ title, text, action, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <div class="cluster">
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
          Cancel
        </button>
      </div>
    </Dialog>
  )
}
