/** The inbox keeps its place in the fragment, so that the skip link must not use it. */
export function enableSkipLink(): void {
  document.querySelector('[data-skip]')!.addEventListener('click', (event) => {
    event.preventDefault()
    document.getElementById('main')!.focus()
  })
}
