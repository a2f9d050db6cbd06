import { plural } from '../lib/format.ts'
import { Copy } from '../ui/copy.tsx'

/** The links of a mail besides the one that it wants clicked, out of the way until they are wanted. */
export function LinkList({ links, action }: { links: string[]; action: string | undefined }) {
  const others = links.filter((link) => link !== action)
  if (others.length === 0) return null
  return (
    <details class="links">
      <summary>{plural(others.length, action === undefined ? 'link' : 'more link')}</summary>
      <ul aria-label="Links">
        {others.map((link) => (
          <li key={link}>
            <a href={link} target="_blank" rel="noopener noreferrer">
              {link}
            </a>
            <Copy text={link} what="link" />
          </li>
        ))}
      </ul>
    </details>
  )
}
