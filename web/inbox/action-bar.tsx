import type { ActionLink, Email } from '../lib/api.ts'
import { Copy } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'

const KINDS: Record<ActionLink['kind'], string> = {
  confirm: 'Confirm',
  sign_in: 'Sign in',
  reset: 'Reset',
  invite: 'Accept',
}

/** What one came for: the codes to copy, and the link that the mail wants clicked. */
export function ActionBar({ email: { codes, action_link } }: { email: Email }) {
  if (codes.length === 0 && !action_link) return null
  return (
    <div class="action-bar">
      {codes.map((code) => (
        <Copy key={code} text={code} what={`code ${code}`} class="code">
          {code}
        </Copy>
      ))}
      {action_link && (
        <span class="action-link">
          <a class="button primary" href={action_link.url} target="_blank" rel="noopener noreferrer">
            <Icon name="open" />
            <span dir="auto">{action_link.text.slice(0, 80) || KINDS[action_link.kind]}</span>
          </a>
          <span class="fine">{hostOf(action_link.url)}</span>
          <Copy text={action_link.url} what="action link" />
        </span>
      )}
    </div>
  )
}

function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return url
  }
}
