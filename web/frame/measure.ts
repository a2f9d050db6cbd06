import { invertColours } from './invert.ts'

/**
 * Runs beside an email in its frame: reports the height of the email and the shortcuts that are pressed in it to the
 * frame around it, inverts its colours if that is wanted, and scales an email that is wider than the frame, as mail clients on phones do. The policy of the
 * frame allows no other script.
 */

/** Text that is smaller than this cannot be read; a wider email scrolls sideways instead. */
const SCALE_MIN = 0.4

let reported = 0
let fittedWidth = 0

/** Emails with a layout for narrow screens fit already; the others are scaled to the width of the frame. */
function fit(): void {
  const { documentElement: root } = document
  if (window.innerWidth === fittedWidth) return
  fittedWidth = window.innerWidth
  root.style.removeProperty('zoom')
  const scale = window.innerWidth / root.scrollWidth
  if (scale < 0.995) root.style.setProperty('zoom', String(Math.max(scale, SCALE_MIN)))
}

function measure(): void {
  fit()
  const { body, documentElement: root } = document
  const zoom = Number(root.style.getPropertyValue('zoom')) || 1
  // The root is at least as high as the frame; the body and its overflow are as high as the email.
  const height = Math.max(
    body.getBoundingClientRect().bottom / zoom + window.scrollY,
    body.scrollHeight,
    body.offsetHeight,
  )
  const margin = Number.parseFloat(getComputedStyle(body).marginBottom) || 0
  const next = Math.ceil((height + margin) * zoom)
  if (Math.abs(next - reported) < 2) return
  reported = next
  parent.postMessage({ height: next }, '*')
}

/** Keys that lead on from here; those that delete something work outside of the email only. */
const FORWARDED = ['j', 'k', 'x', 'r', 'R', 'c', 'o', 'u', '/', '?', 'Escape']

addEventListener('keydown', ({ key, isTrusted, ctrlKey, metaKey, altKey }) => {
  if (!isTrusted || ctrlKey || metaKey || altKey || !FORWARDED.includes(key)) return
  parent.postMessage({ key }, '*')
})
if (document.documentElement.dataset.inverted !== undefined) invertColours(document.documentElement)
new ResizeObserver(measure).observe(document.body)
addEventListener('resize', measure)
addEventListener('load', () => {
  fittedWidth = 0
  measure()
})
measure()
