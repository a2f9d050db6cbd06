import type { ComponentType, VNode } from 'preact'
import { render } from 'preact'
import { enableSkipLink } from './skip.ts'

/** Renders a page's component into its <main>. */
export function mount(Page: ComponentType): void {
  const main = document.getElementById('main')
  if (main === null) throw new Error('The page has no <main id="main">.')
  renderInstead(<Page />, main)
  enableSkipLink()
}

/** Renders in place of the content of the document, which Preact would keep where it cannot reuse it. */
export function renderInstead(content: VNode, place: Element): void {
  place.replaceChildren()
  render(content, place)
}
