import { render } from 'preact'
import { enableSkipLink } from '../ui/skip.ts'
import { ExampleTabs } from './example-tabs.tsx'

const place = document.getElementById('example-tabs')
if (place !== null) {
  place.replaceChildren()
  render(<ExampleTabs />, place)
}
enableSkipLink()

/** A link to an operation, such as /docs#waitForEmail, opens it. */
function openNamed(): void {
  const named = document.getElementById(location.hash.slice(1))
  if (!(named instanceof HTMLDetailsElement)) return
  named.open = true
  named.scrollIntoView({ block: 'start' })
}
addEventListener('hashchange', openNamed)
openNamed()
