import { contains, decided, type MailFilter } from './filter.ts'
import type { Mail } from './mail.ts'
import { isPattern } from './options.ts'

export interface WaitOptions extends MailFilter {
  /**
   * Milliseconds for the whole call: `timeout` of the client unless given. 0 only checks the mails that have arrived.
   */
  timeout?: number
  /** Ends the wait; the call rejects with the signal's reason. */
  signal?: AbortSignal
  /**
   * With true, a wait without a matching mail returns null instead of throwing MailTimeoutError.
   */
  orNull?: boolean
}

/** `has` is fixed by what is waited for. */
export type CodeOptions = Omit<WaitOptions, 'has'> & {
  /**
   * Selects the code: one of the mail's codes that matches, or else a part of its subject or text
   * that does. If the pattern has a group, the code is the first group.
   */
  pattern?: RegExp
}
export type LinkOptions = Omit<WaitOptions, 'has'>

/** A part of the URL, a pattern, or a predicate. */
export type LinkMatch = string | RegExp | ((url: string) => boolean)

/** Returns the first link of the mail that matches. */
export function linkOf(mail: Mail, match: LinkMatch): string | undefined {
  return mail.links.find((url) => {
    if (typeof match === 'string') return url.includes(match)
    return isPattern(match) ? contains(url, match) : decided(match(url))
  })
}

/** Returns the first code of the mail, or part of its subject or text, that matches. */
export function codeOf(mail: Mail, pattern: RegExp): string | undefined {
  // A copy, because `exec` continues where its last match ended with the flag g; and without the
  // flag y, with which a code in the middle of a text would not match.
  const once = new RegExp(pattern.source, pattern.flags.replace('y', ''))
  for (const text of [...mail.codes, mail.subject, mail.text]) {
    const match = once.exec(text)
    if (match !== null) return match[1] ?? match[0]
  }
  return undefined
}
