import { isSpacedLetter } from '../lexicon/letters.ts'
import { bits } from '../lexicon/words.ts'
import type { Candidate } from './candidates.ts'
import { isAlone } from './layout.ts'
import { firstAfter, lastBefore, type MailText, wordEndingAt, wordStartingAt } from './mail-text.ts'
import { isYoursAlone } from './phrase-scores.ts'
import {
  BREAK,
  endsWithIs,
  endsWithVerb,
  endWithoutMarks,
  startsWithEnterAfter,
  startsWithIs,
} from './phrases.ts'
import { REACH } from './scores.ts'
import { isAlphanumeric } from './tokens.ts'

/** "ACME" beside "Acme", "SSH2" beside "SSH2_MSG", "IMPORTANT: your": names and headings. */
export function isName(mail: MailText, { start, end, value }: Candidate): boolean {
  if (isSender(mail, start) || isNameInSubject(mail, value) || repeatsLabel(mail, start, value)) return true
  if (!/\d/.test(value))
    return NO_VALUE.test(value) || isHeading(mail.text, start, end) || isNameToo(mail, value)
  if (isNameBeforeSubject(mail, value) || (LETTERS.test(value) && isNameToo(mail, value))) return true
  // The first search is cheap, and most mails have no low line.
  return mail.text.includes('_') && mail.text.includes(`${value}_`)
}

/** Words that are written in one, as names of programs are: "CoopCycle", "iNaturalist", "OpenAI". */
export const JOINED_NAMES =
  /^(?:(?:[a-z]{1,12}|[A-Z][a-z]{2,12})(?:[A-Z][a-z]{2,12}){1,4}|(?:[A-Z][a-z]{2,12}){1,4}[A-Z]{2,3})$/
/** The same around a digit that stands for a word: "Learn2Play". */
const NAMES_AROUND_DIGIT = /^[A-Z][a-z]{2,12}[234][A-Z][a-z]{1,12}$/

/** The subject has the name of its sender too: "CodeTriage auth failure", "Password reset - Learn2Play". */
export function isNameInSubject({ text, subjectEnd }: MailText, value: string): boolean {
  const subject = text.slice(0, subjectEnd)
  if (JOINED_NAMES.test(value)) return subject.includes(value)
  return NAMES_AROUND_DIGIT.test(value) && /[-–—|·[(] ?$/.test(subject.slice(0, subject.indexOf(value)))
}

/** How far before a value the word of its label may be. */
const LABEL_REACH = 24

/** "Task code: TASK-9F31C07A": the value begins with what it numbers. */
function repeatsLabel({ lower }: MailText, start: number, value: string): boolean {
  const dash = value.indexOf('-')
  if (dash < 3 || !/^[A-Z]+$/.test(value.slice(0, dash))) return false
  const line = lower.slice(Math.max(lower.lastIndexOf('\n', start) + 1, start - LABEL_REACH), start)
  return line.split(/[^\p{L}]+/u).includes(value.slice(0, dash).toLowerCase())
}

/** Capitals with a number behind them: "ENGELS811". */
const LETTERS = /^[A-Z]{4,}\d{1,4}$/

/** What a program writes in place of a value: "Code: NEVER". */
export const NO_VALUE =
  /^(?:NONE|NEVER|NULL|NAN|TRUE|FALSE|UNKNOWN|UNDEFINED|EMPTY|HIDDEN|INVALID|EXPIRED|PENDING|REQUIRED|OPTIONAL|ACTIVE|INACTIVE|ENABLED|DISABLED|VERIFIED|UNVERIFIED|APPROVED|REJECTED|SENT|SENDING|HERE|BELOW|ABOVE|TODAY|TEST|TESTING|EXAMPLE|SAMPLE)$/

/** Capitals that begin a line, with a colon and a sentence after them. */
function isHeading(text: string, start: number, end: number): boolean {
  return /^: \p{L}/u.test(text.slice(end, end + 3)) && (start === 0 || text[start - 1] === '\n')
}

/**
 * A subject ends with the name of its sender, which the text repeats: "Your password - ACME", "New password - openHAB
 * Cloud". A code that the text repeats is found there.
 */
export function isSender({ text, subjectEnd }: MailText, start: number): boolean {
  if (start >= subjectEnd || !/ [-—–|·] $/.test(text.slice(Math.max(0, start - 3), start))) return false
  return text.includes(text.slice(start, subjectEnd).trim(), subjectEnd)
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

const YOURS = bits('yours')
const WARNS = bits('warning')

/** Mentions of a value that are examined. */
const MENTIONS_MAX = 20

/**
 * Whether another place of the mail has the value amid words that do not present it as a code, as they have the name
 * of the sender: "DHIS2 - Password reset", "to sign in to DHIS2"; or the subject is only that.
 */
export function isNamedElsewhere(
  mail: MailText,
  { start, value }: { start: number; value: string },
): boolean {
  const { text, subjectEnd } = mail
  if (text.slice(0, subjectEnd).trim() === value) return true
  let at = text.indexOf(value)
  for (let n = 0; at !== -1 && n < MENTIONS_MAX; n++) {
    const end = at + value.length
    if (
      at !== start &&
      isWhole(text, at, end) &&
      !isAlone(text, { start: at, end }) &&
      !isPresented(mail, at, end)
    )
      return true
    at = text.indexOf(value, end)
  }
  return false
}

/** Whether no letter, digit or low line of the same script is beside a value. */
function isWhole(text: string, start: number, end: number): boolean {
  return !isPartOfWord(text.charCodeAt(start - 1)) && !isPartOfWord(text.charCodeAt(end))
}

function isPartOfWord(code: number): boolean {
  return isSpacedLetter(code) || isAlphanumeric(code) || code === LOW_LINE
}

const LOW_LINE = 0x5f

/** The words around a value present it as a code: "your code is", "enter", "never share", "is your code". */
function isPresented(mail: MailText, start: number, end: number): boolean {
  const { lower } = mail
  const place = endWithoutMarks(lower, 0, start)
  if (lower[place - 1] === ':' || endsWithVerb(mail, place) || startsWithEnterAfter(mail, end)) return true
  if (wordEndingAt(mail, place, WARNS) !== undefined) return true
  return isIntroduced(mail, start, place) || isPredicate(mail, end) || endsSubjectAlone(mail, start, end)
}

/** "Your code - X7K2MQ", but not "Your code was changed - DHIS2". */
function isIntroduced(mail: MailText, start: number, place: number): boolean {
  const { lower, nouns } = mail
  const noun = lastBefore(nouns, start)
  if (noun === undefined || start - noun.end > REACH.before || BREAK.test(lower.slice(noun.end, start)))
    return false
  if (/^[ =>→-]*$/.test(lower.slice(noun.end, place)) || endsWithIs(mail, noun, place)) return true
  return isYoursAlone(mail, noun, place)
}

/** "X7K2MQ is your code", "X7K2MQ - your code", but not "DHIS2 - Password reset". */
function isPredicate(mail: MailText, end: number): boolean {
  const { lower, nouns } = mail
  const noun = firstAfter(nouns, end)
  if (noun === undefined || noun.start - end > REACH.after) return false
  const dash = DASH.exec(lower.slice(end, end + 3))
  if (dash !== null) return wordStartingAt(mail, end + dash[0].length, YOURS) !== undefined
  return lower[end] === ' ' && startsWithIs(mail, noun, end + 1)
}

const DASH = /^ - /

/** "Harbour - X7K2MQ", "Harbour | X7K2MQ", "[Harbour] X7K2MQ": the end of a subject that says nothing else. */
function endsSubjectAlone(
  { lower, nouns, purposes, subjectEnd }: MailText,
  start: number,
  end: number,
): boolean {
  if (
    end > subjectEnd ||
    lower.slice(end, subjectEnd).trim() !== '' ||
    !/[\]|】-]\s*$/.test(lower.slice(Math.max(0, start - 4), start))
  )
    return false
  return ![...nouns.slice(0, 1), ...purposes.slice(0, 1)].some((word) => word.end <= subjectEnd)
}
