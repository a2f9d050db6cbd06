import type { Candidate } from './candidates.ts'
import { startOfLine } from './layout.ts'
import type { MailText } from './mail-text.ts'
import { matchesOf } from './matches.ts'

/** A label with its value on one line or in one row of a table. "^" also matches after the other line ends. */
const ROW = /^[^\S\n\r\u2028\u2029]*\p{L}[^\n:：\t]{1,40}(?:[:：][ \t]*|\t)\S/gmu

/**
 * Two or more labels with values are a record (of an asset, a report, an invoice), not a
 * verification mail.
 */
export function isInRecord(mail: MailText, { start }: Candidate): boolean {
  const { text, subjectEnd, nouns, purposes } = mail
  // Where nothing speaks of codes, "Time: 84 minutes" does not say when something expires.
  const isElse = nouns.length === 0 && purposes.length === 0
  if (mail.hasWarning || (mail.hasExpiry && !isElse)) return false
  mail.rows ??= new Set(matchesOf(text.slice(subjectEnd), ROW).map((row) => subjectEnd + row.index))
  return mail.rows.size >= (mail.hasExpiry ? 3 : 2) && mail.rows.has(startOfLine(text, start))
}
