import { Buffer } from 'node:buffer'
import { Base64 } from './base64.ts'
import { type CharsetBudget, charsetLabel, decodeText } from './charset.ts'
import { guessEach, isMostlyValid } from './decoding.ts'

/** Longer than any name of a charset, with a language behind it (RFC 2231, section 5). */
const LABEL = /([^?\s*]{1,60})(?:\*[^?\s]{0,60})?\?([bq])\?/iy

/** The state of decoding, shared by all headers of one message. */
export interface HeaderContext extends CharsetBudget {
  /** The charset of the first text part that names one. */
  bodyCharset: string | undefined
  /** How many more encoded words are decoded; each costs as much as a hundred bytes of text. */
  wordsLeft: number
}

const ESCAPE = '\x1b'
const OPENING_BRACKET = '('

/** Adjacent words of one charset, one character per byte. */
interface Pending {
  charset: string
  bytes: string
}

/** Bytes of a short text: a buffer for each of them costs more than decoding it. */
const scratch = Buffer.allocUnsafe(4096)

/**
 * Returns the text with its encoded words decoded (RFC 2047), in time linear in its length.
 * Adjacent words of one charset are decoded together, because programs split them inside a
 * character. Words are decoded inside quotes and within other text, and with blanks and bytes above
 * ASCII in them, as Outlook and Gmail do.
 * @param raw one character per byte, unfolded
 */
export function decodeWords(raw: string, context: HeaderContext): string {
  if (!raw.includes('=?')) return decodeBytes(raw, context)
  const out: string[] = []
  let pending: Pending | undefined
  let done = 0
  /** Where the next word ends. */
  let end = 0
  for (let at = raw.indexOf('=?'); at !== -1; at = raw.indexOf('=?', at)) {
    const label = labelAt(raw, at + 2)
    if (label === undefined) {
      at += 2
      continue
    }
    const { charset, encoding, from } = label
    if (end < from) end = raw.indexOf('?=', from)
    if (end === -1 || context.wordsLeft === 0) break
    context.wordsLeft--
    const inner = raw.indexOf('=?', from)
    if (inner !== -1 && inner < end - 1) {
      at = inner
      continue
    }
    const between = raw.slice(done, at)
    // Blanks between two encoded words are not part of the text (section 6.2).
    const isAdjacent = done > 0 && /^[ \t]*$/.test(between)
    const bytes = bytesOfWord(raw.slice(from, end), encoding)
    if (!isAdjacent || pending?.charset !== charset || !continues(bytes, charset)) {
      out.push(decodePending(pending, context))
      pending = undefined
    }
    if (!isAdjacent) out.push(decodeBytes(between, context))
    pending ??= { charset, bytes: '' }
    pending.bytes += bytes
    done = end + 2
    at = done
  }
  out.push(decodePending(pending, context), decodeBytes(raw.slice(done), context))
  return out.join('')
}

/**
 * Returns the charset and encoding of a word, and where its text begins; undefined if there is no
 * word.
 */
function labelAt(raw: string, at: number): { charset: string; encoding: string; from: number } | undefined {
  LABEL.lastIndex = at
  const label = LABEL.exec(raw)
  if (label === null) return undefined
  const [, charset = '', encoding = ''] = label
  return { charset: charset.toLowerCase(), encoding, from: LABEL.lastIndex }
}

/**
 * Whether a word is decoded together with the one before it. Words in ISO-2022 begin and end in
 * ASCII (RFC 1468), so no character spans two of them; a word whose first switch leads back to ASCII
 * is a piece of one that a program has split.
 */
function continues(bytes: string, charset: string): boolean {
  return !charset.startsWith('iso-2022') || bytes[bytes.indexOf(ESCAPE) + 1] === OPENING_BRACKET
}

function decodePending(pending: Pending | undefined, context: HeaderContext): string {
  if (pending === undefined) return ''
  const { bytes, charset } = pending
  // The platform's decoder leaves out a byte order mark.
  const isUtf8 = charset === 'utf-8' && !bytes.startsWith('\xef')
  return (isUtf8 ? validUtf8(bytes) : undefined) ?? decodeText(Buffer.from(bytes, 'latin1'), charset, context)
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** The bytes of an encoded word, one character per byte. */
function bytesOfWord(text: string, encoding: string): string {
  if (encoding === 'q' || encoding === 'Q') return unescapeHex(text.replaceAll('_', ' '), '=')
  if (text.length <= scratch.length && BASE64.test(text))
    return scratch.toString('latin1', 0, scratch.write(text, 'base64'))
  const decoder = new Base64()
  const bytes = decoder.write(Buffer.from(text, 'latin1'))
  return bytes.toString('latin1') + decoder.end().toString('latin1')
}

/** Replaces each mark with two hexadecimal digits behind it by the character of that code. */
export function unescapeHex(text: string, mark: '=' | '%'): string {
  let out = ''
  let done = 0
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at)) {
    const code = hexValue(text.charCodeAt(at + 1)) * 16 + hexValue(text.charCodeAt(at + 2))
    at++
    if (Number.isNaN(code)) continue
    out += text.slice(done, at - 1) + String.fromCharCode(code)
    at += 2
    done = at
  }
  return out + text.slice(done)
}

/** Returns the value of a hexadecimal digit; NaN for another character or the end. */
function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 0x20
  return letter >= 97 && letter <= 102 ? letter - 87 : Number.NaN
}

/** Most fields; an address field may have hundreds of empty ones. */
const ASCII_ONLY = /^[\0-\x7f]*$/

/**
 * Decodes bytes of a header that no encoded word covers: as UTF-8 if most of them are, and then
 * words that are not valid UTF-8 as Windows-1252, so that a wrong byte spoils one word and not the
 * field. Otherwise the field is in the charset of the message's first text part, as Thunderbird
 * assumes, or in Windows-1252.
 * @param raw one character per byte
 */
export function decodeBytes(raw: string, context: HeaderContext): string {
  if (ASCII_ONLY.test(raw)) return raw
  const valid = validUtf8(raw)
  if (valid !== undefined) return valid
  const bytes = Buffer.from(raw, 'latin1')
  const text = bytes.toString()
  if (isMostlyValid(text)) return guessEach(bytes, text, ' ')
  const label = charsetLabel(context.bodyCharset)
  return label === undefined || label === 'utf-8'
    ? guessEach(bytes, text, ' ')
    : decodeText(bytes, label, context)
}

/** Decodes bytes, one character each, as UTF-8; undefined if they are not valid. */
function validUtf8(raw: string): string | undefined {
  const isShort = raw.length <= scratch.length
  const text = isShort
    ? scratch.toString('utf8', 0, scratch.write(raw, 'latin1'))
    : Buffer.from(raw, 'latin1').toString()
  return text.includes('\ufffd') ? undefined : text
}
