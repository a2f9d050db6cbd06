import { decoded } from '../../core/decoded.ts'
import { enableSkipLink } from '../ui/skip.ts'

/** Scrolls to the problem that the path names: `/problems/<code>`. */
const code = /\/problems\/([^/]*)$/.exec(location.pathname)?.[1] ?? ''
const unknown = document.getElementById('unknown')
const named = document.getElementById(code)
if (named?.parentElement?.classList.contains('problem-list')) {
  named.classList.add('highlight')
  named.scrollIntoView({ block: 'center' })
  named.focus({ preventScroll: true })
} else if (code !== '' && unknown !== null) {
  unknown.textContent = `There is no problem with the code “${decoded(code).slice(0, 80)}”. This page lists all of them.`
  unknown.hidden = false
}
enableSkipLink()
