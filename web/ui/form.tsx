import type { ComponentChildren } from 'preact'

interface Props {
  class?: string
  onSubmit: () => void
  children: ComponentChildren
}

/** A form that a script submits: the browser does not load the page again. */
export function Form({ class: name, onSubmit, children }: Props) {
  return (
    <form
      class={name}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}
