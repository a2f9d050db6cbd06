import type { Email } from '../lib/api.ts'

/** Whether an email matches the parameters of a list (web/inbox/query.ts), compared as the service does. */
export function matches(email: Email, { from, subject, has, q }: Record<string, string>): boolean {
  const { name, address } = email.from
  return (
    contains([`${name ?? ''} ${address ?? ''}`], from) &&
    contains([email.subject], subject) &&
    (has === undefined || hasPart(email, has)) &&
    contains([`${name ?? ''} ${address ?? ''}`, email.subject, email.body_text, ...email.codes], q)
  )
}

function contains(texts: string[], part: string | undefined): boolean {
  return part === undefined || texts.some((text) => text.toLowerCase().includes(part.toLowerCase()))
}

function hasPart({ codes, links, action_link, attachment_count }: Email, has: string): boolean {
  if (has === 'code') return codes.length > 0
  if (has === 'link') return links.length > 0
  return has === 'action_link' ? action_link !== null : attachment_count > 0
}
