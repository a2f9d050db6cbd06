import { decodeHTML } from 'entities'

const NUMBER_SIGN = 35
const SEMICOLON = 59
const LOWER_X = 120
const LAST_ASCII = 127

/** Letters and digits as numbers from 1 to 62; 0 for all other ASCII characters. */
const NAME_CODES = Uint8Array.from({ length: 128 }, (_, code) =>
  /[0-9]/.test(String.fromCharCode(code))
    ? code - 47
    : /[a-z]/.test(String.fromCharCode(code))
      ? code - 86
      : /[A-Z]/.test(String.fromCharCode(code))
        ? code - 28
        : 0,
)
const NO_DIGIT = 16
/** The values of hexadecimal digits. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(value) ? NO_DIGIT : value
})

/** Characters of a name whose code fits into one integer. */
const SHORT = 5
const NAME_BITS = 6
/** The longest name is "CounterClockwiseContourIntegral". */
const NAME_MAX = 31
/** UTF-16 units of a reference at most. */
const DECODED_MAX = 2
/** Behind the last code point. */
const TOO_LARGE = 0x110000

/**
 * What short names stand for, by their codes, with a semicolon and without, once they were asked for: a fifth of the
 * work of the library. NONE of most.
 */
const CLOSED = new Map<number, string>()
const OPEN = new Map<number, string>()
const NONE = ''
/** There are 2,231 names; a text may have any others. */
const KNOWN_MAX = 3000

/** Characters of Windows-1252, as which such numbers are read. */
const C1_FIRST = 0x80
const C1 = Array.from({ length: 32 }, (_, n) => decodeHTML(`&#${C1_FIRST + n};`))

/**
 * Decodes one character reference after the other, as `decodeHTML` does: a text may consist of them, and a call for
 * each costs more than the reference.
 * @see https://html.spec.whatwg.org/multipage/parsing.html#character-reference-state
 */
export class References {
  /** Where the last one ends. */
  end = 0

  /** Returns the characters of the reference at an ampersand, and "&" if there is none. */
  at(html: string, from: number, to: number): string {
    const next = html.charCodeAt(from + 1)
    if (next === NUMBER_SIGN) return this.#numeric(html, from, to)
    return next <= LAST_ASCII && NAME_CODES[next] !== 0 ? this.#named(html, from, to) : this.#none(from)
  }

  #numeric(html: string, from: number, to: number): string {
    const isHexadecimal = (html.charCodeAt(from + 2) | 0x20) === LOWER_X
    const base = isHexadecimal ? 16 : 10
    const first = isHexadecimal ? from + 3 : from + 2
    let at = first
    let code = 0
    for (; at < to; at++) {
      const digit = html.charCodeAt(at)
      const value = digit > LAST_ASCII ? NO_DIGIT : DIGITS[digit]!
      if (value >= base) break
      code = Math.min(TOO_LARGE, code * base + value)
    }
    if (at <= first) return this.#none(from)
    this.end = html.charCodeAt(at) === SEMICOLON && at < to ? at + 1 : at
    if (code >= C1_FIRST && code < C1_FIRST + C1.length) return C1[code - C1_FIRST]!
    return code > 0 && code < 0xd800 ? String.fromCharCode(code) : decodeHTML(`&#${code};`)
  }

  #named(html: string, from: number, to: number): string {
    const last = Math.min(to, from + 1 + NAME_MAX)
    let at = from + 1
    let key = 0
    for (; at < last; at++) {
      const code = html.charCodeAt(at)
      const inName = code > LAST_ASCII ? 0 : NAME_CODES[code]!
      if (inName === 0) break
      if (at - from <= SHORT) key = (key << NAME_BITS) | inName
    }
    const length = at - from - 1
    if (length < 2) return this.#none(from)
    const isClosed = at < to && html.charCodeAt(at) === SEMICOLON
    this.end = isClosed ? at + 1 : at
    const names = length > SHORT ? null : isClosed ? CLOSED : OPEN
    const known = names?.get(key)
    if (known !== undefined) return known === NONE ? this.#none(from) : known
    const written = html.slice(from, this.end)
    const decoded = decodeHTML(written)
    if (decoded === written) {
      if (names !== null && names.size < KNOWN_MAX) names.set(key, NONE)
      return this.#none(from)
    }
    // "&ampere;": some names need no semicolon, and what follows them is text.
    const rest = isClosed && decoded.length <= DECODED_MAX ? 0 : decoded.length - 1
    this.end -= rest
    if (rest === 0) names?.set(key, decoded)
    return rest === 0 ? decoded : decoded.charAt(0)
  }

  #none(from: number): string {
    this.end = from + 1
    return '&'
  }
}
