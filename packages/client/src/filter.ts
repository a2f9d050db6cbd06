import type { Mail } from './mail.ts'
import type { Person } from './wire.ts'

/** What a mail must be like. All that is given must hold. */
export interface MailFilter {
  /** A part of the sender's name or address in any case, or a pattern for one of them. */
  from?: string | RegExp
  subject?: string | RegExp
  has?: 'code' | 'link' | 'action_link' | 'attachment'
  /** A part of sender, subject, text or codes, in any case. */
  q?: string
  where?: (mail: Mail) => boolean
}

/** What of it the service looks for. */
export function queryOf({ from, subject, has, q }: MailFilter) {
  return { from: plain(from), subject: plain(subject), has, q }
}

/** Whether the rest holds, for a mail that the service has chosen. */
export function fits(mail: Mail, { from, subject, where }: MailFilter): boolean {
  if (from instanceof RegExp && !senders(mail.from).some((sender) => found(sender, from))) return false
  if (subject instanceof RegExp && !found(mail.subject, subject)) return false
  return where === undefined || where(mail)
}

/** Such as `mail from shop.example with subject /code/ and a code`. */
export function described({ from, subject, has, q, where }: MailFilter, what = 'mail'): string {
  const parts = [
    from !== undefined && `from ${shown(from)}`,
    subject !== undefined && `with subject ${shown(subject)}`,
    q !== undefined && `with ${shown(q)} in it`,
    has !== undefined &&
      what === 'mail' &&
      `with ${has === 'code' ? 'a code' : has === 'link' ? 'a link' : `an ${has.replace('_', ' ')}`}`,
    where !== undefined && 'that fits `where`',
  ]
  return [what, ...parts.filter((part) => part !== false)].join(' ')
}

/** Does what `test` does without its memory: a pattern with the flag g would find every other mail. */
export function found(text: string, pattern: RegExp): boolean {
  return text.search(pattern) !== -1
}

function plain(value: string | RegExp | undefined): string | undefined {
  return value instanceof RegExp ? undefined : value
}

function senders({ name, address }: Person): string[] {
  return [address ?? '', name ?? '', `${name ?? ''} <${address ?? ''}>`]
}

function shown(value: string | RegExp): string {
  return value instanceof RegExp ? String(value) : `"${value}"`
}
