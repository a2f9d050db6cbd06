import { fold } from '../lexicon/plain.ts'
import { placeOf, saysIn } from '../links/phrases.ts'
import type { CodeDetail } from '../message.ts'
import type { MailText } from './mail-text.ts'
import type { Noun } from './nouns.ts'

/** "[acme/api] Login code 500 error (#4821)": a code forge reports what people say about a program. */
export function isOfRepository({ text, subjectEnd }: MailText): boolean {
  const subject = text.slice(0, subjectEnd)
  return subject.includes('#') && REPOSITORY.test(subject) && /#\d/.test(subject)
}

const REPOSITORY = /\[[\w.-]{1,64}\/[\w.-]{1,64}\]/

/**
 * Whether a mail tells what a person wrote: its subject announces a comment or a private message, or has the number of an
 * issue. What is in it is no code of the service, unless it expires or is to be kept secret.
 */
export function isDiscussion(mail: MailText): boolean {
  const { text, lower, subjectEnd, nouns, purposes, hasExpiry, hasWarning } = mail
  if (hasWarning) return false
  const issue = ISSUE.exec(text.slice(0, subjectEnd))
  if (issue !== null && (issue[1] !== undefined || !hasExpiry)) return true
  if (hasExpiry || purposes.some(({ start }) => start < subjectEnd)) return false
  // "Private message service: your code".
  const isOfCode = ({ end, meaning, yours }: Noun) =>
    end <= subjectEnd && (meaning === 'verification' || yours)
  if (nouns.some(isOfCode)) return false
  const subject = fold(lower.slice(0, subjectEnd))
  return saysIn('comment', subject) && !saysIn('confirm', subject)
}

/** "[JIRA] (OPS-3318) Gate 7 rejects badges", "Re: [billing] SMS code (#1207)": a number alone counts only in an answer. */

const ISSUE =
  /^\p{L}{2,3}: ?\[[^\]\n]{1,40}\][^\n]*\(#\d{1,6}\)|^(?:\p{L}{2,3}: ?)?\[[^\]\n]{1,40}\][^\n]*\(([A-Z]{2,10}-\d{1,6})\)/iu

/** "My login code 0042 still works": a person writes about a code, which no service calls its own. */
export function isOfWriter({ value, reason }: CodeDetail): boolean {
  if (reason.includes(':') || !reason.endsWith(value)) return false
  const lead = fold(reason.slice(0, -value.length)).slice(-LEAD_MAX)
  const place = placeOf('mine', lead)
  return place !== -1 && lead.slice(place).split(' ').length <= WORDS_MAX
}

/** Characters before a value that may say whose it is, and the words from "my" to the value. */
const LEAD_MAX = 40
const WORDS_MAX = 5
