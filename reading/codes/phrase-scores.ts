import { fold } from '../lexicon/plain.ts'
import { bits, hasWord, NOUN_KINDS, shareLanguage, type Word, wordsFrom } from '../lexicon/words.ts'
import { placeOf, saysIn } from '../links/phrases.ts'
import type { Candidate } from './candidates.ts'
import { isWrapped } from './layout.ts'
import { type MailText, wordEndingAt } from './mail-text.ts'
import type { Noun } from './nouns.ts'
import { otherNumberLabel } from './other-numbers.ts'
import {
  asksBefore,
  BREAK,
  endsAsIntroduction,
  endsWithIs,
  endsWithVerb,
  firstSentence,
  isRequested,
  startsWithEnterAfter,
  startsWithIs,
  startsWithVerb,
  withoutMarksAfter,
  withoutMarksBefore,
} from './phrases.ts'
import { REACH, SCORE } from './scores.ts'
import {
  isAbovePassword,
  isBookingOrMeeting,
  isOffer,
  isOfferOrBooking,
  isShort,
  isTrusted,
} from './trust.ts'
import { isBelowUser, isOfUser } from './users.ts'

/** The words nearest to a candidate. */
export interface Nearest {
  before: Noun | undefined
  after: Noun | undefined
  purposeBefore: Word | undefined
  purposeAfter: Word | undefined
}

const NAMES = bits('otherNumber')
const ENTER_AFTER = bits('enterAfter')
const YOURS = bits('yours')

/** The text between a noun, or a limit, and the candidate that it may introduce. */
interface Lead {
  /** Where it begins. */
  from: number
  text: string
  /** The same without the marks around the candidate, and where that ends. */
  gap: string
  gapEnd: number
  /** Where the last line of the gap begins. */
  lineStart: number
  /** The gap begins at the noun and has no end of a sentence. */
  oneSentence: boolean
  oneLine: boolean
}

/** "64,20 лв. към", "godz. 10:42": the full stop of a unit ends no sentence. */
const UNIT = /(?<=\d) ?\p{L}{1,4}\. (?=\p{Ll})|(?<= )(?:godz|kl)\. (?=\d)/gu

/** Whether a sentence ends in a text. Most texts have no full stop of a unit either, so that is looked at last. */
function hasBreak(text: string): boolean {
  return BREAK.test(text) && BREAK.test(text.replace(UNIT, ' '))
}

function leadOf({ text: shown, lower }: MailText, candidate: Candidate, noun: Noun | undefined): Lead {
  const from = Math.max(noun?.end ?? 0, candidate.start - REACH.before, 0)
  const text = lower.slice(from, candidate.start)
  const gap = withoutMarksBefore(text)
  const gapEnd = from + gap.length
  const line = gap.slice(gap.lastIndexOf('\n') + 1)
  return {
    from,
    text,
    gap,
    gapEnd,
    lineStart: gapEnd - line.length,
    oneSentence: from === noun?.end && !hasBreak(shown.slice(from, gapEnd)),
    oneLine: line.length === gap.length || isWrapped(gap, line),
  }
}

/**
 * "Your code is 482913", "Code (10 minutes): 482913", and other numbers: "order 482913", "postal
 * code 10115".
 */
export function scoreOfLead(
  mail: MailText,
  candidate: Candidate,
  noun: Noun | undefined,
  alone: boolean,
): number {
  const lead = leadOf(mail, candidate, noun)
  if (noun !== undefined && isIntroduced(mail, candidate, noun, lead, alone))
    return scoreOfIntroduced(mail, candidate, noun, lead)
  if (!lead.text.endsWith('\n') && otherNumberLabel(mail, candidate.start, lead.lineStart) !== null)
    return SCORE.otherNumber
  if (noun === undefined || !lead.oneSentence || !lead.oneLine || candidate.doubtful) return SCORE.none
  if (noun.meaning === 'other') return SCORE.otherNumber
  // "Verification code for Acme 482913" will do for a subject, which has no room for a verb.
  const { gap } = lead
  if (isAskedFor(mail, candidate, noun, gap)) return SCORE.requestedAfterExplanation
  const isShort = gap.length <= 32 && !/\d/.test(gap) && gap.split(' ').length <= 5
  return isShort && candidate.end <= mail.subjectEnd && isTrusted(mail, noun, candidate)
    ? SCORE.inSubject
    : SCORE.none
}

/** "Use the following code to verify it 6EYQWH": the code ends a sentence that asks for it. */
function isAskedFor(mail: MailText, { start, end, value }: Candidate, noun: Noun, gap: string): boolean {
  if (noun.meaning !== 'verification' || value.length < 5 || gap.length > 32 || /[\d\n:]/.test(gap))
    return false
  const endsSentence =
    /^[\s.!"”)]*(?:\n|$)/.test(mail.text.slice(end, end + 4)) && mail.text[start - 1] === ' '
  return endsSentence && asksBefore(mail, noun)
}

function isIntroduced(
  mail: MailText,
  candidate: Candidate,
  noun: Noun,
  { text, gap, gapEnd, oneSentence, oneLine }: Lead,
  alone: boolean,
): boolean {
  return (
    oneSentence &&
    !hasValue(gap) &&
    (alone || oneLine || gap.endsWith(':')) &&
    ((gap === '' && !isBelowInText(candidate, alone, text)) ||
      endsAsIntroduction(mail, noun, gapEnd) ||
      (!candidate.doubtful && isYoursAlone(mail, noun, gapEnd)) ||
      startsWithVerb(mail, noun, candidate.end) ||
      (gap.length <= QUOTED_REACH && isQuoted(mail, candidate)))
  )
}

/** "Code: Kp7!vR2m", and another label on the next line. */
function hasValue(gap: string): boolean {
  // Few gaps have both, and the search costs more than a look for them.
  return gap.endsWith(':') && gap.includes('\n') && HAS_VALUE.test(gap)
}

const HAS_VALUE = /^ ?: ?\S[^\n]{0,40}\n[^\n]{0,40}\p{L} ?:$/u

/** "kode OTP anda 482913": in some languages "your" follows the noun. */
export function isYoursAlone(mail: MailText, noun: Noun, place: number): boolean {
  const yours = wordEndingAt(mail, place, YOURS)
  return (
    yours !== undefined && yours.start === noun.end + 1 && shareLanguage(yours, YOURS, noun.word, NOUN_KINDS)
  )
}

/** "Show the code", and on the next line "2024 Acme. All rights reserved.": it begins another text. */
function isBelowInText({ doubtful }: Candidate, alone: boolean, lead: string): boolean {
  return doubtful && !alone && lead.includes('\n')
}

/** Letters and digits as few names have them. */
const QUOTED_MIXED = /^(?=.*\d.*\d|.*[A-Z]\d[A-Z])[A-Z0-9]{5,10}$/

/** Characters between a noun and a value in quotation marks: 'enter the code in "875525"'. */
const QUOTED_REACH = 6

function isQuoted({ text }: MailText, { start, end, digits, doubtful, value }: Candidate): boolean {
  if (doubtful || !(digits || QUOTED_MIXED.test(value))) return false
  return /["“„«「] ?$/.test(text.slice(start - 2, start)) && /^ ?["”“»」]/.test(text.slice(end, end + 2))
}

/** "The code to enter for your purchase of 200,00 EUR is 12345678". */
const AMOUNT = /\d[\d.,]{0,11}[.,]\d\d(?!\d)/g

/** "Your code for +49 170 4829137 is 771820". */
const PHONE = /\+\d[\d ()-]{5,18}\d/g

/** The end of a clause, or a number: most gaps have neither, which one look shows. */
const MARK_OR_DIGIT = /[,;|\d]/
/** A number of three digits, or a time of day. */
const HAS_NUMBER = /\d{3}|(?:godz|kl)\. \d/
/** "Kod nr 2 z dnia 2026-03-01 godz. 10:42:17 to:": one word and a colon behind the day or the time. */
const BEHIND_DAY =
  /^.*(?:\d{4}([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2\d{4}|\d{1,2}:\d\d)(?![\d/-])[:\d]* \p{L}+:$/su

/** The score of a candidate that a noun introduces. */
function scoreOfIntroduced(mail: MailText, candidate: Candidate, noun: Noun, lead: Lead): number {
  const { from, text, gap, gapEnd, lineStart, oneLine } = lead
  if (noun.meaning === 'other' || isAbovePassword(mail, noun, candidate)) return SCORE.otherNumber
  const hasMore = MARK_OR_DIGIT.test(gap)
  // "Your security code, order number: 12345"; but "the code to verify your phone number: 482913"
  if (
    hasMore &&
    /[,;|]/.test(gap) &&
    !explainsBehindComma(mail, lead) &&
    otherNumberLabel(mail, gapEnd, from) !== null
  )
    return SCORE.otherNumber
  // "Your code is 482913 and your user ID is 77120"
  const isLabelled = hasMore && HAS_NUMBER.test(gap) && otherNumberLabel(mail, gapEnd, from) !== null
  if (isLabelled && !isStatedBehindDay(mail, noun, lead)) return SCORE.otherNumber
  if (!oneLine && otherNumberLabel(mail, gapEnd, lineStart) !== null) return SCORE.otherNumber
  // "your code for the card ending in 4242"
  if (isNamed(mail, noun, gapEnd)) return SCORE.otherNumber
  if (noun.meaning === 'password') return isPassword(mail, candidate, noun, lead) ? SCORE.stated : SCORE.none
  // "Your temporary password is a1B2c3D4!": the mark may be a part of it.
  if (
    !candidate.digits &&
    mail.text[candidate.end] === '!' &&
    saysIn('password', fold(mail.lower.slice(noun.start, noun.end)))
  )
    return SCORE.none
  if (!isTrusted(mail, noun, candidate, true)) return SCORE.none
  // A bare "code" does not count for a second number, unless the first one is an amount or a phone number.
  if (noun.meaning === 'code' && hasMore && /\d{3}/.test(gap.replace(AMOUNT, ' ').replace(PHONE, ' ')))
    return SCORE.none
  // "code EXPIRED", "codes (7f3a9c2)": side by side is not enough for what may be a word or an id
  const wordLike = candidate.doubtful && (!candidate.digits || noun.meaning === 'code')
  const isApart = gap !== '' || SETS_APART.test(text) || isRandomBeforeVerb(mail, candidate, noun)
  return wordLike && !isApart ? SCORE.none : SCORE.stated
}

/** Only "is" and a colon are between the day and the code: in Polish "to" is a word of labels in other languages. */
function isStatedBehindDay(mail: MailText, noun: Noun, { gap, gapEnd }: Lead): boolean {
  return BEHIND_DAY.test(gap) && endsWithIs(mail, noun, gapEnd - 1)
}

/** "Użyj kodu, aby aktywować swoje konto: 482913": behind a comma the sentence says what the code is for. */
function explainsBehindComma({ purposes }: MailText, { from, gap, gapEnd }: Lead): boolean {
  const comma = from + gap.lastIndexOf(',')
  return comma > from && purposes.some(({ start, end }) => start > comma && end < gapEnd)
}

/** "Zure behin-behineko pasahitza P255lXhn3 da": the verb says that the value is the code. */
function isRandomBeforeVerb(mail: MailText, { value, end }: Candidate, noun: Noun): boolean {
  return RANDOM.test(value) && startsWithVerb(mail, noun, end)
}

/** A line of its own, or the brackets of East Asian texts. */
const SETS_APART = /[\n【「『〔《]/

function isNamed(mail: MailText, noun: Noun, place: number): boolean {
  const name = endsWithIs(mail, noun, place) ? undefined : wordEndingAt(mail, place, NAMES)
  return name !== undefined && name.start > noun.end + 1
}

/**
 * "Your password is 1099"; most mails only mention passwords, so the value has to follow directly.
 */
function isPassword(mail: MailText, candidate: Candidate, noun: Noun, { gap, gapEnd }: Lead): boolean {
  const { digits, end, value } = candidate
  if (!digits && isOfUser(mail, candidate)) return false
  // "kX7pQ2m!": the mark may be a part of the password.
  if (!digits && /^[!?*_)\]}]/.test(mail.text.slice(end, end + 1)) && !isQuotedPassword(mail, candidate))
    return false
  // "Password: =Q7wE4rT": the mark may be a part of the password.
  if (!digits && /[=+~!#&?]/.test(mail.text[candidate.start - 1] ?? '')) return false
  // "We have made a password for you: kX7pQ2mN", "the new password of your account is kX7pQ2mN"
  const isStated = gap.endsWith(':') || endsWithIs(mail, noun, gapEnd) || startsWithVerb(mail, noun, end)
  const isGiven = gap.length <= 40 && RANDOM.test(value) && isStated
  const isMeant = mail.purposes.length > 0 || (noun.yours && /\d/.test(value))
  if (!isGiven && !(isMeant && gap.length <= 16)) return false
  return !isOfferOrBooking(mail, candidate) || isBelowUser(mail, noun.start)
}

/** Digits, capitals and small letters, as generated passwords have them, or digits among capitals. */
const RANDOM = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9]{6,24}$|^(?=.*\d[A-Z])(?=.*[A-Z]\d)[A-Z0-9]{6,24}$/

/** In brackets or in bold type, a mark behind the password is not a part of it. */
function isQuotedPassword({ text }: MailText, { start, end }: Candidate): boolean {
  return /^(?:\(\)|\[\]|\{\}|\*\*|__)$/.test(text.slice(start - 1, start) + text.slice(end, end + 1))
}

/** "482913 is your code", "482913 – Ihr Code", "482913 Instagram kodunuz". */
export function scoreOfTail(mail: MailText, candidate: Candidate, noun: Noun | undefined): number {
  if (noun === undefined || noun.start - candidate.end > REACH.after) return SCORE.none
  const rest = mail.lower.slice(candidate.end, noun.start)
  const gap = withoutMarksAfter(rest)
  if (BREAK.test(gap)) return SCORE.none
  const predicate = startsWithIs(mail, noun, noun.start - gap.length)
  if (noun.meaning === 'password')
    return predicate && endsWithVerb(mail, candidate.start - 1) ? SCORE.requested : SCORE.none
  if (!isTrusted(mail, noun, candidate, predicate)) return SCORE.none
  const begins = beginsLine(mail, candidate)
  // "9c2e77: verify codes" is a change of a program.
  const mayLabel = begins && (candidate.digits || !candidate.doubtful)
  if (predicate && (!/^[-:=(]/.test(gap) || (mayLabel && gap.length <= 40 && !/\d/.test(gap))))
    return SCORE.stated
  if (candidate.doubtful || gap.includes('\n') || /\d/.test(gap)) return SCORE.none
  // "482913 ваш код", "482913 हा तुमचा कोड आहे"
  const first = candidate.end + (mail.lower[candidate.end] === ' ' ? 1 : 0)
  const reach = noun.meaning === 'code' ? first + 1 : noun.start
  if ((begins || noun.meaning !== 'code') && hasWord(mail.words, YOURS, first, reach)) return SCORE.startsLine
  if (gap.split(' ').length > 3) return SCORE.none
  // "QONSU-72FV dəvət kodunu daxil edin": the invitation code to enter.
  if (noun.meaning !== 'code' && isEnteredAfter(mail, noun)) return SCORE.requested
  return begins && (noun.meaning !== 'code' || candidate.digits) ? SCORE.startsLine : SCORE.none
}

/** A verb for entering is behind the noun, or its ending says so. */
function isEnteredAfter(mail: MailText, { word, end }: Noun): boolean {
  return (word.kinds & ENTER_AFTER) !== 0 || startsWithEnterAfter(mail, end)
}

function beginsLine(mail: MailText, candidate: Candidate): boolean {
  const lead = mail.text.slice(Math.max(0, candidate.start - 6), candidate.start)
  return /(?:^|[\n\t.:!?\]】>])[\s"'«“„*#([【]*$/.test(lead)
}

/** Letters and digits, as no word and few names have them. */
const MIXED = /^(?=.*\d.*\d)(?=.*[A-Z].*[A-Z])[A-Z0-9]{5,8}$/

/** How far above an explanation may be that ends in "enter 482913". */
const EXPLANATION = 600

/** "Enter 482913 to sign in": a verb before and a reason after or above; "482913 を入力してください". */
export function scoreOfRequest(mail: MailText, candidate: Candidate, near: Nearest): number {
  if (candidate.doubtful) return isDashed(mail, candidate, near.before) ? SCORE.requested : SCORE.none
  const { lower } = mail
  if (startsWithEnterAfter(mail, candidate.end))
    return isForOffer(mail, candidate) ? SCORE.none : SCORE.requested
  if (isOffer(mail, candidate)) return SCORE.none
  if (!isRequested(mail, candidate.start))
    return explains(mail, candidate, near) ? SCORE.requestedAfterExplanation : SCORE.none
  const reasons = [near.after, near.purposeAfter].filter((word) => word !== undefined)
  const reason = reasons.toSorted((a, b) => a.start - b.start)[0]
  if (reason !== undefined && reason.start - candidate.end <= REACH.after) {
    const counts = !('meaning' in reason) || isTrusted(mail, reason, candidate)
    if (counts && !BREAK.test(lower.slice(candidate.end, reason.start))) return SCORE.requested
  }
  if (candidate.digits && confirmsAfter(mail, candidate)) return SCORE.requested
  const { before } = near
  if (before?.meaning === 'verification' && candidate.start - before.end <= EXPLANATION)
    return SCORE.requestedAfterExplanation
  const isPlain = candidate.digits
    ? candidate.value.length >= 5
    : isShort(mail) && MIXED.test(candidate.value.replace('-', ''))
  if (!isPlain || isBookingOrMeeting(mail, candidate)) return SCORE.none
  const above = near.purposeBefore
  const explained = above !== undefined && candidate.start - above.end <= EXPLANATION
  return explained || mail.hasWarning || mail.hasExpiry || isShort(mail)
    ? SCORE.requestedAfterExplanation
    : SCORE.none
}

/** "Enter 6197 to confirm your address": the rest of the sentence says what for. */
export function confirmsAfter(mail: MailText, candidate: Candidate): boolean {
  const { end } = candidate
  const confirms = wordsFrom(mail.words, end, end + REACH.after).find(({ kinds }) => (kinds & CONFIRMS) !== 0)
  if (confirms === undefined || BREAK.test(mail.lower.slice(end, confirms.start))) return false
  const rest = fold(firstSentence(mail.lower.slice(end, end + 2 * REACH.after)))
  const address = placeOf('address', rest)
  if (address === -1 || isBookingOrMeeting(mail, candidate)) return false
  return Math.min(address, confirms.start - end) <= TIE_MAX
}

/** Characters of " ein, um Ihre ", behind which "address" or "confirm" follows; but not of " as the port to ". */
const TIE_MAX = 14

const CONFIRMS = bits('confirm')

const OFFER = bits('offer')
const PROVES = bits('verify', 'confirm', 'signIn', 'reset')

/** "DEN25 koduyla 25 TL indirim": letters and digits, and a word for a discount in the rest of their sentence. */
function isForOffer({ text, words }: MailText, { end, digits }: Candidate): boolean {
  if (digits) return false
  const last = end + firstSentence(text.slice(end, end + REACH.after)).length
  return hasWord(words, OFFER, end, last) && !hasWord(words, PROVES, end, last)
}

/** "Enter the following: WDJB-MJHT", below a noun. */
function isDashed(mail: MailText, candidate: Candidate, noun: Noun | undefined): boolean {
  if (noun === undefined || !/^[A-Z]{3,5}(?:-[A-Z]{3,5})+$/.test(candidate.value)) return false
  return isRequested(mail, candidate.start) && isTrusted(mail, noun, candidate, true)
}

/** "Use it to log in: 594024": a purpose in the sentence that ends in a colon. */
function explains(mail: MailText, candidate: Candidate, near: Nearest): boolean {
  const above = near.purposeBefore
  if (above === undefined || !candidate.digits || candidate.value.length < 5) return false
  const gap = withoutMarksBefore(mail.lower.slice(above.end, candidate.start))
  if (!gap.endsWith(':') || gap.length > 80 || BREAK.test(gap) || /\d/.test(gap)) return false
  // "Registration number: 482913"
  const end = above.end + gap.length
  return otherNumberLabel(mail, end, above.start) === null
}
