import type { Candidate } from './candidates.ts'
import { BOOKING, OFFER } from './contexts.ts'
import type { Keyword } from './keywords.ts'
import { isAlone, isWrapped, lineAbove } from './layout.ts'
import { firstAfter, lastBefore, type MailText } from './mail-text.ts'
import {
  BREAK,
  endsAsIntroduction,
  endsWithVerb,
  startsAsPredicate,
  startsAsRequest,
  withoutMarksAfter,
  withoutMarksBefore,
} from './phrases.ts'
import { countsSomething, namesSomethingElse } from './refusals.ts'
import { around, isTrusted } from './trust.ts'

/** Evidence below this is none. */
export const ENOUGH = 4

/** Said in so many words, and refused in so many words. */
const PLAIN = 6
const REFUSED = -1

/** How far a word may stand before a code on the same line, after it, and above a code that stands alone. */
const BEFORE = 160
const AFTER = 64
const ABOVE = 800

/** The words nearest to a candidate. */
interface Nearest {
  before: Keyword | undefined
  after: Keyword | undefined
  purposeBefore: Keyword | undefined
  purposeAfter: Keyword | undefined
}

function nearest({ nouns, purposes }: MailText, { start, end }: Candidate): Nearest {
  return {
    before: nouns[lastBefore(nouns, start)],
    after: nouns[firstAfter(nouns, end)],
    purposeBefore: purposes[lastBefore(purposes, start)],
    purposeAfter: purposes[firstAfter(purposes, end)],
  }
}

/** A cheap first look: a keyword is near, or the candidate stands alone on its line. */
export function isWorthWeighing(mail: MailText, candidate: Candidate): boolean {
  const { before, after, purposeAfter } = nearest(mail, candidate)
  if (before !== undefined && candidate.start - before.end <= BEFORE) return true
  if (after !== undefined && after.start - candidate.end <= AFTER) return true
  if (purposeAfter !== undefined && purposeAfter.start - candidate.end <= AFTER) return true
  return isAlone(mail.text, candidate)
}

/** How clearly the mail says that this is its code: 0 for not at all, 6 for in so many words. */
export function evidence(mail: MailText, candidate: Candidate): number {
  if (countsSomething(mail.lower, candidate)) return 0
  const words = nearest(mail, candidate)
  const alone = isAlone(mail.text, candidate)
  const before = saidBefore(mail, candidate, words.before, alone)
  if (before === REFUSED) return 0
  const strength = Math.max(
    before,
    saidAfter(mail, candidate, words.after),
    askedFor(mail, candidate, words),
    alone ? standsOut(mail, candidate, words) : 0,
  )
  return strength > 0 && isLetters(candidate) && isNameToo(mail, candidate) ? 0 : strength
}

/** "Your code is 482913", "Code (10 minutes): 482913", and the refusals: "order 482913", "postal code 10115". */
function saidBefore(mail: MailText, candidate: Candidate, word: Keyword | undefined, alone: boolean): number {
  const { lower } = mail
  const from = Math.max(word?.end ?? 0, candidate.start - BEFORE, 0)
  const lead = lower.slice(from, candidate.start)
  const gap = withoutMarksBefore(lead)
  const line = gap.slice(gap.lastIndexOf('\n') + 1)
  const oneSentence = word !== undefined && from === word.end && !BREAK.test(gap)
  const oneLine = line.length === gap.length || isWrapped(gap, line)
  const introduced =
    oneSentence &&
    (alone || oneLine || gap.endsWith(':')) &&
    (gap === '' || endsAsIntroduction(lower.slice(word.start, from) + gap))
  if (introduced) {
    if (word.meaning === 'other') return REFUSED
    // "Your security code, order number: 12345"; but "the code to verify your phone number: 482913"
    if (/[,;|]/.test(gap) && namesSomethingElse(gap)) return REFUSED
    if (!oneLine && namesSomethingElse(line)) return REFUSED
    if (!isTrusted(mail, word, candidate)) return 0
    // A bare "code" has no say over a second number.
    if (word.meaning === 'code' && /\d{3}/.test(gap)) return 0
    // "code EXPIRED", "codes (7f3a9c2)": side by side is not enough for what may be a word or an id
    const wordLike = candidate.doubtful && (!candidate.digits || word.meaning === 'code')
    return wordLike && gap === '' && !lead.includes('\n') ? 0 : PLAIN
  }
  if (!lead.endsWith('\n') && namesSomethingElse(line + lead.slice(gap.length))) return REFUSED
  if (!oneSentence || !oneLine || candidate.doubtful) return 0
  if (word.meaning === 'other') return REFUSED
  // "Verification code for Acme 482913" will do for a subject, which has no room for a verb.
  const isShort = gap.length <= 32 && !/\d/.test(gap) && gap.split(' ').length <= 5
  return isShort && candidate.end <= mail.subjectEnd && isTrusted(mail, word, candidate) ? 4.5 : 0
}

/** "482913 is your code", "482913 – Ihr Code", "482913 Instagram kodunuz". */
function saidAfter(mail: MailText, candidate: Candidate, word: Keyword | undefined): number {
  if (word === undefined || word.start - candidate.end > AFTER || !isTrusted(mail, word, candidate)) return 0
  const gap = withoutMarksAfter(mail.lower.slice(candidate.end, word.start))
  if (BREAK.test(gap)) return 0
  if (startsAsPredicate(gap)) return PLAIN
  if (candidate.doubtful || gap.includes('\n') || gap.split(' ').length > 3) return 0
  const lead = mail.text.slice(Math.max(0, candidate.start - 4), candidate.start)
  const begins = /(?:^|[\n\t.:!?\]】>])\s*$/.test(lead)
  return begins && (word.meaning !== 'code' || candidate.digits) ? 5 : 0
}

/** "Enter 482913 to sign in": a verb before and a reason after; "482913 を入力してください". */
function askedFor(mail: MailText, candidate: Candidate, words: Nearest): number {
  if (candidate.doubtful) return 0
  const { lower } = mail
  const rest = lower.slice(candidate.end, candidate.end + AFTER)
  if (startsAsRequest(rest)) return 5
  if (!endsWithVerb(withoutMarksBefore(lower.slice(Math.max(0, candidate.start - 24), candidate.start))))
    return 0
  const reasons = [words.after, words.purposeAfter].filter((word) => word !== undefined)
  const reason = reasons.toSorted((a, b) => a.start - b.start)[0]
  if (reason === undefined || reason.start - candidate.end > AFTER) return 0
  if (reason.meaning !== 'purpose' && !isTrusted(mail, reason, candidate)) return 0
  if (OFFER.test(around(mail, candidate, 150))) return 0
  return BREAK.test(lower.slice(candidate.end, reason.start)) ? 0 : 5
}

/** On a line of its own, below or above words that speak of a code. */
function standsOut(mail: MailText, candidate: Candidate, words: Nearest): number {
  const { lower, nouns } = mail
  const line = lineAbove(lower, candidate.start)
  const isInLine = (word: Keyword | undefined) => word !== undefined && word.end > line.start
  if (isInLine(words.before)) {
    if (words.before!.meaning === 'other') return 0
  } else if (!isInLine(words.purposeBefore)) {
    // A label above or, in the cell before, of whatever kind
    if (namesSomethingElse(line.text) || (line.isCell && line.text.trimEnd().endsWith(':'))) return 0
  }

  let index = lastBefore(nouns, candidate.start)
  while (index >= 0 && nouns[index]!.meaning === 'other') index--
  const above = nouns[index]
  if (above !== undefined && isTrusted(mail, above, candidate)) {
    const distance = candidate.start - above.end
    if (isLetters(candidate)) return isInLine(above) ? 5 : 0
    if (candidate.doubtful) return distance <= BEFORE ? 5 : 0
    if (distance <= 250) return 5.5
    if (distance <= ABOVE || above.end <= mail.subjectEnd) return 5
  }
  if (candidate.doubtful) return 0
  const below = words.after
  if (below !== undefined && below.start - candidate.end <= 300 && isTrusted(mail, below, candidate))
    return 4.5
  return isForPurpose(mail, candidate, words.purposeBefore) ? ENOUGH : 0
}

/** No word for a code at all, but a purpose above a number that looks the part: "To verify your email: 64 20 18". */
function isForPurpose(mail: MailText, candidate: Candidate, purpose: Keyword | undefined): boolean {
  if (purpose === undefined || !candidate.digits || candidate.value.length < 5) return false
  if (candidate.start - purpose.end > 400 && purpose.end > mail.subjectEnd) return false
  return !OFFER.test(around(mail, candidate, 150)) && !BOOKING.test(around(mail, candidate, 400))
}

function isLetters(candidate: Candidate): boolean {
  return !/\d/.test(candidate.value)
}

/** A word in capitals that the mail also has in small letters is a name, as in "ACME" and "Acme". */
function isNameToo(mail: MailText, candidate: Candidate): boolean {
  const word = candidate.value.toLowerCase()
  let at = mail.lower.indexOf(word)
  for (let n = 0; at !== -1 && n < 20; n++) {
    if (mail.text.slice(at, at + word.length) !== candidate.value) return true
    at = mail.lower.indexOf(word, at + word.length)
  }
  return false
}
