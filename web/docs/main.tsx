import { render } from 'preact'
import { renderInstead } from '../ui/mount.tsx'
import { enableSkipLink } from '../ui/skip.ts'
import { ExampleTabs } from './example-tabs.tsx'
import { Run } from './run.tsx'

const place = document.getElementById('example-tabs')
if (place !== null) renderInstead(<ExampleTabs />, place)
enableSkipLink()
enableSearch()

/** Draws “Run” into each operation that is opened. */
for (const operation of document.querySelectorAll<HTMLDetailsElement>('details[data-run]')) {
  operation.addEventListener('toggle', () => {
    const body = operation.querySelector(':scope > .stack')
    if (!operation.open || body === null || body.querySelector('[data-runner]') !== null) return
    const run = document.createElement('div')
    run.dataset.runner = ''
    body.prepend(run)
    render(<Run path={operation.dataset.run ?? ''} />, run)
  })
}

/** Hides what does not contain the text of the search field, in the contents. */
function enableSearch(): void {
  const field = document.getElementById('find')
  if (!(field instanceof HTMLInputElement)) return
  const search = () => {
    const wanted = field.value.trim().toLowerCase()
    for (const group of document.querySelectorAll<HTMLElement>('.contents > li')) {
      const links = [...group.querySelectorAll<HTMLElement>('li')]
      for (const link of links) {
        const text = `${link.textContent} ${link.querySelector('a')?.title}`.toLowerCase()
        link.hidden = !text.includes(wanted)
      }
      group.hidden = links.every((link) => link.hidden)
    }
  }
  field.addEventListener('input', search)
  // The field is there before this script: for text that was typed by then, or that the browser restored.
  search()
}

/** A link to an operation, such as /docs#waitForEmail, opens it. */
function openNamed(): void {
  const named = document.getElementById(location.hash.slice(1))
  if (!(named instanceof HTMLDetailsElement)) return
  named.open = true
  named.scrollIntoView({ block: 'start' })
}
addEventListener('hashchange', openNamed)
openNamed()
