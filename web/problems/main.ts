import { enableSkipLink } from '../ui/skip.ts'

/** Scrolls to the problem that the path names: `/problems/<code>`. */
const code = location.pathname.split('/').pop() ?? ''
const named = document.getElementById(code)
if (named?.parentElement?.classList.contains('problem-list')) {
  named.classList.add('highlight')
  named.scrollIntoView({ block: 'center' })
  named.focus({ preventScroll: true })
}
enableSkipLink()
