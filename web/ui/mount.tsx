import type { ComponentType } from 'preact'
import { render } from 'preact'
import { enableSkipLink } from './skip.ts'

/** Puts a page's component in the place that its HTML keeps for it. */
export function mount(Page: ComponentType): void {
  const main = document.getElementById('main')!
  main.replaceChildren()
  render(<Page />, main)
  enableSkipLink()
}
