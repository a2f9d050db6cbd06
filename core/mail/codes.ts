import { type Candidate, findCandidates, findLetterCandidates } from './codes/candidates.ts'
import { ENOUGH, evidence, isWorthWeighing } from './codes/evidence.ts'
import { visibleText } from './codes/html.ts'
import { findKeywords, hasKeyword } from './codes/keywords.ts'
import type { MailText, SearchableText } from './codes/mail-text.ts'
import { plain, withoutAccents, withoutAddresses } from './codes/plain.ts'

/**
 * Characters of the text and of the HTML that are searched. A code stands near the top; the rest of a mail of
 * 40 MB may cost nothing.
 */
export const CODE_SEARCH_WINDOW = 128 * 1024

const SUBJECT_WINDOW = 1000

/** Numbers near a keyword that are weighed, so that a mail full of them costs milliseconds, not seconds. */
const MAX_WEIGHED = 500

/** A text this long without a word about codes is a real one, whose HTML says the same, and no mere stub. */
const REAL_TEXT = 1000

/** A list of recovery codes has about ten. */
const MAX_CODES = 10

/** Codes with this much less evidence than the best one are chance. */
const MARGIN = 2

/**
 * Verification codes in a mail, best first, without duplicates; `[]` when the mail is not for verification.
 *
 * A code is given as it is to be typed: digits without their grouping ("73 91 05" is 739105), letters and digits
 * with their dashes ("XK42-99QP-7M3D"), and "G-482913" as 482913, because there the site shows the "G-" itself.
 */
export function findCodes(mail: { subject: string; text: string; html: string | null }): string[] {
  const subject = plain(mail.subject.slice(0, SUBJECT_WINDOW))
  let made: SearchableText | undefined
  const text = () => (made ??= searchable(subject, mail.text.slice(0, CODE_SEARCH_WINDOW)))
  if (mail.html === null) return codesIn(text())
  if (mail.text.length >= REAL_TEXT && !hasKeyword(text().lower)) return []
  // HTML keeps table cells apart, which a text made of it may run together, so it is asked first.
  const codes = codesIn(searchable(subject, visibleText(mail.html.slice(0, CODE_SEARCH_WINDOW))))
  return codes.length > 0 ? codes : codesIn(text())
}

function searchable(subject: string, body: string): SearchableText {
  const text = withoutAddresses(`${subject}\n\n${plain(body)}`)
  return { text, lower: withoutAccents(text.toLowerCase()), subjectEnd: subject.length }
}

function codesIn(searched: SearchableText): string[] {
  const keywords = findKeywords(searched.text, searched.lower)
  if (keywords.length === 0) return []
  const nouns = keywords.filter((word) => word.meaning !== 'purpose')
  const purposes = keywords.filter((word) => word.meaning === 'purpose')
  const mail: MailText = { ...searched, nouns, purposes }
  const codes = weigh(mail, findCandidates(mail.text))
  return codes.length > 0 || nouns.length === 0 ? codes : weigh(mail, findLetterCandidates(mail.text))
}

function weigh(mail: MailText, candidates: Candidate[]): string[] {
  const scores = new Map<string, number>()
  let weighed = 0
  for (const candidate of candidates) {
    if (!isWorthWeighing(mail, candidate)) continue
    if (++weighed > MAX_WEIGHED) break
    const strength = evidence(mail, candidate)
    if (strength < ENOUGH) continue
    const score = strength + candidate.look / 4
    const before = scores.get(candidate.value)
    // A code that is said twice, in the subject and in the body, is the better one.
    scores.set(candidate.value, before === undefined ? score : Math.max(before, score) + 0.5)
  }
  const best = Math.max(...scores.values())
  return [...scores]
    .filter(([, score]) => score >= best - MARGIN)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_CODES)
    .map(([value]) => value)
}
