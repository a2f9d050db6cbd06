import { bits } from '../lexicon/words.ts'
import { REPLY } from '../links/action-words.ts'
import type { Candidate } from './candidates.ts'
import { isAlone, lineAbove, startOfLine } from './layout.ts'
import { type MailText, wordEndingAt, wordStartingAt } from './mail-text.ts'
import { asksBefore } from './phrases.ts'

const NAMES = bits('otherNumber', 'user')
const IS = bits('is')
const UNIT = bits('unit', 'time')

const CURRENCY = /\b(?:usd|eur|gbp|chf|inr|cny|jpy|rs|r\$)\.? ?$/
const AREA_CODE = /\(0?\d{2,5}\) ?$/
const UNIT_SIGNS = '%‰°$€£¥₩₽₹₺₴₫'
/** "Cedar Hollow, IN", and the postal code on the next line. */
const STATE =
  /\p{L}{3}, (?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])\n[ \t]*$/u
/** "is your code": the sentence goes on below a number. */
const GOES_ON = /^[ \t]*(?:\n[ \t]*)?\p{Ll}/u
/** "-0400" after a time of day is its zone. */
const ZONE = /\d:\d\d(?::\d\d)? ?(?:[a-z]{2,4} ?)?[-+(]$/
/** "#482913", "**** 4242", and "card *3316", but not the bullet of a list. */
const SIGN = /([#№§©]|[*•·x…]{2,}[ -]?|(?<=[^\s] )\*) ?$/

/**
 * Whether the text around a number makes it something else: a price, a duration, the end of a card.
 */
export function isOtherNumber(mail: MailText, candidate: Candidate): boolean {
  const { lower } = mail
  if (isBehindOther(mail, candidate)) return true
  if (!candidate.digits) return false
  if (isInReply(mail, candidate.start)) return true
  if (
    candidate.value.length === 5 &&
    STATE.test(mail.text.slice(Math.max(0, candidate.start - 24), candidate.start)) &&
    !GOES_ON.test(mail.text.slice(candidate.end, candidate.end + 8))
  )
    return true
  const behind = candidate.end + (lower[candidate.end] === ' ' ? 1 : 0)
  return UNIT_SIGNS.includes(lower[behind] ?? ' ') || wordStartingAt(mail, behind, UNIT) !== undefined
}

/** What the expressions for texts before another number end with, apart from blanks. */
const ENDS_CURRENCY = 'drpfys$.'
const ENDS_AREA_CODE = ')'
const ENDS_ZONE = '-+('
const ENDS_SIGN = '#№§©*•·x…-'
/** Blanks that they allow at their end. */
const BLANKS_MAX = 2

/** The last character before a place, apart from blanks: a look at it is cheaper than the expressions. */
function lastCharacter(lower: string, place: number): string {
  let at = place - 1
  while (at >= place - BLANKS_MAX && lower[at] === ' ') at--
  return lower[at] ?? ' '
}

/** "EUR 4829", "(0411) 4829", "**** 4242": the text before a number makes it something else. */
function isBehindOther(mail: MailText, candidate: Candidate): boolean {
  const { lower } = mail
  const last = lastCharacter(lower, candidate.start)
  const before = lower.slice(Math.max(0, candidate.start - 24), candidate.start)
  if (ENDS_CURRENCY.includes(last) && CURRENCY.test(before)) return true
  if (ENDS_AREA_CODE === last && AREA_CODE.test(before)) return true
  if (ENDS_ZONE.includes(last) && ZONE.test(before)) return true
  const sign = ENDS_SIGN.includes(last) ? SIGN.exec(before)?.[0] : undefined
  return sign !== undefined && !isMarkup(lower, candidate, sign) && !isAskedValue(mail, candidate, sign)
}

/** Whether a place is in a line of the body that is the subject of another message: "Re: Spare valve, code 4410?". */
function isInReply({ lower, subjectEnd }: MailText, place: number): boolean {
  if (place <= subjectEnd) return false
  const lead = lower.slice(startOfLine(lower, place), place)
  return lead.includes(':') && REPLY.test(lead.replace(MARKS, ''))
}

/** Blanks and quotation marks before a subject. */
const MARKS = /^[\s"“„«]{1,9}/

/**
 * "**482913**" is bold type and "# 482913" a heading, while "**** 4242" is a card and "#482913" an
 * order.
 */
function isMarkup(lower: string, candidate: Candidate, sign: string): boolean {
  if (/^\*{1,3}$/.test(sign)) return lower[candidate.end] === '*'
  const place = candidate.start - sign.length
  return sign === '# ' && (place === 0 || lower[place - 1] === '\n')
}

/** "Enter the following code:", and "#419582" alone on the next line. */
function isAskedValue(mail: MailText, { start, end, digits }: Candidate, sign: string): boolean {
  if (sign !== '#' || !digits || !isAlone(mail.text, { start: start - 1, end })) return false
  const above = lineAbove(mail.lower, start)
  if (!above.text.endsWith(':')) return false
  return mail.nouns.some(
    (noun) =>
      noun.meaning === 'verification' &&
      noun.start >= above.start &&
      ENDS_LINE.test(above.text.slice(Math.max(0, noun.end - above.start))) &&
      asksBefore(mail, noun, above.start),
  )
}

/** Behind a noun, a word as "following" and a colon. */
const ENDS_LINE = /^ ?\p{L}{0,12} ?:$/u

const JOINING = ' .:#№(\t-'

/**
 * Whether the text that leads up to a place ends by naming what a number there numbers, as in
 * "order no. is": the start of that name, or null.
 */
export function otherNumberLabel(mail: MailText, place: number, floor: number): number | null {
  let end = place
  for (let n = 0; n < 3; n++) {
    while (end > floor && place - end < 12 && JOINING.includes(mail.lower[end - 1]!)) end--
    const name = wordEndingAt(mail, end, NAMES)
    if (name !== undefined && name.start >= floor)
      return isEndOfSentence(mail, end) && end - name.start > ABBREVIATION_MAX ? null : name.start
    const is = wordEndingAt(mail, end, IS)
    if (is === undefined) return null
    end = is.start
  }
  return null
}

/** How far before a number its label may begin: "order number ". */
const LABEL_MAX = 32

/** Where the label of another kind of number begins that ends before a place; null if there is none near it. */
export function labelBefore(mail: MailText, place: number): number | null {
  return otherNumberLabel(mail, place, place - LABEL_MAX)
}

/** "Tel. " is a label, and "on the next page. " is none. */
const ABBREVIATION_MAX = 5

function isEndOfSentence({ lower }: MailText, place: number): boolean {
  return /^\.\s/.test(lower.slice(place, place + 2))
}

/** Without the number of the ticket or the order that the subject is about: "#482913 Ticket created". */
export function withoutSubjectNumber({ text, subjectEnd, nouns }: MailText, found: Candidate[]): Candidate[] {
  const sign = found.length === 0 ? -1 : text.indexOf('#')
  if (sign === -1 || sign >= subjectEnd) return found
  const number = NUMBER_OF_SUBJECT.exec(text.slice(0, subjectEnd))?.[1]
  if (number === undefined || nouns.some(({ end, meaning }) => end <= subjectEnd && meaning !== 'other'))
    return found
  return found.filter(({ value }) => value !== number)
}

const NUMBER_OF_SUBJECT = /#(\d{4,10})/
