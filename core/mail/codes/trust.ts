import type { Candidate } from './candidates.ts'
import { BOOKING, MEETING, OFFER } from './contexts.ts'
import type { Keyword } from './keywords.ts'
import type { MailText } from './mail-text.ts'

/** A bare "code" is a verification code only where nothing speaks for a voucher, a booking or a meeting. */
export function isTrusted(mail: MailText, word: Keyword, candidate: Candidate): boolean {
  if (word.meaning === 'verification') return true
  if (word.meaning === 'other') return false
  const wide = around(mail, candidate, 400)
  if (BOOKING.test(wide) || MEETING.test(wide)) return false
  if (word.meaning === 'probable') return true
  if (OFFER.test(around(mail, candidate, 150))) return false
  return word.yours || mail.purposes.length > 0 || mail.nouns.some((noun) => noun.meaning === 'verification')
}

/** The subject and what stands near the candidate. */
export function around(mail: MailText, candidate: Candidate, distance: number): string {
  const from = Math.max(0, candidate.start - distance)
  const near = mail.lower.slice(from, candidate.end + distance)
  return from < mail.subjectEnd ? near : `${mail.lower.slice(0, mail.subjectEnd)}\n${near}`
}
