/**
 * Runs beside a mail, in its cage: tells the frame around it how high the mail is. It is the only script that
 * the cage's policy lets in, by its path (caged.ts).
 */
let told = 0

function measure(): void {
  const { body, documentElement } = document
  // The root is as high as the frame at least; the body and what hangs out of it are as high as the mail.
  const height = Math.ceil(
    Math.max(body.getBoundingClientRect().bottom + window.scrollY, body.scrollHeight, body.offsetHeight),
  )
  const margin = Number.parseFloat(getComputedStyle(body).marginBottom) || 0
  const next = Math.min(height + margin, documentElement.scrollHeight > height ? height + margin : Infinity)
  if (Math.abs(next - told) < 2) return
  told = next
  parent.postMessage({ height: next }, '*')
}

new ResizeObserver(measure).observe(document.body)
addEventListener('load', measure)
measure()
