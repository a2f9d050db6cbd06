/** Characters that show nothing and only break words apart: soft hyphen, zero-width, direction marks. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|\u034f/g

/** Spaces, dashes, full-width forms, and digits of other scripts: whatever has a plain ASCII look-alike. */
const LOOK_ALIKE =
  /[\r\u00a0\u0130\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\u2000-\u200a\u2010-\u2015\u2019\u202f\u205f\u2212\u3000\uff01-\uff5e]/g

/** Most text: nothing in it is to be replaced, and one look tells. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the point is to tell ASCII from the rest
const PLAIN = /^[\0-\x0c\x0e-\x7f]*$/

/** The zero of each script whose digits are taken. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50]

/**
 * The text with ASCII digits, spaces, dashes and colons, so that one rule fits every script.
 * Its lower-case form has the same length, hence positions in one are positions in the other.
 */
export function plain(text: string): string {
  if (PLAIN.test(text)) return text
  const composed = /[\u0300-\u036f]/.test(text) ? text.normalize('NFC') : text
  return composed.replace(INVISIBLE, '').replace(LOOK_ALIKE, asciiLookAlike)
}

function asciiLookAlike(char: string): string {
  const code = char.charCodeAt(0)
  if (code === 0x0d) return '' // CR LF is one line break
  if (code === 0x0130) return 'I' // the only letter that grows in lower case
  if (code === 0x2019) return "'"
  if (code >= 0xff01) return String.fromCharCode(code - 0xfee0)
  if ((code >= 0x2010 && code <= 0x2015) || code === 0x2212) return '-'
  for (const zero of ZEROS) if (code >= zero && code <= zero + 9) return String(code - zero)
  return ' '
}

const ACCENTED = /[\u00df-\u00f6\u00f8-\u024f\u1e00-\u1eff]/g

/** Latin letters that have no decomposition. */
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
}

/**
 * Lower-case text with bare Latin letters, of the same length. People and banks leave accents out ("haslo",
 * "dogrulama kodu"), so the words of a language are looked for without them.
 */
export function withoutAccents(lower: string): string {
  return lower.replace(ACCENTED, (letter) => BARE[letter] ?? letter.normalize('NFD')[0]!)
}

/** Blanks out URLs and e-mail addresses: the digits and words in them say nothing. Keeps the length. */
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
    parts.push(text.slice(done, start), ' '.repeat(end - start))
    done = end
    ADDRESS_MARK.lastIndex = end
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
