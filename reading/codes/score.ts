import { isSpacedLetter } from '../lexicon/letters.ts'
import type { Candidate } from './candidates.ts'
import { isAlone } from './layout.ts'
import { scoreOfOwnLine } from './layout-scores.ts'
import { firstAfter, lastBefore, type MailText } from './mail-text.ts'
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
  return score > SCORE.none && !candidate.digits && isName(mail, candidate) ? SCORE.none : score
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

/** "ACME" beside "Acme", "SSH2" beside "SSH2_MSG", "IMPORTANT: your": names and headings. */
function isName(mail: MailText, { start, end, value }: Candidate): boolean {
  if (isSender(mail, start, value)) return true
  if (!/\d/.test(value)) return isHeading(mail.text, start, end) || isNameToo(mail, value)
  if (isNameBeforeSubject(mail, value)) return true
  // The first search is cheap, and most mails have no low line.
  return mail.text.includes('_') && mail.text.includes(`${value}_`)
}

/** Capitals that begin a line, with a colon and a sentence after them. */
function isHeading(text: string, start: number, end: number): boolean {
  return /^: \p{L}/u.test(text.slice(end, end + 3)) && (start === 0 || text[start - 1] === '\n')
}

/**
 * A subject ends with the name of its sender, which the text repeats: "Your password - ACME". A
 * code that the text repeats is found there.
 */
export function isSender({ text, subjectEnd }: MailText, start: number, value: string): boolean {
  const end = start + value.length
  if (end > subjectEnd || text.slice(end, subjectEnd).trim() !== '') return false
  return / [-—–|·] $/.test(text.slice(Math.max(0, start - 3), start)) && text.includes(value, subjectEnd)
}

/** Capitals with one digit, before what the subject is about. */
const NAME_BEFORE_SUBJECT = /^\W?([A-Z]{3,10}\d)\W?(?: [-–—|·] |: )/

/** "WSO2 - Temporary Password": the subject begins with the name of its sender. */
function isNameBeforeSubject({ text, subjectEnd }: MailText, value: string): boolean {
  return NAME_BEFORE_SUBJECT.exec(text.slice(0, subjectEnd))?.[1] === value
}

/** A word that the mail also writes otherwise is a name, as "ACME" and "Acme". */
export function isNameToo(mail: MailText, value: string): boolean {
  const word = value.toLowerCase()
  let at = mail.lower.indexOf(word)
  for (let n = 0; at !== -1 && n < 20; n++) {
    const end = at + word.length
    const isWord =
      !isSpacedLetter(mail.lower.charCodeAt(end)) && !isSpacedLetter(mail.lower.charCodeAt(at - 1))
    if (isWord && mail.text.slice(at, end) !== value) return true
    at = mail.lower.indexOf(word, end)
  }
  return false
}
