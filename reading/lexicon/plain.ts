/**
 * Invisible characters that break words apart: soft hyphen, zero-width, direction marks; and what
 * makes a digit a key cap.
 */
const INVISIBLE =
  /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|\u034f|\u20e3|\ufe0e|\ufe0f/g

/** Spaces, dashes, and full-width forms: every character with a plain ASCII counterpart. */
const LOOK_ALIKE = /[\r\u00a0\u0130\u2000-\u200a\u2010-\u2015\u2019\u202f\u205f\u2212\u3000\uff01-\uff5e]/g

/** Digits of every script, Arabic to Adlam, and styled ones: bold, sans-serif, monospace. */
const NATIVE_DIGIT = /[\p{Nd}--[0-9]]/gv
const DIGIT = /\p{Nd}/u
/** The styled digits are five alphabets of ten in a row. */
const STYLED_ZERO = 0x1d7ce
const STYLED_END = 0x1d7ff

/**
 * Letters that may be written as one character or as two: with accents, or with the dots of Indic
 * scripts.
 */
const COMPOSABLE =
  /[\u0300-\u036f\u0653-\u0655\u093c\u0958-\u095f\u09bc\u09dc-\u09df\u0a33\u0a36\u0a3c\u0a59-\u0a5e]/

/** Most text is ASCII and needs no replacement. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the point is to tell ASCII from the rest
const PLAIN = /^[\0-\x0c\x0e-\x7f]*$/

/** What the characters of a text need to become plain, as bits; KNOWN marks a cached answer. */
const COMPOSED = 1
const REMOVED = 2
const REPLACED = 4
const CONVERTED = 8
const ALL_NEEDS = COMPOSED | REMOVED | REPLACED | CONVERTED
const KNOWN = 16

/** The cached needs of each UTF-16 unit: one look-up for each costs less than a search for each need. */
const NEEDS = new Uint8Array(0x10000)

function needsOf(text: string): number {
  let needs = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    needs |= NEEDS[code]! || look(code)
  }
  return needs
}

function look(code: number): number {
  const char = String.fromCharCode(code)
  const has = (pattern: RegExp, need: number) => (char.search(pattern) === -1 ? 0 : need)
  // Half a character may be a digit.
  const digit = char.isWellFormed() ? has(NATIVE_DIGIT, CONVERTED) : CONVERTED
  NEEDS[code] =
    KNOWN | has(COMPOSABLE, COMPOSED) | has(INVISIBLE, REMOVED) | has(LOOK_ALIKE, REPLACED) | digit
  return NEEDS[code]!
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
  let needs = needsOf(text)
  let made = text
  if ((needs & COMPOSED) !== 0) {
    made = text.normalize('NFC')
    needs = ALL_NEEDS
  }
  if ((needs & REMOVED) !== 0) made = made.replace(INVISIBLE, '')
  if ((needs & REPLACED) !== 0) made = made.replace(LOOK_ALIKE, asciiLookAlike)
  return (needs & CONVERTED) === 0 ? made : made.replace(NATIVE_DIGIT, asciiDigit)
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
  // A full-width comma or stop ends a clause, so that what follows it is another number.
  if (code === 0xff0c) return ', '
  if (code === 0xff0e) return '. '
  if (code >= 0xff01) return String.fromCharCode(code - 0xfee0)
  if ((code >= 0x2010 && code <= 0x2015) || code === 0x2212) return '-'
  return ' '
}

/** Letters with accents or with more than one form: Latin, Greek, "ё", Arabic. */
const ACCENTED =
  /[\u00df-\u00f6\u00f8-\u024f\u0386-\u03ce\u0451\u0622\u0623\u0625\u0629\u0643\u0649\u06a9\u06c0-\u06c3\u06cc\u06d2\u1e00-\u1fff]/g

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

/** The bare letter of each accented one. */
const BARE_LETTERS = new Map<string, string>()

function bare(letter: string): string {
  let found = BARE_LETTERS.get(letter)
  if (found === undefined) {
    found = BARE[letter] ?? letter.normalize('NFD')[0]!
    BARE_LETTERS.set(letter, found)
  }
  return found
}

/**
 * Lower-case text with bare letters, of the same length. People and banks leave accents out
 * ("haslo", "dogrulama kodu"), so the words of a language are looked for without them.
 */
export function withoutAccents(lower: string): string {
  return lower.replace(ACCENTED, bare)
}

/** Any text as words are compared: in lower case, with bare letters and ASCII marks. */
export function comparable(text: string): string {
  return withoutAccents(plain(text).toLowerCase())
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
  let readable = text
  for (let from = readable.indexOf(ARMOR_BEGIN); from !== -1; from = readable.indexOf(ARMOR_BEGIN, from)) {
    const to = readable.indexOf(ARMOR_END, from)
    if (readable.startsWith('PGP SIGNED', from + ARMOR_BEGIN.length)) from += ARMOR_BEGIN.length
    else if (to === -1) break
    else readable = blank(readable, from, to)
  }
  if (!readable.includes('begin ')) return readable
  UU_BEGIN.lastIndex = 0
  for (let begin = UU_BEGIN.exec(readable); begin !== null; begin = UU_BEGIN.exec(readable)) {
    let end = UU_BEGIN.lastIndex
    for (UU_LINE.lastIndex = end; UU_LINE.test(readable); UU_LINE.lastIndex = end) end = UU_LINE.lastIndex
    readable = blank(readable, begin.index, end)
    UU_BEGIN.lastIndex = end
  }
  return readable
}

function blank(text: string, from: number, to: number): string {
  return text.slice(0, from) + text.slice(from, to).replace(/[^\n]/g, ' ') + text.slice(to)
}

/**
 * Blanks out URLs and e-mail addresses: the digits and words in them say nothing. Keeps the length.
 */
export function withoutAddresses(text: string): string {
  if (!text.includes('://') && !text.includes('@') && !text.includes('www.')) return text
  const parts: string[] = []
  let done = 0
  ADDRESS_MARK.lastIndex = 0
  for (let mark = ADDRESS_MARK.exec(text); mark !== null; mark = ADDRESS_MARK.exec(text)) {
    if (mark.index < done) continue
    let start = mark.index
    while (start > done && LOCAL_PART[text.charCodeAt(start - 1)]) start--
    let end = mark.index + mark[0].length
    while (end < text.length && URL_PART[text.charCodeAt(end)]) end++
    // A password has this mark too: "kX7p@Q2m".
    const isAddress = mark[0] !== '@' || /\.|:\/\//.test(text.slice(mark.index, end))
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
  const bare = unaccented(plain(text).toLowerCase())
  return (UNEVEN.test(bare) ? bare.replace(/\s+/g, ' ') : bare).trim()
}

/** White space that is more than single spaces. */
const UNEVEN = /[^\S ]| {2}/

/**
 * Lower-case text without accents, those of Greek included, which move when a word is inflected.
 */
export function unaccented(text: string): string {
  return withoutAccents(text).replace(GREEK, (letter) => letter.normalize('NFD')[0] ?? letter)
}

const GREEK = /[\u0386-\u0390\u03aa-\u03b0\u03ca-\u03ce]/g
