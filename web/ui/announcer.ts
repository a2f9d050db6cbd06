/** Long enough to be read after others that came at the same moment. */
const KEPT_MS = 10_000

let region: HTMLElement | undefined

/**
 * Tells a screen reader what happened elsewhere than where its user is. Each text is a line of its own: one that
 * took the place of another would leave that one unread.
 */
export function announce(text: string): void {
  if (region === undefined) {
    region = document.createElement('div')
    region.className = 'visually-hidden'
    region.setAttribute('role', 'log')
    region.setAttribute('aria-label', 'What happened')
    document.body.append(region)
  }
  const line = document.createElement('p')
  line.textContent = text
  region.append(line)
  setTimeout(() => line.remove(), KEPT_MS)
}
