import { table } from '../lexicon/letters.ts'

/** A run of ASCII letters and digits, with single dashes inside. */
export interface Token {
  start: number
  end: number
  /**
   * It is a piece of something larger: a time, an amount, a path, a phone number with its plus
   * sign.
   */
  glued: boolean
  /** It has digits only. */
  isNumber: boolean
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

export function isAlphanumeric(code: number): boolean {
  return isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}

/** Letters of scripts with spaces between words: "д4821" is one word, while "は4821" is two. */
export function isOtherLetter(code: number): boolean {
  return (code >= 0xc0 && code < 0x530) || (code >= 0x1e00 && code < 0x2000)
}

/** Whether a part of a text has as many digits: most have none, and a loop shows it sooner than a search for more. */
export function hasDigitsIn(text: string, from: number, to: number, least: number): boolean {
  let count = 0
  for (let at = Math.max(0, from); at < to; at++)
    if (isDigit(text.charCodeAt(at)) && ++count === least) return true
  return false
}

const DIGIT = /[0-9]/g

export function nextDigit(text: string, from: number): number {
  DIGIT.lastIndex = from
  return DIGIT.test(text) ? DIGIT.lastIndex - 1 : -1
}

const DASH = 0x2d
const ASTERISK = 0x2a

/** The token around the digit at `at`, not reaching back before `floor`. */
export function tokenAt(text: string, at: number, floor: number): Token {
  let start = at
  for (let more = true; more; ) {
    while (start > floor && isAlphanumeric(text.charCodeAt(start - 1))) start--
    more =
      start - 1 > floor && text.charCodeAt(start - 1) === DASH && isAlphanumeric(text.charCodeAt(start - 2))
    if (more) start--
  }
  let end = at + 1
  for (let more = true; more; ) {
    while (end < text.length && isAlphanumeric(text.charCodeAt(end))) end++
    more = text.charCodeAt(end) === DASH && isAlphanumeric(text.charCodeAt(end + 1))
    if (more) end++
  }
  const isNumber = isNumberAt(text, start, end)
  return {
    start,
    end,
    isNumber,
    glued:
      gluedBefore(text, start) ||
      gluedAfter(text, end, isNumber) ||
      isBetweenWords(text, start, end) ||
      (!isNumber && (hasOneBrace(text, start, end) || isBehindMarks(text, start))),
  }
}

const CAPITAL = /(?![A-Z])\p{Lu}/u

/** "Кот-4821-Лес": one value, whose letters are not ASCII; but not "код-482913-действует". */
function isBetweenWords(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(start - 1) !== DASH || text.charCodeAt(end) !== DASH) return false
  return isOtherLetter(text.charCodeAt(start - 2)) && CAPITAL.test(text.charAt(end + 1))
}

/** "{a81f9c2e": of two braces only one is there, so a part of the value may be missing. */
function hasOneBrace(text: string, start: number, end: number): boolean {
  return (text.charCodeAt(start - 1) === OPEN_BRACE) !== (text.charCodeAt(end) === CLOSE_BRACE)
}

/** "CD!=Ueizx4J6", "Tw=-Qw2TlD", "Accp*E*bWLV3a": letters and marks are the beginning of the same password. */
function isBehindMarks(text: string, start: number): boolean {
  const [first, second] = [text.charCodeAt(start - 2), text.charCodeAt(start - 1)]
  if (second === ASTERISK && isAlphanumeric(first)) return true
  return (
    MARKS[first]! &&
    (MARKS[second]! || second === DASH || second === ASTERISK) &&
    first !== second &&
    isAlphanumeric(text.charCodeAt(start - 3))
  )
}

function isNumberAt(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isDigit(text.charCodeAt(at))) return false
  return true
}

/** Marks that join a number to the text before or after it: paths, amounts, signs. */
const TIES_BEFORE = table('@/\\&?%~+^$')
const TIES_AFTER = table('@/\\%$^')
const CURRENCY_AND_DEGREE = '€£¥₩₽₹₺₴₫§°'

/** Marks behind which letters and digits continue a key or a password: "a1b2c3.d4e5f6". */
const INNER = table('.:=+~!#&*?')
/** Marks that neither introduce a value nor emphasize it. */
const MARKS = table('=+~!#&?$%^@')
/** Those that end one. */
const LAST = table('=+~#&')

/** Around a number it is emphasis, inside of a name a letter. */
const LOW_LINE = 0x5f
const DOT = 0x2e
const BANG = 0x21
const COMMA = 0x2c
const APOSTROPHE = 0x27
const BAR = 0x7c
const SEMICOLON = 0x3b
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** How far the piece is searched that a mark joins to a value. */
const PIECE_MAX = 64

export function gluedBefore(text: string, start: number): boolean {
  if (start === 0) return false
  const code = text.charCodeAt(start - 1)
  if (code >= 128) return isOtherLetter(code) || CURRENCY_AND_DEGREE.includes(text[start - 1]!)
  if (TIES_BEFORE[code]) return true
  // "Harbour!5518" is one password.
  if (code === LOW_LINE || code === DOT || code === BANG) return isAlphanumeric(text.charCodeAt(start - 2))
  if (code === COMMA || code === APOSTROPHE) return isDigit(text.charCodeAt(start - 2))
  return INNER[code]! && hasDigit(text, start - 2, -1)
}

/** @param isNumber the token has digits only */
function gluedAfter(text: string, end: number, isNumber: boolean): boolean {
  if (end >= text.length) return false
  const code = text.charCodeAt(end)
  if (code >= 128) return isOtherLetter(code) || CURRENCY_AND_DEGREE.includes(text[end]!)
  if (code === LOW_LINE) return isAlphanumeric(text.charCodeAt(end + 1))
  if (TIES_AFTER[code]) return true
  if (code === COMMA) return isDigit(text.charCodeAt(end + 1)) && !beginsCount(text, end + 1)
  // "a81f|9c2e77": a value with a mark inside is not taken in part.
  if (code === BAR || code === SEMICOLON) return !isNumber && isAlphanumeric(text.charCodeAt(end + 1))
  if (!INNER[code]) return false
  const next = text.charCodeAt(end + 1)
  if (!isAlphanumeric(next)) return !isNumber && LAST[code]!
  // "482913.Do not share it": the blank behind the full stop is missing.
  return (!isNumber || hasDigit(text, end + 1, 1)) && !(isNumber && beginsCount(text, end + 1))
}

/** Whether the letters and digits from a place on, in a direction, have a digit. */
function hasDigit(text: string, from: number, step: 1 | -1): boolean {
  for (let at = from, n = 0; n < PIECE_MAX; at += step, n++) {
    const code = text.charCodeAt(at)
    if (isDigit(code)) return true
    if (!isAlphanumeric(code)) return false
  }
  return false
}

/** "660271,5分钟内有效": behind a code and a mark of a Latin keyboard, a count of something else. */
const COUNT = /\d{1,3} ?[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ud7ff\uf900-\ufaff]/y

function beginsCount(text: string, at: number): boolean {
  COUNT.lastIndex = at
  return COUNT.test(text)
}

/** What digits among the letters from a to f begin with, two of each at least, as a piece of an expression. */
export const MIXED_HEX = String.raw`(?=(?:[a-f]*\d){2})(?=(?:\d*[a-f]){2})`

/** Words, numbers and single letters: "tq58hVzn" is "tq", "58", "h" and "Vzn". */
const PIECE = /[A-Z]?[a-z]+|[A-Z]+|\d+/g
/** The least number of pieces, and the most characters of a piece: "iPhone14Pro" and "Drive4You2day" have words. */
const FEW = { pieces: 4, longest: 3 }
const MANY = { pieces: 5, longest: 4 }

/** Letters that change their case at nearly each of them: "SrgDfoLoQg". */
const RANDOM_LETTERS = /^(?=(?:[a-z]*[A-Z]){4})(?:[A-Z]?[a-z]{1,2}){4,8}$/

/**
 * Whether a value has letters in both cases, and mostly digits too, in an order that no name has.
 * @param forms how many pieces it has at least, and how long each is at most
 */
export function isRandom(value: string, forms = [FEW, MANY]): boolean {
  if (RANDOM_LETTERS.test(value)) return true
  if (!/\d/.test(value) || !/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false
  const pieces = value.match(PIECE)!
  const longest = Math.max(...pieces.map((piece) => piece.length))
  return forms.some((least) => pieces.length >= least.pieces && longest <= least.longest)
}
