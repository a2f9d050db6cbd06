import { LAST_ASCII, table } from '../lexicon/letters.ts'
import { bits, hasWord, NOUN_KINDS, shareLanguage } from '../lexicon/words.ts'
import { type MailText, wordEndingAt, wordStartingAt } from './mail-text.ts'
import type { Noun } from './nouns.ts'

/** The end of a sentence or of a paragraph. */
export const BREAK = /[.!?。।؟։።][\s"')]|[.!?]$|。|।|\n[ \t]*\n/

const BREAKS = new RegExp(BREAK, 'g')

/** The sentence that a text begins with, up to its end. */
export function firstSentence(text: string): string {
  const end = text.search(BREAK)
  return end === -1 ? text : text.slice(0, end)
}

/** The sentence that a text ends with, from its beginning. */
export function lastSentence(text: string): string {
  let start = 0
  BREAKS.lastIndex = 0
  while (BREAKS.test(text)) start = BREAKS.lastIndex
  return text.slice(start)
}

/** Quotes, brackets and white space before a code. */
const MARKS_BEFORE = ' \t\n\r\f\v"\'«»„“”‘’「『【〔《[(<*_`|•#'
const ASCII_MARKS_BEFORE = table(MARKS_BEFORE)

/** Whether the UTF-16 unit at a place is one of them. */
export function isMarkBefore(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code > LAST_ASCII ? MARKS_BEFORE.includes(text.charAt(at)) : ASCII_MARKS_BEFORE[code]!
}

const MARKS_MAX = 40
const MARKS_AFTER = /^[ "'»”’」』】〕》\])>*_`|]{1,20}/

/** Where a text between two places ends that leads up to a code, without the quotes, brackets and white space. */
export function endWithoutMarks(text: string, from: number, to: number): number {
  const floor = Math.max(from, to - MARKS_MAX)
  let end = to
  while (end > floor && isMarkBefore(text, end - 1)) end--
  return end
}

/** A text that leads up to a code, without the quotes, brackets and white space around the code. */
export function withoutMarksBefore(lead: string): string {
  return lead.slice(0, endWithoutMarks(lead, 0, lead.length))
}

/** The same for a text that follows a code, up to the end of the line. */
export function withoutMarksAfter(rest: string): string {
  return rest.replace(MARKS_AFTER, '')
}

const IS = bits('is')
const ENTER = bits('enter')
const ENTER_AFTER = bits('enterAfter')

const INTRODUCING_MARKS = ':=>-→՝፡፥፦៖'

/** "Your code for Acme is", "Code (10 minutes):", "please enter": a code is what comes next. */
export function endsAsIntroduction(mail: MailText, noun: Noun, place: number): boolean {
  if (INTRODUCING_MARKS.includes(mail.lower.charAt(place - 1))) return true
  if (wordEndingAt(mail, place, ENTER) !== undefined) return true
  return endsWithIs(mail, noun, place)
}

/** "is" of a language that the noun is of as well. */
export function endsWithIs(mail: MailText, noun: Noun, place: number): boolean {
  const is = wordEndingAt(mail, place, IS)
  return is !== undefined && shareLanguage(is, IS, noun.word, NOUN_KINDS)
}

/** A short word between the verb and the code: "geben Sie bitte 482913". */
const FILLER = / \p{L}{1,6}$/u

/** Before a candidate: "Enter 482913", "or enter: 482913". */
export function isRequested(mail: MailText, candidateStart: number): boolean {
  if ((mail.kinds & ENTER) === 0) return false
  const from = Math.max(0, candidateStart - 24)
  const end = endWithoutMarks(mail.lower, from, candidateStart)
  if (end === from || mail.lower[end - 1] !== ':') return endsWithVerb(mail, end)
  const hasBlank = end - 1 > from && mail.lower[end - 2] === ' '
  return endsWithVerb(mail, end - (hasBlank ? 2 : 1))
}

/** How far before a noun the verb may be: "entering the one-time verification". */
const ASK_REACH = 36

/** "Enter the code": a verb before a noun, at a floor or behind it. */
export function asksBefore({ words }: MailText, { start }: Noun, floor = 0): boolean {
  return hasWord(words, ENTER, Math.max(floor, start - ASK_REACH), start)
}

/** Where "Enter" or "geben Sie" ends before a place: the reader is to type what comes next. */
export function endsWithVerb(mail: MailText, place: number): boolean {
  if (wordEndingAt(mail, place, ENTER) !== undefined) return true
  const filler = FILLER.exec(mail.lower.slice(Math.max(0, place - 7), place))
  return filler !== null && wordEndingAt(mail, place - filler[0].length, ENTER) !== undefined
}

/**
 * "... 39749 می باشد", "... 39749 da.": in languages whose verb comes last, "is" follows what it is. Elsewhere more
 * follows: "your password for WSO2 was changed".
 */
export function startsWithVerb(mail: MailText, noun: Noun, place: number): boolean {
  const { lower } = mail
  const marks = /^[ 」』】)\]"]{0,3}/.exec(lower.slice(place, place + 3))![0].length
  const is = wordStartingAt(mail, place + marks, IS)
  if (is === undefined || !shareLanguage(is, IS, noun.word, NOUN_KINDS)) return false
  return !/[a-z]/.test(lower[is.end - 1]!) || !/^ ?\p{L}/u.test(lower.slice(is.end, is.end + 2))
}

/** "is your code", "– Ihr Code": what came before is the code. */
export function startsWithIs(mail: MailText, noun: Noun, place: number): boolean {
  if (/[-:=(]/.test(mail.lower[place] ?? '')) return true
  const is = wordStartingAt(mail, place, IS)
  return is !== undefined && shareLanguage(is, IS, noun.word, NOUN_KINDS)
}

/** "を入力してください": the reader is to type what came before, particles and marks aside. */
export function startsWithEnterAfter(mail: MailText, place: number): boolean {
  if ((mail.kinds & ENTER_AFTER) === 0) return false
  const marks = BEFORE_VERB.exec(mail.lower.slice(place, place + 8))![0].length
  return wordStartingAt(mail, place + marks, ENTER_AFTER) !== undefined
}

/** Marks; in Korean the particle for any last letter is before them: "482913을(를) 입력하세요". */
const BEFORE_VERB = /^(?:을\(를\)|를\(을\))?[ 」』】)\]"']{0,3}/
