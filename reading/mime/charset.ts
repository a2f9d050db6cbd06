import { Buffer } from 'node:buffer'
import iconv from 'iconv-lite'
import { type Decoding, guessing, platformDecoding } from './decoding.ts'
import { chinese, japanese, korean } from './seven-bit.ts'
import { Utf7Decoder } from './utf7.ts'

/** Names that programs use for charsets that the WHATWG Encoding Standard knows by other names. */
const ALIASES: Record<string, string> = {
  utf8mb4: 'utf-8',
  cp65001: 'utf-8',
  'utf-8-mac': 'utf-8',
  cp819: 'iso-8859-1',
  ibm819: 'iso-8859-1',
  cp932: 'shift_jis',
  'x-sjis-jp': 'shift_jis',
  cp936: 'gbk',
  ms936: 'gbk',
  'windows-936': 'gbk',
  cp949: 'euc-kr',
  ms949: 'euc-kr',
  cp950: 'big5',
  ms950: 'big5',
  cp51932: 'euc-jp',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  jis: 'iso-2022-jp',
  hz: 'hz-gb-2312',
  'utf-16-be': 'utf-16be',
  'utf-16-le': 'utf-16le',
  'ucs-2': 'utf-16',
  'iso-10646-ucs-2': 'utf-16',
  unicode: 'utf-16',
  'ucs-4': 'utf-32',
  'iso-10646-ucs-4': 'utf-32',
  'mac-cyrillic': 'x-mac-cyrillic',
  maccyrillic: 'x-mac-cyrillic',
  'mac-ukrainian': 'x-mac-ukrainian',
  'x-mac-ce': 'maccenteuro',
  'x-mac-centraleurroman': 'maccenteuro',
}

/**
 * Names of ASCII say nothing about bytes above 127: programs write them without looking at the
 * text.
 */
const ASCII = /^(?:us-?)?ascii$|^ansi_x3\.4|^iso646|^iso-ir-6$|^c$|^7-?bit$|^default$/

/** Whether the name says how to read bytes above 127. */
export function isInformative(charset: string | undefined): charset is string {
  return charsetLabel(charset) !== undefined
}

/**
 * Returns the charset's name in one spelling, in lower case: "cp-1252", "win1252" and
 * "windows-1252" are one charset. undefined if the name is missing or says nothing about bytes
 * above 127.
 */
export function charsetLabel(charset: string | undefined): string | undefined {
  if (charset === undefined || charset.length > NAME_MAX) return undefined
  if (labels.has(charset)) return labels.get(charset)
  const label = normalized(charset)
  if (labels.size === LABELS_MAX) labels.clear()
  labels.set(charset, label)
  return label
}

/** The labels of names that were asked for: a header may have thousands of encoded words. */
const labels = new Map<string, string | undefined>()
const LABELS_MAX = 1000
/** No charset has a longer name. */
const NAME_MAX = 100

function normalized(charset: string): string | undefined {
  const name = charset
    .slice(0, 2 * NAME_MAX)
    .replaceAll(/^[\s"'<]+|[\s"'>;,]+$/g, '')
    .toLowerCase()
  if (name === '' || ASCII.test(name)) return undefined
  if (Object.hasOwn(ALIASES, name)) return ALIASES[name]
  return name
    .replace(/^(?:cp|win|windows|microsoft-cp|ms)[-_]?(125\d)$/, 'windows-$1')
    .replace(/^(?:iso-?)?(?:latin-?)?8859[-_](\d+)(?:[-_].*)?$/, 'iso-8859-$1')
    .replace(/^(?:x-)?_?(?:cs)?iso-?2022-?(jp|kr).*/, 'iso-2022-$1')
    .replace(/^gb_?2312.*/, 'gbk')
    .replace(/^x-mac-(?!cyrillic$|ukrainian$|roman$)/, 'mac-')
    .replace(/^(?:ks_?c_?5601|ksc5601).*/, 'euc-kr')
    .replace(/^(?:cs|ibm|cp|oem|x-cp|dos)[-_]?(?:pc|ibm|cp)?-?(4\d\d|7\d\d|8\d\d|1[01]\d\d)\w*$/, 'cp$1')
}

const UTF_7 = /^(?:x-)?(?:unicode-1-1-)?utf-?7$/
const UTF_16 = /^utf-?16$/
/**
 * Charsets that iconv-lite has and the platform lacks. The platform has Big5, but without the
 * characters of Hong Kong (HKSCS), which the Encoding Standard includes.
 */
const ICONV =
  /^(?:cp\d{3,4}|utf-?32(?:le|be)?|big5(?:-?hkscs)?|mac-?\w+|viscii|tcvn\d*|armscii-?8|georgian\w+|hp-?roman8)$/

/** Bounds what one message costs by names of charsets that do not exist: each is an exception. */
export interface CharsetBudget {
  unknownCharsetsLeft: number
}

/**
 * Returns a decoder for text in this charset. If the charset is missing, unknown or ASCII, each
 * line is read as UTF-8 or, if that is not possible, as Windows-1252 (which is also how WHATWG
 * reads us-ascii).
 */
export function decodingOf(charset: string | undefined, budget: CharsetBudget): Decoding {
  return knownDecoding(charset, budget) ?? guessing()
}

/** Charsets for which the platform has no decoder, because each exception takes as long as 500 bytes of text. */
const unknown = new Set<string>()
const UNKNOWN_MAX = 1000

/** Returns undefined if there is no decoder for the charset, or too many were unknown before. */
function knownDecoding(charset: string | undefined, budget: CharsetBudget): Decoding | undefined {
  const label = budget.unknownCharsetsLeft === 0 ? undefined : charsetLabel(charset)
  if (label === undefined || unknown.has(label)) return undefined
  if (UTF_7.test(label)) return new Utf7Decoder()
  if (UTF_16.test(label)) return utf16()
  if (label === 'iso-2022-jp') return japanese()
  if (label === 'iso-2022-kr') return korean()
  if (label === 'hz-gb-2312') return chinese()
  if (ICONV.test(label) && iconv.encodingExists(label)) return iconvDecoding(label)
  try {
    return platformDecoding(label)
  } catch {
    budget.unknownCharsetsLeft--
    if (unknown.size === UNKNOWN_MAX) unknown.clear()
    unknown.add(label)
    return undefined
  }
}

/**
 * Decoders of short texts by the names of their charsets. A header may have thousands of encoded
 * words; making a decoder costs more than using it.
 */
const shared = new Map<string, Decoding>()
const SHARED_MAX = 200
const sharedGuess = guessing()

/** Decodes a short text in one step. */
export function decodeText(bytes: Buffer, charset: string, budget: CharsetBudget): string {
  let decoding = shared.get(charset)
  if (!decoding) {
    decoding = knownDecoding(charset, budget)
    if (decoding && shared.size < SHARED_MAX) shared.set(charset, decoding)
  }
  const used = decoding ?? sharedGuess
  return used.write(bytes) + used.end()
}

function iconvDecoding(label: string): Decoding {
  let decoder = iconv.getDecoder(label)
  return {
    write: (bytes) => decoder.write(bytes),
    end() {
      const rest = decoder.end() ?? ''
      // That of UTF-32 keeps the byte order of its text.
      decoder = iconv.getDecoder(label)
      return rest
    },
  }
}

/**
 * Big-endian if its mark says so (RFC 2781, section 3.2), or if every other byte is zero as in
 * Latin text.
 */
function utf16(): Decoding {
  let held: Buffer = Buffer.alloc(0)
  let inner: Decoding | undefined
  function begin(): Decoding {
    const isMarkedBig = held[0] === 0xfe && held[1] === 0xff
    const looksBig = held[0] === 0 && held[1] !== 0
    return platformDecoding(isMarkedBig || looksBig ? 'utf-16be' : 'utf-16le')
  }
  return {
    write(bytes) {
      if (inner !== undefined) return inner.write(bytes)
      held = Buffer.concat([held, bytes])
      if (held.length < 2) return ''
      inner = begin()
      return inner.write(held)
    },
    end() {
      const rest = inner === undefined ? held : Buffer.alloc(0)
      const last = inner ?? begin()
      held = Buffer.alloc(0)
      inner = undefined
      return last.write(rest) + last.end()
    },
  }
}
