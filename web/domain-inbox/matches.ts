import { type EmailFilter, matches as isSelected } from '../../core/inbox/filter.ts'
import type { Email } from '../lib/api.ts'

/** Whether an email matches the parameters of a list, compared as the service does. */
export function matches(email: Email, filter: EmailFilter): boolean {
  return isSelected(
    {
      ...email,
      bodyText: email.body_text,
      actionLink: email.action_link,
      attachmentCount: email.attachment_count,
    },
    filter,
  )
}
