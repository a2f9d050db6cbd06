import { fold } from '../lexicon/plain.ts'
import { bits, type Word, wordsFrom } from '../lexicon/words.ts'
import { saysIn } from '../links/phrases.ts'
import { isAlone, type Place } from './layout.ts'
import { isInSubject, lastBefore, type MailText } from './mail-text.ts'
import { matchesOf } from './matches.ts'
import { isNamedElsewhere } from './names.ts'
import { isBehindNetwork } from './nouns.ts'
import { labelBefore } from './other-numbers.ts'
import { BREAK, firstSentence } from './phrases.ts'
import { isOtherLetter, isRandom } from './tokens.ts'
import { isOfferOrBooking } from './trust.ts'
import { isOfUser } from './users.ts'
import { asCandidate, type WordCode } from './word-value.ts'

/** Letters, digits and marks, with none of these characters before or behind them, and a digit or a change of case. */
const VALUE =
  /(?<![\w./@#$%&=?!*^~+-])(?=[A-Za-z0-9])(?=[!-~]{0,62}\d|[!-~]{0,61}[a-z][A-Z])[A-Za-z0-9][A-Za-z0-9!#$%&*+=?@^~-]{5,62}[A-Za-z0-9#$%&+=@^~](?![\w/@]|[.-]\w)/g
const VALUES_MAX = 12
/** A word, a mark and digits: "Birk!4406"; but not "Harbour#2026", as names of users and teams are. */
const MARKED = /^[A-Z][a-z]{2,}[!%&*+=@]\d{3,}$/

/** What such values have. A search for it costs a fraction of one for them. */
const MAY_HAVE_VALUE = /[a-z][A-Z]|[A-Za-z][!#$%&*+=?@^~-]?\d|\d[!#$%&*+=?@^~-]?[A-Za-z]/

/** How far before and behind a value its sentence is read. */
const REACH = { before: 200, after: 100 }

/**
 * "Your password was reset to tq58hVzn, and you can change it", "We have reset your password. You can sign in with
 * tq58hVzn": the only random value of a mail, in a sentence about a password, or in one about signing in behind it.
 */
export function randomPassword(mail: MailText): WordCode[] {
  const { text, subjectEnd } = mail
  const found = new Map<string, WordCode>()
  const body = text.slice(subjectEnd)
  if (!MAY_HAVE_VALUE.test(body)) return []
  for (const match of matchesOf(body, VALUE, VALUES_MAX)) {
    const [value] = match
    const start = subjectEnd + match.index
    // "grünTal82x": a part of a value.
    if (isOtherLetter(text.charCodeAt(start - 1)) || isOtherLetter(text.charCodeAt(start + value.length)))
      continue
    if (!isRandom(value) && !MARKED.test(value)) continue
    if (!found.has(value)) found.set(value, { value, start })
    if (found.size > 1) return []
  }
  return [...found.values()].filter((one) => isStated(mail, one))
}

function isStated(mail: MailText, code: WordCode): boolean {
  const { start } = code
  const place = asCandidate(code)
  if (!isInSentence(mail, place) || isOfUser(mail, place) || isNamedElsewhere(mail, place)) return false
  if (
    isOfOtherNumber(mail, start) ||
    isOfOtherNoun(mail, start) ||
    isBehindNetwork(mail.lower, mail.words, start)
  )
    return false
  return isInSubject(mail, 'password') || !isOfferOrBooking(mail, place)
}

function isInSentence(mail: MailText, place: Place): boolean {
  const { text, lower, subjectEnd } = mail
  const { start, end } = place
  const sentences = lower.slice(Math.max(subjectEnd, start - REACH.before), start).split(BREAK)
  const sentence = fold(`${sentences.at(-1)} ${firstSentence(lower.slice(end, end + REACH.after))}`)
  if (saysIn('password', sentence)) return true
  if (saysIn('signIn', sentence) && saysIn('password', fold(sentences.at(-2) ?? ''))) return true
  return isAlone(text, place) && isBelowCreation(mail, start)
}

/** "We have created a password for you. Please change it.", and the value in the next paragraph. */
function isBelowCreation({ lower, words, subjectEnd }: MailText, start: number): boolean {
  const from = Math.max(subjectEnd, start - PARAGRAPH_REACH)
  const above = lower.slice(from, start).trimEnd()
  const paragraph = above.slice(above.lastIndexOf('\n\n') + 1)
  const near = wordsFrom(words, from + above.length - paragraph.length, start)
  if (paragraph.endsWith(':') || near.some(mayLabel)) return false
  if (saysIn('deny', fold(paragraph))) return false
  const clauses = paragraph.split(CLAUSE).map(fold)
  return clauses.some((clause) => saysIn('password', clause) && saysIn('created', clause))
}

const PARAGRAPH_REACH = 400
/** What else the value may be: "Your user name is below". Short ones are small words of other languages. */
function mayLabel({ kinds, start, end }: Word): boolean {
  return (kinds & OTHER) !== 0 && end - start >= LABEL_MIN
}

const OTHER = bits('otherNumber', 'user', 'key')
const LABEL_MIN = 4
const CLAUSE = /[.!?;,:。，；]/

/**
 * "Reference tq58hVzn", but not "changed to tq58hVzn" in several languages, nor "비밀번호", a password, which ends with
 * the word for a number.
 */
function isOfOtherNumber(mail: MailText, start: number): boolean {
  const label = labelBefore(mail, start)
  if (label === null || /^(?:to|til|na|in) $/.test(mail.lower.slice(label, start))) return false
  if (RESET_TO.test(mail.lower.slice(Math.max(0, start - RESET_REACH), start))) return false
  return !mail.nouns.some((noun) => label >= noun.start && label < noun.end)
}

/** "ZIP password: kX7pQ2mN" */
function isOfOtherNoun({ nouns, lower }: MailText, start: number): boolean {
  const noun = lastBefore(nouns, start)
  return noun?.meaning === 'other' && /^ ?[:：]? ?$/.test(lower.slice(noun.end, start))
}

/** "Your password has been reset to: Doa70L#uDP8^" */
const RESET_TO = /(?<![a-z])password(?: [a-z]{2,10}){0,4} (?:to|til|na|in): $/
const RESET_REACH = 60
