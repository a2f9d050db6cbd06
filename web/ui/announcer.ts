/** Long enough to be read out after other announcements of the same moment. */
const KEPT_MS = 10_000

let region: HTMLElement | undefined

/**
 * Announces an event to screen readers. Each text is a line of its own, because a text that replaces another one
 * leaves that one unread.
 */
export function announce(text: string): void {
  if (region === undefined) {
    region = document.createElement('div')
    region.className = 'visually-hidden'
    region.setAttribute('role', 'log')
    region.setAttribute('aria-label', 'Notifications')
    document.body.append(region)
  }
  const line = document.createElement('p')
  line.textContent = text
  region.append(line)
  setTimeout(() => line.remove(), KEPT_MS)
}
