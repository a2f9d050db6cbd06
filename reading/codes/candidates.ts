import { digitRun, endOfGroups, type Grouped, groupedCode, mixedGroups, spacedCharacters } from './groups.ts'
import { matchesOf } from './matches.ts'
import { gluedBefore, nextDigit, type Token, tokenAt } from './tokens.ts'

/** A part of the text that looks like a code. */
export interface Candidate {
  start: number
  end: number
  /** The code as the reader types it. */
  value: string
  /** How much it looks like a code; a plain six-digit number most. */
  look: number
  /** Whether it has digits only, apart from grouping. */
  digits: boolean
  /**
   * Whether it also looks like a year, a date, a word or an id, so that it needs a clear
   * introduction.
   */
  doubtful: boolean
}

/**
 * Candidates of a text. One with more is a report or a bill, whose code would be above them: of 711 texts with a code,
 * none had more than six up to it.
 */
const CANDIDATES_MAX = 24

/** Parts with a digit that are looked at. Of 8,600 mails, those with a code had at most 34; a mail with a table had 808. */
const LOOKED_AT_MAX = 68

/** The first parts of a text with a digit in them that look like a code, in order. Linear in the text. */
export function findCandidates(text: string): Candidate[] {
  const found: Candidate[] = []
  let floor = 0
  let years = 0
  for (let n = 0; n < LOOKED_AT_MAX && found.length < CANDIDATES_MAX; n++) {
    const at = nextDigit(text, floor)
    if (at === -1) break
    const spaced = spacedCharacters(text, at, floor)
    if (spaced !== null) {
      found.push(spacedOnes(spaced.start, spaced.end, spaced.value))
      floor = spaced.end
      continue
    }
    const token = tokenAt(text, at, floor)
    const grouped = groupedCode(text, digitRun(text, token))
    let candidate: Candidate | null
    if (grouped === null) candidate = token.glued ? dotted(text, token) : singleOrGroups(text, token, floor)
    else candidate = grouped.value === null ? null : groupsOf(token, grouped)
    // One group of several is no value.
    const endOfAll = endOfGroups(text, token)
    if (endOfAll > (candidate?.end ?? token.end)) {
      floor = endOfAll
      continue
    }
    const isYear = candidate?.value.length === 4 && YEAR.test(candidate.value)
    if (isYear) years++
    if (candidate !== null && !(isYear && (years > YEARS_MAX || isYearOfDate(text, candidate))))
      found.push(candidate)
    floor = candidate?.end ?? grouped?.end ?? token.end
  }
  return found
}

function groupsOf({ start }: Token, { value, end, doubtful = false }: Grouped): Candidate {
  const found = numberOrMix(start, end, value!)
  return { ...found, doubtful: found.doubtful || doubtful }
}

function singleOrGroups(text: string, token: Token, floor: number): Candidate | null {
  const groups = mixedGroups(text, token, floor)
  if (groups === null) return single(text, token)
  const { start, end, value } = groups
  return { start, end, value, look: 2, digits: false, doubtful: true }
}

/** "482.913" and "73.91.05"; also an amount, or a date if the calendar has that day. */
const DOTTED = /(?:\d{3}\.\d{3}|\d{2}\.\d{2}\.\d{2})(?![.,:/-]?\d|[A-Za-z]|\.[A-Z]{1,8}\d)/y

function dotted(text: string, token: Token): Candidate | null {
  // Behind two digits or three.
  if (text.charCodeAt(token.start + 2) !== DOT && text.charCodeAt(token.start + 3) !== DOT) return null
  DOTTED.lastIndex = token.start
  const shown = DOTTED.exec(text)?.[0]
  if (shown === undefined || gluedBefore(text, token.start)) return null
  const groups = shown.split('.')
  if (isDate(groups)) return null
  const value = groups.join('')
  return { start: token.start, end: token.start + shown.length, value, look: 2, digits: true, doubtful: true }
}

/**
 * Groups of letters alone, as in "HVXKDR" and "XTB-MFK". Only capitals, because lower-case letters
 * form words.
 */
export function findLetterCandidates(text: string): Candidate[] {
  const found: Candidate[] = []
  for (const match of matchesOf(text, CAPITALS)) {
    const value = match[0]
    const groups = value.split('-')
    if (value.length > 24 || (groups.length > 1 && !equallyLong(groups))) continue
    if (groups.length === 1 && (value.length < 4 || value.length > 10)) continue
    const start = match.index
    found.push({
      start,
      end: start + value.length,
      value,
      look: 1,
      digits: false,
      doubtful: !CONSONANTS.test(value),
    })
  }
  return found
}

/** "KQFJDP": words and names with six letters have a vowel. */
const CONSONANTS = /^[B-DF-HJ-NP-TV-XZ]{6,10}$/

/** Scripts without spaces write the next word right behind them: "验证码为KQFJDP". */
const CAPITALS =
  /(?<![\p{Script=Latin}\p{N}@#&_-])[A-Z]{2,10}(?:-[A-Z]{3,5}){0,4}(?![\p{Script=Latin}\p{N}@_-]|[+=%~][\p{L}\p{N}])/gu

/** Characters one by one; "1 2 3 4 5" is a scale to tick. */
function spacedOnes(start: number, end: number, value: string): Candidate {
  return { ...numberOrMix(start, end, value), doubtful: '01234567890'.includes(value) }
}

function numberOrMix(start: number, end: number, value: string): Candidate {
  const digits = NUMBER.test(value)
  return { start, end, value, look: digits ? 2.5 : 2, digits, doubtful: false }
}

const NUMBER = /^\d+$/
const PREFIXED = /^(?:[A-Z]|FB)-(\d{4,8})$/
const PREFIXED_GROUPS = /[A-Z]-(\d{3}) (\d{3})(?![ -]?[A-Za-z\d])/y
/** A longer prefix, which the site shows before the field as well, or the number of a ticket: "KJH-605660". */
const LONG_PREFIXED = /^[A-Z]{2,4}-(\d{6})$/

/** The ending of a word, as in Uzbek "482913-ni". */
const SUFFIXED = /^(\d{4,8})-[a-z]{1,5}$/

/** Six or seven digits in two groups, as telephone numbers have them; but not the month of a year. */
const UNEQUAL = /^(?:\d{3}-\d{4}|\d{4}-\d{3}|(?!19|20)\d{4}-\d{2}|\d{2}-(?!19|20)\d{4})$/

/** "XY-9K2": a digit between capitals, or a capital between digits, which names of products seldom have. */
const UNEQUAL_MIXED = /^(?=[A-Z\d]{2,4}-[A-Z\d]{2,4}$)(?=.*(?:\d[A-Z]\d|[A-Z]\d[A-Z]))/

/** "HARBOUR-29XK": the name of the sender, and letters and digits. */
const NAMED =
  /^(?:[A-Z]{4,12}-(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z\d]{4,8}|[A-Z]{3}-(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z\d]{4,5})$/

/** Its beginning, as in Zulu "ngu-482913". */
const AFFIXED = /^[a-z]{1,3}-(\d{4,8})$/

/** "Verification code:240196Please enter it": the blank behind the number is missing. */
const BEFORE_SENTENCE = /(\d{6})[A-Z][a-z]{3,} [a-z]/y
const COLON = 0x3a
const DOT = 0x2e

function numberBeforeSentence(text: string, start: number): string | undefined {
  BEFORE_SENTENCE.lastIndex = start
  return BEFORE_SENTENCE.exec(text)?.[1]
}

/**
 * A token by itself. The site of a Google-style code shows "G-" before the field: only the digits
 * are typed.
 */
function single(text: string, token: Token): Candidate | null {
  if (token.glued) return null
  const { start, end } = token
  const before = text.charCodeAt(start - 1) === COLON ? numberBeforeSentence(text, start) : undefined
  if (before !== undefined) return { ...number(start, start + 6, before)!, doubtful: true }
  const length = end - start
  if (length < 4 || length > 24) return null
  const shown = text.slice(start, end)
  if (token.isNumber) return number(start, end, shown)
  if (!shown.includes('-')) return mixed(start, end, shown)
  const suffixed = SUFFIXED.exec(shown)
  if (suffixed !== null) return number(start, start + suffixed[1]!.length, suffixed[1]!)
  const affixed = AFFIXED.exec(shown)
  if (affixed !== null) return { ...number(end - affixed[1]!.length, end, affixed[1]!)!, doubtful: true }
  PREFIXED_GROUPS.lastIndex = start
  const inGroups = PREFIXED_GROUPS.exec(text)
  if (inGroups !== null) {
    const [all, first, second] = inGroups
    return {
      start,
      end: start + all.length,
      value: `${first}${second}`,
      look: 2.5,
      digits: true,
      doubtful: false,
    }
  }
  const prefixed = PREFIXED.exec(shown)
  if (prefixed !== null) return { start, end, value: prefixed[1]!, look: 3, digits: true, doubtful: false }
  const long = LONG_PREFIXED.exec(shown)
  if (long !== null) return { start, end, value: long[1]!, look: 2, digits: true, doubtful: true }
  const groups = shown.split('-')
  const joined = groups.join('')
  if (UNEQUAL.test(shown)) return { start, end, value: joined, look: 2, digits: true, doubtful: true }
  if (UNEQUAL_MIXED.test(shown)) return { start, end, value: shown, look: 2, digits: false, doubtful: false }
  if (NAMED.test(shown)) return { start, end, value: shown, look: 2, digits: false, doubtful: false }
  if (!equallyLong(groups) || groups.length > 8) return null
  if (NUMBER.test(joined)) {
    // "0411-8660 2217" is a telephone number.
    if (joined.length > 8 || groups[0]!.length > 4 || /^ \d{4}/.test(text.slice(end, end + 5))) return null
    return { start, end, value: joined, look: 2.5, digits: true, doubtful: isDate(groups) }
  }
  if (joined.length > 20 || groups[0]!.length < 2) return null
  return { start, end, value: shown, look: 2, digits: false, doubtful: shown !== shown.toUpperCase() }
}

function number(start: number, end: number, value: string): Candidate | null {
  const { length } = value
  if (length > 10) return null
  const look = length === 6 ? 3 : length <= 8 ? 2 : 1
  return {
    start,
    end,
    value,
    look,
    digits: true,
    doubtful:
      length > 8 ||
      (length % 4 === 0 && YEAR_OR_DAY.test(value)) ||
      (value.endsWith('000') && ROUND.test(value)),
  }
}

/** "10000 new codes": a count. */
const ROUND = /^[1-9]\d{0,2}0{3,}$/

/** A year, or a day written as 20261121. */
const YEAR_OR_DAY = /^(?:1[6-9]|20)\d\d(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))?$/

const YEAR = /^(?:1[6-9]|20)\d\d$/
const MINUTES_OR_SO = '(?!min|мин|sec|hour|stund|heur|hor|ora|uur|час)'
/**
 * The text before the year of a date: "20 November ", "1. März ", "12 de enero de ", "March 12, ". It looks behind the
 * end of the text, because a search from each of its letters costs much more.
 */
const DAY_AND_MONTH = new RegExp(
  `(?<=(?<!\\d)\\d{1,2}(?:st|nd|rd|th|º|\\.)?[ ,]+(?:(?:of|de|del) )?${MINUTES_OR_SO}(?:\\p{L}{3,14}|\\p{L}{3,4}\\.),? +(?:(?:de|del|do) )?` +
    '|\\p{L}{3,14}\\.? \\d{1,2}(?:st|nd|rd|th)?,? +)',
  'iuy',
)

/** Years that are compared with the words before them. A text with more has no code like a year. */
const YEARS_MAX = 20

/** "2026年", "2026. 12. 01." in Hungarian and Korean. */
const BEGINS_DATE =
  /^(?: ?[年년]|\.( ?)(?:0?[1-9]|1[0-2])\.\1(?:0?[1-9]|[12]\d|3[01])(?=\.(?!\d)|[,)\]-]|\s*(?:\n|$)| \d{1,2}:| [\uac00-\ud7af]))/

/** "March 12, 2025", "2026年": a year is no code where it ends or begins a date. */
function isYearOfDate(text: string, { start, end }: Candidate): boolean {
  if (BEGINS_DATE.test(text.slice(end, end + 16))) return true
  if (text[start - 1] !== ' ') return false
  const before = text.slice(Math.max(0, start - 40), start)
  // "© 2026" has no day, which costs much less to find.
  DAY_AND_MONTH.lastIndex = before.length
  return /\d/.test(before) && DAY_AND_MONTH.test(before)
}

/** "10min", "15m0s", "14th", "1080p": numbers with their units; "iPhone14": a word and its number. */
const WITH_UNIT =
  /^\d+[a-z]{1,6}$|^\d+[hm]\d+[ms](?:\d+s)?$|^\d+(?:AM|PM|GB|MB|KB|TB|KG|KM|MM|CM|PX|DPI|MIN|H|HRS|ST|ND|RD|TH|USD|EUR|GBP|CHF|IRR|IRT|RUB|TRY|INR|JPY|KRW|VND|BRL|PLN|UAH|AED|SAR)$/
const NUMBERED_WORD = /^[a-z]?[A-Z]?[a-z]{2,}[A-Z]?[a-z]*\d+$/

/** "1Password": a number before a word with a capital. */
export const NUMBER_AND_NAME = /^\d{1,2}[A-Z][a-z]{5,}$/

/** Names of protocols and formats. */
const FORMAT =
  /^(?:POP3|IMAP4|IPV[46]|HTTP[23]|UTF(?:8|16|32)|SHA(?:1|256|384|512)|BASE(?:32|64)|OAUTH[12]|X509|H26[45])$/i

function mixed(start: number, end: number, value: string): Candidate | null {
  if (value.length > 12 || WITH_UNIT.test(value) || isName(value)) return null
  return { start, end, value, look: 2, digits: false, doubtful: value !== value.toUpperCase() }
}

/** "0x0000007B": a number of a program. */
const HEXADECIMAL = /^0x[\dA-Fa-f]{8,}$/

function isName(value: string): boolean {
  return (
    HEXADECIMAL.test(value) || NUMBERED_WORD.test(value) || NUMBER_AND_NAME.test(value) || FORMAT.test(value)
  )
}

function equallyLong(groups: string[]): boolean {
  return groups.every((part) => part.length === groups[0]!.length)
}

/** Three pairs that a calendar has, as in 21-11-26. */
function isDate(groups: string[]): boolean {
  if (groups.length !== 3 || groups[0]!.length !== 2) return false
  const [first, second, third] = groups.map(Number) as [number, number, number]
  const day = (n: number) => n >= 1 && n <= 31
  const month = (n: number) => n >= 1 && n <= 12
  return (day(first) && month(second)) || (month(first) && day(second)) || (month(second) && day(third))
}
