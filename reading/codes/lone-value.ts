import { fold } from '../lexicon/plain.ts'
import { bits, type Word, wordsFrom } from '../lexicon/words.ts'
import { saysIn } from '../links/phrases.ts'
import type { Candidate } from './candidates.ts'
import { isAlone, type Line, lineAbove, startOfLine } from './layout.ts'
import { isLabelled, isNumberOf, LABEL_MAX } from './layout-scores.ts'
import type { MailText } from './mail-text.ts'
import { isNamedElsewhere } from './names.ts'
import { isOtherNumber, otherNumberLabel } from './other-numbers.ts'
import { isInRecord } from './records.ts'
import { asksToEnter, isForElse, isOfferOrBooking, isReceipt, isShort } from './trust.ts'

/** Points for a candidate that no word introduces. The threshold was tuned on ordinary mails. */
const POINTS = {
  /** Six digits, the usual form; another number; letters and digits. */
  sixDigits: 2,
  otherDigits: 1.5,
  mixed: 1,
  /** In groups: few other numbers are. */
  grouped: 0.5,
  /** The line above, or the text before it, ends in a colon. */
  colon: 1,
  /** The mail has a noun, speaks of signing in, of minutes, or hasWarning. */
  noun: 1,
  purpose: 1,
  hasExpiry: 1,
  hasWarning: 1,
  shortMail: 0.5,
  /** The body is this and nothing else. */
  nothingElse: 1,
  /** It is inside a sentence. */
  notAlone: -0.5,
  /** It is at the top, where the name of the sender is: "12306". */
  heading: -2,
  enough: 3.5,
} as const

const SHORT = 800
const NUMBER = bits('otherNumber')

/**
 * The only value that is alone on its line, or in a short mail the only value, if no words say what
 * it is: in an unknown language, or in a mail that only says "this is what you need".
 */
export function findLoneValue(mail: MailText, candidates: Candidate[]): Candidate | null {
  const shaped = candidates.filter(hasShape)
  const isPossible = (one: Candidate) => !isOtherNumber(mail, one) && !isNamed(mail, one)
  // The shape and the line are cheap to look at, and most candidates are inside of a line.
  const alone = shaped.filter((one) => isAlone(mail.text, one) && isPossible(one))
  const isInLine =
    alone.length === 0 &&
    isShort(mail) &&
    (mail.hasWarning || mail.hasExpiry || mail.purposes.length > 0) &&
    (speaksOfCode(mail) || !hasAddress(mail))
  const isCertain = mail.hasWarning || mail.hasExpiry
  const rivals = isInLine
    ? shaped.filter(
        (one) =>
          (isCertain || isAfterPurpose(mail, one)) &&
          (mail.nouns.length > 0 || !PHONE.test(mail.text.slice(one.start, one.end))) &&
          isBehindLabel(mail, one) &&
          isInFirstParagraph(mail, one) &&
          isPossible(one),
      )
    : alone
  const candidate = rivals.at(-1)
  if (candidate === undefined || rivals.some(({ value }) => value !== candidate.value)) return null
  if (isOfferOrBooking(mail, candidate) || isReceipt(mail, candidate)) return null
  if (!candidate.digits && isNamedElsewhere(mail, candidate)) return null
  if (isReport(mail)) return null
  return pointsOf(mail, candidate, isInLine) >= POINTS.enough ? candidate : null
}

/** Above the value are no more than a greeting and words of its paragraph; further down are the marks of a footer. */
function isInFirstParagraph({ text, subjectEnd }: MailText, { start }: Candidate): boolean {
  if (start < subjectEnd) return true
  const above = text.slice(subjectEnd, start)
  return above.slice(0, above.lastIndexOf('\n\n') + 1).trim().length <= GREETING_MAX
}

const GREETING_MAX = 40

/** Without a word for a code, a mail with an address is about what the reader opens there. */
function hasAddress({ written }: MailText): boolean {
  return written.includes('://')
}

function speaksOfCode({ nouns }: MailText): boolean {
  return nouns.some(({ meaning }) => meaning !== 'other' && meaning !== 'password')
}

/** "Billettkontoret: 21 42 21 21": in the north, telephone numbers are written in pairs. */
const PHONE = /^\d\d(?: \d\d){3}$/

/** "New sign-in to your account", and no word for a code: its number is that of the event. */
function isReport(mail: MailText): boolean {
  return !speaksOfCode(mail) && saysIn('report', fold(mail.lower.slice(0, mail.subjectEnd)))
}

function pointsOf(mail: MailText, candidate: Candidate, isInLine: boolean): number {
  const { start, end, value, digits } = candidate
  const lead = isInLine ? mail.lower.slice(Math.max(0, start - 3), start) : lineAbove(mail.lower, start).text
  const points = [
    digits ? (value.length === 6 ? POINTS.sixDigits : POINTS.otherDigits) : POINTS.mixed,
    digits && end - start > value.length && POINTS.grouped,
    /:\s*$/.test(lead) && POINTS.colon,
    mail.nouns.some(({ meaning }) => meaning !== 'other') && POINTS.noun,
    hasPurposeNear(mail, start) && POINTS.purpose,
    mail.hasExpiry && POINTS.hasExpiry,
    mail.hasWarning && POINTS.hasWarning,
    mail.text.length < SHORT && POINTS.shortMail,
    mail.text.slice(mail.subjectEnd).trim().length <= end - start && POINTS.nothingElse,
    isInLine && POINTS.notAlone,
    isHeading(mail, candidate) && POINTS.heading,
  ]
  return points.reduce<number>((all, one) => all + (one || 0), 0)
}

/** The first line of a body that has more lines and no noun for a code. Six digits are a code there as well. */
function isHeading({ text, nouns, subjectEnd }: MailText, { start, end, value }: Candidate): boolean {
  if (start < subjectEnd || nouns.length > 0 || value.length === 6) return false
  return text.slice(subjectEnd, start).trim() === '' && text.slice(end).trim() !== ''
}

/** Characters between a word about signing in and the value that it is about. */
const NEAR = 200

/** The subject, or the text right above the value, is about signing in. */
function hasPurposeNear({ purposes, subjectEnd }: MailText, start: number): boolean {
  return purposes.some((one) => one.start < subjectEnd || Math.abs(start - one.end) < NEAR)
}

/** Six digits after a word about signing in, or in a subject above one. */
function isAfterPurpose(mail: MailText, { start, value }: Candidate): boolean {
  return value.length === 6 && (start < mail.subjectEnd || mail.purposes[0]!.end <= start)
}

/**
 * "Knot: 9313", "본인확인 550938": the line is a name or a purpose, and the value; or a sentence ends
 * before it, as in "Use this code to sign in. 482913 This code expires soon."
 */
function isBehindLabel(mail: MailText, { start, value }: Candidate): boolean {
  const { lower, purposes } = mail
  const lead = lower.slice(startOfLine(lower, start), start)
  const label = lead.split(/[.!?] /).at(-1)!
  const words = LABEL_WORDS.exec(label)
  // "ID Mitra: 88120457": the number of a customer is seldom as long as a code.
  const isShaped = value.length === 4 || value.length === 6 || mail.nouns.length > 0
  if (words !== null && (words[1] === undefined || isShaped)) return true
  if (/[.!] $/.test(lead) && asksToEnter(mail)) return true
  return purposes.some(({ end }) => lower.slice(end, start).trim() === '' && end <= start)
}

const LABEL_WORDS = /^[^\s:]+( [^\s:]+){0,2}(?: ?:| -) ?$/

function hasShape({ value, digits, doubtful }: Candidate): boolean {
  return !doubtful && value.length >= 4 && value.length <= 8 && (digits || /^[A-Z0-9]+$/.test(value))
}

/** The last lines of a mail, with the number of a mailing below. */
const COPYRIGHT = /©|copyright|rights reserved/

/** A label before it or above it says what else it is, and nothing there speaks of signing in. */
function isNamed(mail: MailText, candidate: Candidate): boolean {
  const floor = startOfLine(mail.lower, candidate.start)
  if (otherNumberLabel(mail, candidate.start, floor) !== null || isInRecord(mail, candidate)) return true
  if (isNumberOf(mail, floor, candidate.start) || isBehindOtherNoun(mail, floor, candidate.start)) return true
  if (!isAlone(mail.text, candidate)) return false
  const line = lineAbove(mail.lower, candidate.start)
  if (COPYRIGHT.test(line.text)) return true
  // "Please verify. Account ID:" is another sentence.
  const sentence = line.start + line.text.lastIndexOf('. ') + 1
  const isExplained = mail.purposes.some(
    (one) => one.end > sentence && one.start < candidate.start && !beginsLabel(mail, one),
  )
  const label = { ...line, start: sentence, text: line.text.slice(sentence - line.start) }
  return !isExplained && (isLabelled(mail, label) || isOfOtherKind(mail, label, candidate))
}

/** "Registration number": the word is a part of the label. */
function beginsLabel({ words }: MailText, { start, end }: Word): boolean {
  return wordsFrom(words, start, start + 1).some((word) => (word.kinds & NUMBER) !== 0 && word.end > end)
}

/** "Mã nhân viên: 482913": the line begins with a noun for a code of another kind. */
function isBehindOtherNoun({ nouns }: MailText, floor: number, place: number): boolean {
  return nouns.some(({ start, end, meaning }) => meaning === 'other' && start >= floor && end <= place)
}

/** "Mã đặt vé" or "Numéro de badge" above the value: a label with a noun for a code of another kind, or a number. */
function isOfOtherKind(mail: MailText, { start, text }: Line, candidate: Candidate): boolean {
  const end = start + text.length
  if (text.trim().length > LABEL_MAX) return false
  const isOther = mail.nouns.some(
    (noun) =>
      noun.start >= start &&
      noun.end <= end &&
      (noun.meaning === 'other' || (mail.purposes.length === 0 && isForElse(mail, noun, candidate))),
  )
  return isOther || isNumberOf(mail, start, end)
}
