import type { Mail } from './mail.ts'
import { isPattern, type Shape } from './options.ts'
import type { Person } from './wire.ts'

/** Selects mails. A mail must match every given field. */
export interface MailFilter {
  /** A part of the sender's name or address in any case, or a pattern for one of them. */
  from?: string | RegExp
  /** A part of the subject in any case, or a pattern. */
  subject?: string | RegExp
  has?: 'code' | 'link' | 'action_link' | 'attachment'
  /** A part of sender, subject, text or codes, in any case. */
  q?: string
  where?: (mail: Mail) => boolean
}

export const FILTER_SHAPE: Shape = {
  from: 'text',
  subject: 'text',
  has: 'has',
  q: 'string',
  where: 'function',
}

/** The query parameters for the part of the filter that the service applies. */
export function queryOf({ from, subject, has, q }: MailFilter) {
  return { from: plain(from), subject: plain(subject), has, q }
}

/** Applies the part of the filter that the service cannot apply. */
export function matches(mail: Mail, { from, subject, where }: MailFilter): boolean {
  if (isPattern(from) && !senders(mail.from).some((sender) => contains(sender, from))) return false
  if (isPattern(subject) && !contains(mail.subject, subject)) return false
  return where === undefined || where(mail)
}

/** Such as `mail from shop.example with subject /code/ and a code`. */
export function described({ from, subject, has, q, where }: MailFilter, what = 'mail'): string {
  const parts = [
    from !== undefined && `from ${shown(from)}`,
    subject !== undefined && `with subject ${shown(subject)}`,
    q !== undefined && `with ${shown(q)} in it`,
    has !== undefined && what === 'mail' && `with ${HAS[has]}`,
    where !== undefined && 'that `where` accepts',
  ]
  return [what, ...parts.filter((part) => part !== false)].join(' ')
}

const HAS = { code: 'a code', link: 'a link', action_link: 'an action link', attachment: 'an attachment' }

/**
 * As `pattern.test(text)`, but ignores `lastIndex`: a pattern with the flag g would miss every
 * other mail.
 */
export function contains(text: string, pattern: RegExp): boolean {
  return text.search(pattern) !== -1
}

function plain(value: string | RegExp | undefined): string | undefined {
  return isPattern(value) ? undefined : value
}

function senders({ name, address }: Person): string[] {
  return [address ?? '', name ?? '', `${name ?? ''} <${address ?? ''}>`]
}

function shown(value: string | RegExp): string {
  return isPattern(value) ? String(value) : `"${value}"`
}
