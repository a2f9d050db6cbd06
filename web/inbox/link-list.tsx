import { useState } from 'preact/hooks'
import { plural } from '../lib/format.ts'
import { Copy } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'

/** Enough to show what a mail is about; newsletters have dozens. */
const FIRST = 3

/** The links of a mail, those to confirm something first. */
export function LinkList({ links }: { links: string[] }) {
  const [all, setAll] = useState(false)
  if (links.length === 0) return null
  const shown = all ? links : links.slice(0, FIRST)
  return (
    <ul class="links" aria-label="Links">
      {shown.map((link) => (
        <li key={link}>
          <Icon name="link" />
          <a href={link} target="_blank" rel="noopener noreferrer">
            {link}
          </a>
          <Copy text={link} what="link" />
        </li>
      ))}
      {links.length > shown.length && (
        <li>
          <button type="button" class="quiet" onClick={() => setAll(true)}>
            Show {plural(links.length - shown.length, 'more link')}
          </button>
        </li>
      )}
    </ul>
  )
}
