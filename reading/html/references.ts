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

/** The characters of short names by their codes, once they were asked for: a fifth of the work of the library. */
const KNOWN = new Map<number, string>()

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
    return html.charCodeAt(from + 1) === NUMBER_SIGN
      ? this.#numeric(html, from, to)
      : this.#named(html, from, to)
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
    const isPlain = (code > 0 && code < 0x80) || (code >= 0xa0 && code < 0xd800)
    return isPlain ? String.fromCharCode(code) : decodeHTML(`&#${code};`)
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
    const known = isClosed && length <= SHORT ? KNOWN.get(key) : undefined
    if (known !== undefined) {
      this.end = at + 1
      return known
    }
    this.end = isClosed ? at + 1 : at
    const written = html.slice(from, this.end)
    const decoded = decodeHTML(written)
    if (decoded === written) return this.#none(from)
    // "&ampere;": some names need no semicolon, and what follows them is text.
    if (!isClosed || decoded.length > DECODED_MAX) {
      this.end -= decoded.length - 1
      return decoded.charAt(0)
    }
    if (length <= SHORT) KNOWN.set(key, decoded)
    return decoded
  }

  #none(from: number): string {
    this.end = from + 1
    return '&'
  }
}
