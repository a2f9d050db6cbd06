/** A run of ASCII letters and digits, with single dashes inside. */
export interface Token {
  start: number
  end: number
  /**
   * It is a piece of something larger: a time, an amount, a path, a phone number with its plus
   * sign.
   */
  glued: boolean
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

export function isAlphanumeric(code: number): boolean {
  return isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}

/** Letters of scripts with spaces between words: "д4821" is one word, while "は4821" is two. */
function isOtherLetter(code: number): boolean {
  return (code >= 0xc0 && code < 0x530) || (code >= 0x1e00 && code < 0x2000)
}

const DIGIT = /[0-9]/g

export function nextDigit(text: string, from: number): number {
  DIGIT.lastIndex = from
  return DIGIT.exec(text)?.index ?? -1
}

const DASH = 0x2d

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
  return { start, end, glued: gluedBefore(text, start) || gluedAfter(text, end) }
}

/** Marks that join a number to the text before or after it: paths, amounts, signs. */
const TIES_BEFORE = table('@/\\&?%~+^$')
const TIES_AFTER = table('@/\\%$^')
const CURRENCY_AND_DEGREE = '€£¥₩₽₹₺₴₫§°'

/** Around a number it is emphasis, inside of a name a letter. */
const LOW_LINE = 0x5f
const DOT = 0x2e
const COMMA = 0x2c
const COLON = 0x3a
const APOSTROPHE = 0x27

export function gluedBefore(text: string, start: number): boolean {
  if (start === 0) return false
  const code = text.charCodeAt(start - 1)
  if (code >= 128) return isOtherLetter(code) || CURRENCY_AND_DEGREE.includes(text[start - 1]!)
  if (code === LOW_LINE) return isAlphanumeric(text.charCodeAt(start - 2))
  if (TIES_BEFORE[code]) return true
  if (code === DOT) return isAlphanumeric(text.charCodeAt(start - 2))
  return (code === COMMA || code === COLON || code === APOSTROPHE) && isDigit(text.charCodeAt(start - 2))
}

function gluedAfter(text: string, end: number): boolean {
  if (end >= text.length) return false
  const code = text.charCodeAt(end)
  if (code >= 128) return isOtherLetter(code) || CURRENCY_AND_DEGREE.includes(text[end]!)
  if (code === LOW_LINE) return isAlphanumeric(text.charCodeAt(end + 1))
  if (TIES_AFTER[code]) return true
  return (code === DOT || code === COMMA || code === COLON) && isDigit(text.charCodeAt(end + 1))
}

/** A set of ASCII characters, for look-up by code. */
export function table(characters: string): boolean[] {
  return Array.from({ length: 128 }, (_, code) => characters.includes(String.fromCharCode(code)))
}
