/** What the viewer leaves unnamed or out of reach of the keyboard, by what it is. */
const MENDS: [selector: string, mend: (element: HTMLElement) => void][] = [
  ['.parameters select, .parameters textarea', (field) => label(field, parameterOf(field))],
  ['.opblock-section-request-body textarea', (field) => label(field, 'Request body')],
  ['.close-modal', (button) => label(button, 'Close')],
  // Its name says something else than the button does.
  ['.modal-btn[aria-label]', (button) => button.removeAttribute('aria-label')],
  // A heading out of order that heads nothing.
  ['.modal-ux h6', (heading) => heading.setAttribute('role', 'none')],
  ['pre.microlight', (code) => code.setAttribute('tabindex', '0')],
]

/** Keeps the viewer usable by keyboard and screen reader, whatever it draws next. */
export function keepMended(place: HTMLElement): void {
  const mendAll = () => {
    for (const [selector, mend] of MENDS) {
      for (const element of place.querySelectorAll<HTMLElement>(selector)) mend(element)
    }
  }
  new MutationObserver(mendAll).observe(place, { childList: true, subtree: true })
}

function label(element: HTMLElement, text: string): void {
  element.setAttribute('aria-label', text)
}

function parameterOf(field: HTMLElement): string {
  return field.closest('tr')?.getAttribute('data-param-name') ?? 'Value'
}
