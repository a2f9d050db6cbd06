import { Buffer } from 'node:buffer'
import type { ReadingLimits } from './limits.ts'
import type { Attachment } from './message.ts'
import type { Header } from './mime/headers.ts'

/**
 * The bytes of one attachment's description in JSON, without the names, which the message contains
 * too.
 */
const ATTACHMENT_BYTES = 256
/** The bytes of one header field in JSON, without its name and value. */
const HEADER_BYTES = 24
/**
 * JSON writes a control character in six bytes, and any other character in at most twice its bytes
 * of UTF-8.
 */
const CONTROL_FACTOR = 6
const ESCAPE_FACTOR = 2
/** Of a text that may not fit. */
const BLOCK_CHARACTERS = 4096
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON writes these in six bytes
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f]/

interface Contents {
  headers: Header[]
  text: string
  html: string | null
}

/**
 * Bounds what is stored beside the raw message, in bytes of JSON and of attachments, by the size of
 * the message. Otherwise text would grow threefold in UTF-8 and sixfold in JSON, and a sender could
 * fill the disk with few bytes.
 */
export class Allowance {
  /** Says that something was left out. */
  fault: string | undefined
  #left: number
  readonly #reserve: number
  /** What `contents` took more than its bytes, because it did not measure them. */
  #excess = () => 0

  /** @param size bytes of the raw message */
  constructor(
    { derivedBytes, derivedFactor }: ReadingLimits,
    size: number,
    attachments: readonly Attachment[],
  ) {
    this.#reserve = derivedBytes / 6
    // Thousands of empty attachments must not leave a message without its text.
    const least = derivedBytes / 3
    const attached = attachments.reduce((sum, attachment) => sum + attachment.size + ATTACHMENT_BYTES, 0)
    this.#left = Math.max(least, derivedBytes + derivedFactor * size - attached)
  }

  /** Returns the contents of the message, cut where they no longer fit. */
  contents({ headers, text, html }: Contents): Contents {
    const htmlBytes = Buffer.byteLength(html ?? '')
    const most = mostBytes(headers, text) + mostTextBytes(html ?? '', htmlBytes)
    if (most <= this.#left) {
      this.#left -= most
      this.#excess = () => most - exactBytes(headers, text) - escapedBytes(html ?? '', htmlBytes)
      return { headers, text, html }
    }
    const kept = { headers: this.#headers(headers), text: this.#body(text) }
    // Without a text part, the beginning of the HTML is converted to text, which needs room too.
    const reserved = text.trim() === '' ? Math.min(this.#left, this.#reserve) : 0
    this.#left -= reserved
    const cutHtml = html && this.#body(html)
    this.#left += reserved
    return { ...kept, html: cutHtml }
  }

  /**
   * Returns the beginning that fits of a text that the message itself does not contain. To be
   * called last.
   */
  generated(text: string): string {
    const bytes = Buffer.byteLength(text)
    if (mostTextBytes(text, bytes) <= this.#left) return text
    const escaped = escapedBytes(text, bytes)
    if (escaped <= this.#left) return text
    this.#left += this.#excess()
    if (escaped <= this.#left) return text
    const fitting = this.#fitting(text)
    if (fitting.length < text.length)
      this.fault ??=
        'The text that is made of the HTML is cut, because with the HTML it is much larger than the message.'
    return fitting
  }

  /** Returns the beginning that fits, and takes its bytes off what is left. */
  #fitting(text: string): string {
    let bytes = 0
    let at = 0
    // Most blocks fit as a whole, and are measured faster than their characters.
    for (let end = blockEnd(text, 0); end > at; end = blockEnd(text, end)) {
      const more = jsonBytes(text.slice(at, end))
      if (bytes + more > this.#left) break
      bytes += more
      at = end
    }
    while (at < text.length) {
      const code = text.charCodeAt(at)
      const length = code >= 0xd800 && isPair(text, at) ? 2 : 1
      const more = length === 2 ? 4 : bytesOf(code)
      if (bytes + more > this.#left) break
      bytes += more
      at += length
    }
    this.#left -= bytes
    return text.slice(0, at)
  }

  #headers(headers: Header[]): Header[] {
    let kept = 0
    for (const { name, value } of headers) {
      const bytes = jsonBytes(name) + jsonBytes(value) + HEADER_BYTES
      if (bytes > this.#left) break
      this.#left -= bytes
      kept++
    }
    if (kept === headers.length) return headers
    this.fault ??= 'The header is cut, because decoded it is much larger than the message.'
    return headers.slice(0, kept)
  }

  #body(text: string): string {
    const fitting = this.#fitting(text)
    if (fitting.length < text.length)
      this.fault ??= 'The text is cut, because decoded it is much larger than the message.'
    return fitting
  }
}

/** The most bytes that these may take as JSON; measuring them exactly costs more. */
function mostBytes(headers: readonly Header[], text: string): number {
  let bytes = mostTextBytes(text, Buffer.byteLength(text))
  for (const { name, value } of headers) bytes += (name.length + value.length) * CONTROL_FACTOR + HEADER_BYTES
  return bytes
}

/** As `mostBytes`. One control character must not make a text look three times as large, so such a text is measured. */
function mostTextBytes(text: string, bytes: number): number {
  return CONTROL.test(text) ? escapedBytes(text, bytes) : bytes * ESCAPE_FACTOR
}

function exactBytes(headers: readonly Header[], text: string): number {
  let bytes = jsonBytes(text)
  for (const { name, value } of headers) bytes += jsonBytes(name) + jsonBytes(value) + HEADER_BYTES
  return bytes
}

/** Where a block of a text ends that begins at a place: not within a character. */
function blockEnd(text: string, from: number): number {
  const end = Math.min(text.length, from + BLOCK_CHARACTERS)
  return isPair(text, end - 1) ? end - 1 : end
}

/** Whether two code units at a place are one character. */
function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
}

const ASCII_BYTES = Uint8Array.from(
  { length: 128 },
  (_, code) => JSON.stringify(String.fromCharCode(code)).length - 2,
)

/** Bytes of a code unit in JSON. One that is half a character is written as an escape. */
function bytesOf(code: number): number {
  if (code < 0x80) return ASCII_BYTES[code]!
  if (code < 0x800) return 2
  return (code & 0xf800) === 0xd800 ? CONTROL_FACTOR : 3
}

/** As `jsonBytes`, of a text whose bytes are known: escapes are ASCII. Half a character counts too much. */
function escapedBytes(text: string, bytes: number): number {
  return bytes + JSON.stringify(text).length - 2 - text.length
}

/** Bytes of the text as JSON, without its quotes. */
function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2
}
