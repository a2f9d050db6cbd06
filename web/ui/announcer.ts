let region: HTMLElement | undefined

/** Tells a screen reader what happened elsewhere than where its user is. */
export function announce(text: string): void {
  if (region === undefined) {
    region = document.createElement('div')
    region.className = 'visually-hidden'
    region.setAttribute('role', 'status')
    document.body.append(region)
  }
  // The same text twice is no change, so that it would not be read.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text
}
