import type { Mark } from '../frame/marks.ts'

/** How an email is shown: as it is, or as an approximation of what others see. */
export interface ShownAs {
  id: 'as-is' | 'bright' | 'no-images' | 'no-styles' | 'inverted' | 'phone'
  label: string
  /** What it does and where that happens; empty for the email as it is. */
  note: string
  /** Whether images of other hosts are never loaded. */
  withoutImages?: boolean
  unstyled?: boolean
  inverted?: boolean
  /** Pixels; undefined for the width of the page. */
  width?: number
  /** The clients of the HTML check that it stands for. */
  clients: string[]
}

export const AS_IS: ShownAs = { id: 'as-is', label: 'As it is', note: '', clients: [] }

/** What the reader chooses from. `bright` is for a dark page, on which white emails are dimmed. */
export const SHOWN_AS: ShownAs[] = [
  AS_IS,
  { id: 'bright', label: 'At full brightness', note: '', clients: [] },
  {
    id: 'no-images',
    label: 'Without remote images',
    note: 'An approximation of clients that block images until they are asked for: Outlook and others.',
    withoutImages: true,
    clients: ['Outlook for Windows', 'Outlook.com'],
  },
  {
    id: 'no-styles',
    label: 'Without <style>',
    note: 'An approximation of Gmail with accounts of other providers, which removes <style>.',
    unstyled: true,
    clients: ['Gmail'],
  },
  {
    id: 'inverted',
    label: 'In the dark, inverted',
    note: 'An approximation of dark clients that invert colours: Outlook, and Gmail on Android.',
    inverted: true,
    clients: ['Outlook mobile', 'Gmail'],
  },
  {
    id: 'phone',
    label: 'At 375 px',
    note: 'An approximation of a phone: the email in a window of 375 pixels.',
    width: 375,
    clients: ['Gmail', 'Apple Mail', 'Outlook mobile'],
  },
]

/** Signs of what is at a place in an email; a rule such as `@media` is at none. */
const PLACED = /^(?:element|attribute|property|value|function|unit|selector):/

/**
 * Features at places of the email that some of these clients do not show, by the HTML check, which is loaded when it is
 * first needed.
 */
export async function lostIn(html: string, { clients, unstyled }: ShownAs): Promise<Mark[]> {
  const { checkHtml } = await import('../html-check/check.ts')
  return checkHtml(unstyled ? withoutStyles(html) : html).findings.flatMap(
    ({ title, unsupported, signs }) => {
      const lost = unsupported.filter((client) => clients.includes(client))
      if (lost.length === 0) return []
      return signs
        .filter((sign) => PLACED.test(sign))
        .map((sign) => ({ sign, text: `${title}: not in ${lost.join(', ')}` }))
    },
  )
}

function withoutStyles(html: string): string {
  const [first = '', ...others] = html.split(/<style/i)
  return [first, ...others.map((part) => part.replace(/^[\s\S]*?<\/style/i, ''))].join('')
}
