import { textOfUnits, UnitTable, unitsFor } from '../units.ts'

/**
 * Invisible characters that break words apart: soft hyphen, zero-width, direction marks; the vowel signs of Arabic,
 * which are seldom written, and its bar that makes words longer; and what makes a digit a key cap.
 */
const INVISIBLE =
  /[\u0640\u064b-\u0652\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|\u034f|\u20e3|\ufe0e|\ufe0f/

/** Spaces, dashes, and full-width forms: every character with a plain ASCII counterpart. */
const LOOK_ALIKE =
  /[\r\u00a0\u0130\u055d\u2000-\u200a\u2010-\u2015\u2019\u202f\u205f\u2212\u3000\uff01-\uff5e]/

/** Digits of every script, Arabic to Adlam, and styled ones: bold, sans-serif, monospace. */
const NATIVE_DIGIT = /[\p{Nd}--[0-9]]/v
const DIGIT = /\p{Nd}/u
/** The styled digits are five alphabets of ten in a row. */
const STYLED_ZERO = 0x1d7ce
const STYLED_END = 0x1d7ff

/** It is invisible, and may be joined too. */
const JOINER = 0x034f

/**
 * Letters that may be written as one character or as two: with accents, or with the dots of Indic
 * scripts.
 */
const COMPOSABLE =
  /[\u0300-\u036f\u0653-\u0655\u093c\u0958-\u095f\u09bc\u09dc-\u09df\u0a33\u0a36\u0a3c\u0a59-\u0a5e]/

/** Most text is ASCII and needs no replacement. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the point is to tell ASCII from the rest
const PLAIN = /^[\0-\x0c\x0e-\x7f]*$/

/** What becomes of a unit of a text, where that is no other unit: no text has these as characters. */
const REMOVED = 0xfdd0
/** It may be joined to the letter before it. */
const COMPOSED = 0xfdd1
/** It becomes two units, or is half a character. */
const OTHER = 0xfdd2
const NO_CHARACTERS = 0xfdef

/** What becomes of each UTF-16 unit, once it was asked for: one look-up costs less than a search for each kind. */
const PLAIN_UNITS = new Uint16Array(0x10000)

function look(code: number): number {
  PLAIN_UNITS[code] = unitOf(code)
  return PLAIN_UNITS[code]!
}

function unitOf(code: number): number {
  const char = String.fromCharCode(code)
  if (!char.isWellFormed() || (code >= REMOVED && code <= NO_CHARACTERS)) return OTHER
  if (COMPOSABLE.test(char)) return COMPOSED
  if (INVISIBLE.test(char)) return REMOVED
  const made = plainCharacter(char)
  if (made === '') return REMOVED
  return made.length === 1 ? made.charCodeAt(0) : OTHER
}

/** A visible character as plain text. */
function plainCharacter(char: string): string {
  if (LOOK_ALIKE.test(char)) return asciiLookAlike(char)
  return NATIVE_DIGIT.test(char) ? asciiDigit(char) : char
}

/** Whether a text is ASCII without CR, so that neither `plain` nor `withoutAccents` changes it. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text)
}

/**
 * The text with ASCII digits, spaces, dashes and colons, so that one rule fits every script.
 * Its lower-case form has the same length, hence positions in one are positions in the other.
 */
export function plain(text: string): string {
  if (isPlain(text)) return text
  return plainUnits(text, false) ?? plainUnits(text.normalize('NFC'), true)!
}

/** @returns null if the text has to be composed first, and is not. */
function plainUnits(text: string, isComposed: boolean): string | null {
  const made = unitsFor(2 * text.length)
  let length = 0
  let allBits = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    let unit = PLAIN_UNITS[code]! || look(code)
    if (unit === REMOVED || (unit === COMPOSED && code === JOINER && isComposed)) continue
    if (unit === COMPOSED) {
      if (!isComposed) return null
      unit = code
    } else if (unit === OTHER) {
      const char = String.fromCodePoint(text.codePointAt(at)!)
      const shown = plainCharacter(char)
      at += char.length - 1
      for (let n = 0; n < shown.length - 1; n++) made[length++] = shown.charCodeAt(n)
      unit = shown.charCodeAt(shown.length - 1)
      allBits |= code
    }
    made[length++] = unit
    allBits |= unit
  }
  return textOfUnits(made, length, allBits)
}

/** In Unicode the ten digits of a script begin at a multiple of 16, or 6 behind one. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  if (code >= STYLED_ZERO && code <= STYLED_END) return String((code - STYLED_ZERO) % 10)
  const row = code & ~0xf
  return String((code - (DIGIT.test(String.fromCodePoint(row)) ? row : row + 6)) % 10)
}

function asciiLookAlike(char: string): string {
  const code = char.charCodeAt(0)
  if (code === 0x0d) return '' // CR LF is one line break
  if (code === 0x0130) return 'I' // the only letter that grows in lower case
  if (code === 0x2019) return "'"
  if (code === 0x055d) return ':' // Armenian, before a value
  // A full-width comma or stop ends a clause, so that what follows it is another number.
  if (code === 0xff0c) return ', '
  if (code === 0xff0e) return '. '
  if (code >= 0xff01) return String.fromCharCode(code - 0xfee0)
  if ((code >= 0x2010 && code <= 0x2015) || code === 0x2212) return '-'
  return ' '
}

/** Letters with accents or with more than one form: Latin, Greek, "ё", Arabic. */
const ACCENTED =
  /[\u00df-\u00f6\u00f8-\u024f\u0386-\u03ce\u0451\u0622\u0623\u0625\u0629\u0643\u0649\u06a9\u06c0-\u06c3\u06cc\u06d2\u1e00-\u1fff]/

/** Letters without a decomposition, and letters that are used for one another. */
const BARE: Record<string, string> = {
  ß: 's',
  æ: 'a',
  ø: 'o',
  œ: 'o',
  đ: 'd',
  ð: 'd',
  þ: 't',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ς: 'σ',
  ة: 'ه',
  ک: 'ك',
  ى: 'ي',
  ی: 'ي',
}

function bare(letter: string): string {
  return ACCENTED.test(letter) ? (BARE[letter] ?? letter.normalize('NFD')[0]!) : letter
}

const BARE_LETTERS = new UnitTable(bare)

/**
 * Lower-case text with bare letters, of the same length. People and banks leave accents out
 * ("haslo", "dogrulama kodu"), so the words of a language are looked for without them. In Greek they move when a
 * word is inflected.
 */
export function withoutAccents(lower: string): string {
  return BARE_LETTERS.apply(lower)
}

/** Any text as words are compared: in lower case, with bare letters and ASCII marks. */
export function comparable(text: string): string {
  return isPlain(text) ? text.toLowerCase() : withoutAccents(plain(text).toLowerCase())
}

const UU_BEGIN = /^begin [0-7]{3,4} [^\n]+\n/gm
const UU_LINE = /[\x20-\x60]{1,62}\n/y
const ARMOR_BEGIN = '-----BEGIN '
const ARMOR_END = '-----END '

/**
 * Blanks out parts that are not for readers: signatures and keys in ASCII armor, uuencoded files.
 * Keeps the length.
 */
export function withoutEncodings(text: string): string {
  const readable = text.includes(ARMOR_BEGIN) ? withoutArmor(text) : text
  return readable.includes('begin ') ? withoutFiles(readable) : readable
}

function withoutArmor(text: string): string {
  const parts: string[] = []
  let done = 0
  let end = 0
  for (let from = text.indexOf(ARMOR_BEGIN); from !== -1; from = text.indexOf(ARMOR_BEGIN, end)) {
    if (text.startsWith('PGP SIGNED', from + ARMOR_BEGIN.length)) {
      end = from + ARMOR_BEGIN.length
      continue
    }
    end = text.indexOf(ARMOR_END, from)
    if (end === -1) break
    parts.push(text.slice(done, from), blank(text, from, end))
    done = end
  }
  return parts.join('') + text.slice(done)
}

function withoutFiles(text: string): string {
  const parts: string[] = []
  let done = 0
  UU_BEGIN.lastIndex = 0
  for (let begin = UU_BEGIN.exec(text); begin !== null; begin = UU_BEGIN.exec(text)) {
    let end = UU_BEGIN.lastIndex
    for (UU_LINE.lastIndex = end; UU_LINE.test(text); UU_LINE.lastIndex = end) end = UU_LINE.lastIndex
    parts.push(text.slice(done, begin.index), blank(text, begin.index, end))
    done = end
    UU_BEGIN.lastIndex = end
  }
  return parts.join('') + text.slice(done)
}

/** A part of a text as blanks; line breaks stay. */
function blank(text: string, from: number, to: number): string {
  return text.slice(from, to).replace(/[^\n]+/g, (line) => ' '.repeat(line.length))
}

/**
 * Blanks out URLs and e-mail addresses: the digits and words in them say nothing. Keeps the length.
 */
export function withoutAddresses(text: string): string {
  if (!text.includes('://') && !text.includes('@') && !text.includes('www.')) return text
  const parts: string[] = []
  let done = 0
  for (let mark = ADDRESS_MARK.exec(text); mark !== null; mark = ADDRESS_MARK.exec(text)) {
    let start = mark.index
    while (start > done && LOCAL_PART[text.charCodeAt(start - 1)]) start--
    let end = mark.index + mark[0].length
    while (end < text.length && URL_PART[text.charCodeAt(end)]) end++
    // A password has this mark too: "kX7p@Q2m.".
    const isAddress = mark[0] !== '@' || /\.[\w-]|:\/\//.test(text.slice(mark.index, end))
    ADDRESS_MARK.lastIndex = end
    if (!isAddress) continue
    parts.push(text.slice(done, start), ' '.repeat(end - start))
    done = end
  }
  return parts.join('') + text.slice(done)
}

const ADDRESS_MARK = /:\/\/|@|www\./g
const LOCAL_PART = ascii(/[\w.+%-]/)
const URL_PART = ascii(/[\w.+%\-~:/?#@!$&'*,;=|]/)

/** A character class as a table: far quicker than a regular expression when walked by character. */
function ascii(pattern: RegExp): boolean[] {
  return Array.from({ length: 128 }, (_, code) => pattern.test(String.fromCharCode(code)))
}

/** Text as link words are matched against it: lower case, no accents, single spaces. */
export function fold(text: string): string {
  const bare = comparable(text)
  return (UNEVEN.test(bare) ? bare.replace(/\s+/g, ' ') : bare).trim()
}

/** White space that is more than single spaces. */
const UNEVEN = /[^\S ]| {2}/
