/**
 * Scripts that write a sentence without spaces, and Hangul, whose particles follow their noun
 * without one: a word may begin and end anywhere.
 */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}ー々〆]/u
const LETTER = /[\p{L}\p{M}]/u

const UNKNOWN = 0
const IS_NONE = 1
const IS_ONE = 2
/** The cached answer for each UTF-16 unit. */
const SPACED_LETTERS = new Uint8Array(0x10000)

/** A letter of a script that has spaces between words, or the low line of a name in a program. */
export function isSpacedLetter(code: number): boolean {
  const known = SPACED_LETTERS[code]
  return known === UNKNOWN ? look(code) : known === IS_ONE
}

function look(code: number): boolean {
  const char = String.fromCharCode(code)
  const is = char === '_' || (LETTER.test(char) && !UNSPACED.test(char))
  SPACED_LETTERS[code] = is ? IS_ONE : IS_NONE
  return is
}

/** Whether a word may end or begin at a place. */
export function isBoundary(text: string, at: number): boolean {
  // Outside of a text the code is NaN, which would make each look-up one with fractions.
  if (at <= 0 || at >= text.length) return true
  return !isSpacedLetter(text.charCodeAt(at)) || !isSpacedLetter(text.charCodeAt(at - 1))
}

/** Longest ending of a word that is passed over. */
const MAX_ENDING = 40

/** Past the last letter of the word at a place; a script without spaces has no endings. */
export function wordEnd(text: string, at: number): number {
  let end = at
  while (end - at < MAX_ENDING && !isBoundary(text, end)) end++
  return end
}

export function wordStart(text: string, at: number): number {
  let start = at
  while (at - start < MAX_ENDING && start > 0 && !isBoundary(text, start)) start--
  return start
}

const DIGIT = /\p{Nd}/u
const NATIVE_DIGITS = new Uint8Array(0x10000)
const FIRST_HALF = 0xd800
const LAST_HALF = 0xdfff

/** Whether a UTF-16 unit, or with the next one a whole character, is a digit of any script. */
export function isNativeDigit(code: number, next: number): boolean {
  if (code >= FIRST_HALF && code <= LAST_HALF) return DIGIT.test(String.fromCharCode(code, next))
  const known = NATIVE_DIGITS[code]
  if (known !== UNKNOWN) return known === IS_ONE
  const is = DIGIT.test(String.fromCharCode(code))
  NATIVE_DIGITS[code] = is ? IS_ONE : IS_NONE
  return is
}

/** Whether a UTF-16 unit is white space, as `trim` removes it. It is asked for each line of a text. */
export function isWhite(code: number): boolean {
  if (code <= SPACE) return code === SPACE || (code >= TAB && code <= RETURN)
  return code > LAST_ASCII && (OTHER_WHITE.includes(code) || (code >= FIRST_QUAD && code <= HAIR_SPACE))
}

const TAB = 9
const RETURN = 13
const SPACE = 32
export const LAST_ASCII = 127
const FIRST_QUAD = 0x2000
const HAIR_SPACE = 0x200a
const OTHER_WHITE = [0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]

/** A set of ASCII characters, for look-up by code. */
export function table(characters: string): boolean[] {
  return Array.from({ length: 128 }, (_, code) => characters.includes(String.fromCharCode(code)))
}
