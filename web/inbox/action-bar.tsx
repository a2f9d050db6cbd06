import type { Email } from '../lib/api.ts'
import { hostOf } from '../lib/format.ts'
import { Copy } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { actionText } from './action-text.ts'

/** The codes of the email, and the link that it asks its reader to open. */
export function ActionBar({ email: { codes, action_link } }: { email: Email }) {
  if (codes.length === 0 && !action_link) return null
  return (
    <div class="action-bar cluster">
      {codes.map((code) => (
        <Copy key={code} text={code} what={`code ${code}`} class="code">
          {code}
        </Copy>
      ))}
      {action_link && (
        <>
          <a class="button primary" href={action_link.url} target="_blank" rel="noopener noreferrer">
            <Icon name="open" />
            <span class="wrap" dir="auto">
              {actionText(action_link)}
            </span>
          </a>
          <span class="cluster flush nowrap wide-only">
            <span class="fine clip">{hostOf(action_link.url)}</span>
            <Copy text={action_link.url} what="action link" />
          </span>
        </>
      )}
    </div>
  )
}
