import type { Email } from '../lib/api.ts'
import { Copy } from '../ui/copy.tsx'

/** The links of an email. */
export function LinkList({ email: { links, action_link } }: { email: Email }) {
  return (
    <ul aria-label="Links">
      {links.map((link) => (
        <li key={link} class="cluster nowrap">
          <a class="clip" href={link} target="_blank" rel="noopener noreferrer">
            {link}
          </a>
          {link === action_link?.url && <span class="chip">Action link</span>}
          <Copy text={link} what="link" />
        </li>
      ))}
    </ul>
  )
}
