import type { Candidate } from './candidates.ts'
import { isAlone, type Line, lineAbove } from './layout.ts'
import type { MailText } from './mail-text.ts'
import type { Noun } from './nouns.ts'
import { countsSomething, namesSomethingElse } from './refusals.ts'
import type { Nearest } from './said.ts'
import { REACH, SCORE } from './scores.ts'
import { isBooking, isOffer, isTrusted } from './trust.ts'

/** How far above a candidate that stands alone its noun may be: for certain, and at all; and how far below. */
const NEAR = 250
const ABOVE = 800
const BELOW = 300

/** On a line of its own, below or above words that speak of a code. */
export function standsOut(mail: MailText, candidate: Candidate, near: Nearest): number {
  const line = lineAbove(mail.lower, candidate.start)
  if (isEndOfProse(mail, candidate, line)) return SCORE.none
  const isInLine = (word: { end: number } | undefined) => word !== undefined && word.end > line.start
  if (isInLine(near.before)) {
    if (near.before!.meaning === 'other') return SCORE.none
  } else if (!isInLine(near.purposeBefore) && isLabelled(mail, line)) return SCORE.none

  const above = lastTalking(mail.nouns, candidate.start)
  if (above !== undefined && isTrusted(mail, above, candidate)) {
    const distance = candidate.start - above.end
    if (!/\d/.test(candidate.value)) return isInLine(above) ? SCORE.farBelowNoun : SCORE.none
    if (candidate.doubtful) return distance <= REACH.before ? SCORE.farBelowNoun : SCORE.none
    if (distance <= NEAR) return SCORE.belowNoun
    if (distance <= ABOVE || above.end <= mail.subjectEnd) return SCORE.farBelowNoun
  }
  if (candidate.doubtful) return SCORE.none
  const below = near.after
  if (below !== undefined && below.start - candidate.end <= BELOW && isTrusted(mail, below, candidate))
    return SCORE.aboveNoun
  return SCORE.none
}

/** A label above or, in the cell before, of whatever kind: "Order number". */
function isLabelled(mail: MailText, line: Line): boolean {
  const end = line.start + line.text.length
  return (
    namesSomethingElse(mail, end, line.start) !== null || (line.isCell && line.text.trimEnd().endsWith(':'))
  )
}

/** The last noun before a place that is not of another kind. */
function lastTalking(nouns: Noun[], place: number): Noun | undefined {
  return nouns.findLast(
    (noun) => noun.end <= place && noun.meaning !== 'other' && noun.meaning !== 'password',
  )
}

/** A line of prose that was wrapped leaves its last word alone: "... which will be possible in\nZODB4." */
function isEndOfProse(mail: MailText, candidate: Candidate, line: Line): boolean {
  if (candidate.value.length === 6 && candidate.digits) return false
  const between = mail.text.slice(line.start + line.text.length, candidate.start)
  return (
    line.text.length > 50 &&
    between.indexOf('\n') === between.lastIndexOf('\n') &&
    /[\p{L},]$/u.test(line.text)
  )
}

/** Points for a candidate that no word introduces; which ones are enough was tried on ordinary mails. */
const POINTS = {
  /** Six digits, the usual form; another number; letters and digits. */
  sixDigits: 2,
  otherDigits: 1.5,
  mixed: 1,
  /** In groups: few other numbers are. */
  grouped: 0.5,
  /** The line above ends in a colon. */
  colonAbove: 1,
  /** The mail has a noun, speaks of signing in, of minutes, or warns. */
  noun: 1,
  purpose: 1,
  expires: 1,
  warns: 1,
  shortMail: 0.5,
  /** The body is this and nothing else. */
  nothingElse: 1,
  enough: 3.5,
} as const

const SHORT = 800

/**
 * The one value that stands alone on its line, in a mail whose words say nothing certain: in a language that is
 * not known, or where the mail only says "this is what you need".
 */
export function standingOut(mail: MailText, candidates: Candidate[]): string | null {
  const alone = candidates.filter((candidate) => isAlone(mail.text, candidate) && hasShape(candidate))
  if (new Set(alone.map(({ value }) => value)).size !== 1) return null
  const candidate = alone[0]!
  const line = lineAbove(mail.lower, candidate.start)
  if (candidate.start < mail.subjectEnd || countsSomething(mail, candidate)) return null
  const explained = mail.purposes.some(({ start, end }) => end > line.start && start < candidate.start)
  if (!explained && isLabelled(mail, line)) return null
  if (isOffer(mail, candidate) || isBooking(mail, candidate)) return null
  const { value } = candidate
  const points = [
    candidate.digits ? (value.length === 6 ? POINTS.sixDigits : POINTS.otherDigits) : POINTS.mixed,
    candidate.digits && candidate.end - candidate.start > value.length && POINTS.grouped,
    /:\s*$/.test(line.text) && POINTS.colonAbove,
    mail.nouns.some(({ meaning }) => meaning !== 'other') && POINTS.noun,
    mail.purposes.length > 0 && POINTS.purpose,
    mail.expires && POINTS.expires,
    mail.warns && POINTS.warns,
    mail.text.length < SHORT && POINTS.shortMail,
    mail.text.slice(mail.subjectEnd).trim().length <= candidate.end - candidate.start && POINTS.nothingElse,
  ]
  const sum = points.reduce<number>((all, one) => all + (one || 0), 0)
  return sum >= POINTS.enough ? value : null
}

function hasShape({ value, digits, doubtful }: Candidate): boolean {
  return !doubtful && value.length >= 4 && value.length <= 8 && (digits || /^[A-Z0-9]+$/.test(value))
}
