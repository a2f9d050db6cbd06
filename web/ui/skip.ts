/** Moves the focus by script: the inbox keeps its place in the fragment, which a plain link would replace. */
export function enableSkipLink(): void {
  document.querySelector('[data-skip]')?.addEventListener('click', (event) => {
    event.preventDefault()
    document.getElementById('main')?.focus()
  })
}
