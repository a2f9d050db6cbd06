import type { Candidate } from './candidates.ts'
import { isAlone } from './layout.ts'
import { scoreOfOwnLine } from './layout-scores.ts'
import { firstAfter, lastBefore, type MailText } from './mail-text.ts'
import { isName, isNamedElsewhere } from './names.ts'
import { isOtherNumber } from './other-numbers.ts'
import { type Nearest, scoreOfLead, scoreOfRequest, scoreOfTail } from './phrase-scores.ts'
import { isRequested, startsWithEnterAfter } from './phrases.ts'
import { REACH, SCORE } from './scores.ts'

function nearest({ nouns, purposes }: MailText, { start, end }: Candidate): Nearest {
  return {
    before: lastBefore(nouns, start),
    after: firstAfter(nouns, end),
    purposeBefore: lastBefore(purposes, start),
    purposeAfter: firstAfter(purposes, end),
  }
}

/**
 * A cheap first check: a word near the candidate could introduce it, or it is alone on its line.
 */
export function isWorthScoring(mail: MailText, candidate: Candidate): boolean {
  const { before, after, purposeAfter } = nearest(mail, candidate)
  if (before !== undefined && candidate.start - before.end <= REACH.before) return true
  if (after !== undefined && after.start - candidate.end <= REACH.after) return true
  if (purposeAfter !== undefined && purposeAfter.start - candidate.end <= REACH.after) return true
  if (mail.lower.slice(candidate.start - 2, candidate.start).includes(':')) return true
  if (candidate.end <= mail.subjectEnd) return true
  if (isAlone(mail.text, candidate) || startsWithEnterAfter(mail, candidate.end)) return true
  return isRequested(mail, candidate.start)
}

/** How clearly the mail presents this as its code: from `SCORE.none` to `SCORE.stated`. */
export function scoreOf(mail: MailText, candidate: Candidate): number {
  if (isOtherNumber(mail, candidate)) return SCORE.none
  const near = nearest(mail, candidate)
  const alone = isAlone(mail.text, candidate)
  const before = scoreOfLead(mail, candidate, near.before, alone)
  const tail = scoreOfTail(mail, candidate, near.after)
  if (before === SCORE.otherNumber) return isStatedBehindName(mail, candidate, near, tail) ? tail : SCORE.none
  const score = Math.max(
    before,
    tail,
    scoreOfRequest(mail, candidate, near),
    alone ? scoreOfOwnLine(mail, candidate, near) : SCORE.none,
    scoreOfSubject(mail, candidate),
  )
  if (score === SCORE.none || candidate.digits) return score
  if (isName(mail, candidate)) return SCORE.none
  // A password that is only on a line below the word, or a code below the subject, may be the name of the sender.
  const noun = near.before
  const isBelow = noun !== undefined && (noun.meaning === 'password' || noun.end <= mail.subjectEnd)
  // "Réinitialisation de mot de passe WSO2": so may a value in the subject behind the word for a password.
  const isInSubject = candidate.end <= mail.subjectEnd && noun?.meaning === 'password'
  const isClear = score >= SCORE.stated && !(alone && isBelow) && !isInSubject
  return !isClear && isNamedElsewhere(mail, candidate) ? SCORE.none : score
}

/** Before another number: "WSO2 is 482913". */
const BEFORE_NUMBER = /^ \p{L}{1,6}:? ?["'*]{0,2}\d{4}/u

/**
 * Whether a candidate beside a code may be the name of the sender: only its place or the subject make it a code, or the
 * mail has it amid other words.
 */
export function mayBeSender(mail: MailText, candidate: Candidate, score: number): boolean {
  const { start, end, digits } = candidate
  if (digits) return score < SCORE.belowNoun
  if (score < SCORE.stated) return true
  const noun = lastBefore(mail.nouns, start)
  if (noun !== undefined && noun.end <= mail.subjectEnd) return true
  return BEFORE_NUMBER.test(mail.text.slice(end, end + 20)) || isNamedElsewhere(mail, candidate)
}

/**
 * "LINE: 482913 is your verification code": the word that names other numbers is the sender. In
 * "Account ending: 02008" a word stands before it, so it is no sender.
 */
function isStatedBehindName(mail: MailText, { start }: Candidate, { after }: Nearest, tail: number): boolean {
  const isStated = tail === SCORE.stated && after?.meaning === 'verification'
  return isStated && SENDER.test(mail.text.slice(Math.max(0, start - SENDER_MAX), start))
}

const SENDER_MAX = 32
const SENDER = /(?:^|[^\p{L}\p{N} ] ?)\p{L}+: $/u

/** "[Orchard] 604182 — finish signing in", above a text that speaks of a code. */
function scoreOfSubject(mail: MailText, { start, end, value, digits, doubtful }: Candidate): number {
  if (end > mail.subjectEnd || !digits || doubtful || value.length !== 6) return SCORE.none
  const isAtStart = /^(?:[[(【][^\])】]{1,40}[\])】])?\W*$/u.test(mail.text.slice(0, start))
  const isAtEnd = mail.text.slice(end, mail.subjectEnd).trim() === ''
  const hasPurpose = mail.purposes.some((purpose) => purpose.end <= mail.subjectEnd)
  const speaksOfCode = mail.nouns.some(({ meaning }) => meaning !== 'other' && meaning !== 'password')
  return (isAtStart || isAtEnd) && hasPurpose && speaksOfCode ? SCORE.inSubject : SCORE.none
}
