import type { ComponentType } from 'preact'
import { render } from 'preact'
import { enableSkipLink } from './skip.ts'

/** Renders a page's component into its <main>. */
export function mount(Page: ComponentType): void {
  const main = document.getElementById('main')
  if (main === null) throw new Error('The page has no <main id="main">.')
  main.replaceChildren()
  render(<Page />, main)
  enableSkipLink()
}
