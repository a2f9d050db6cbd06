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
/** JSON writes a control character in six bytes, and half a character too. */
const CONTROL_FACTOR = 6
/** Characters that are measured at once. */
const BLOCK_CHARACTERS = 4096

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
  /** What `contents` took more for the headers than their bytes, because it did not measure them. */
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
    const most = mostBytes(headers)
    const taken = most + jsonBytes(text) + jsonBytes(html ?? '')
    if (taken <= this.#left) {
      this.#left -= taken
      this.#excess = () => most - exactBytes(headers)
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
    const bytes = jsonBytes(text)
    if (bytes <= this.#left) return text
    this.#left += this.#excess()
    if (bytes <= this.#left) return text
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

/** The most bytes that header fields may take as JSON; measuring these short texts exactly costs more. */
function mostBytes(headers: readonly Header[]): number {
  let bytes = 0
  for (const { name, value } of headers) bytes += (name.length + value.length) * CONTROL_FACTOR + HEADER_BYTES
  return bytes
}

function exactBytes(headers: readonly Header[]): number {
  let bytes = 0
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

/** What escapes add to the bytes of UTF-8: only ASCII has any. */
const ESCAPES = Uint8Array.from({ length: 256 }, (_, byte) => (byte < 0x80 ? ASCII_BYTES[byte]! - 1 : 0))
const ENCODED = Buffer.allocUnsafe(3 * BLOCK_CHARACTERS)

/**
 * Bytes of the text as JSON, without its quotes. Its UTF-8 is counted block by block, which costs a quarter of a
 * string of JSON.
 */
function jsonBytes(text: string): number {
  let bytes = 0
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = blockEnd(text, at)
    const block = text.slice(at, end)
    if (block.isWellFormed()) bytes += escapedBytes(ENCODED.write(block))
    else bytes += Buffer.byteLength(JSON.stringify(block)) - 2
  }
  return bytes
}

/** Bytes as JSON of the text whose UTF-8 is in ENCODED. Four in each step take half of the time. */
function escapedBytes(length: number): number {
  let bytes = length
  let at = 0
  for (; at < length - 3; at += 4)
    bytes +=
      ESCAPES[ENCODED[at]!]! +
      ESCAPES[ENCODED[at + 1]!]! +
      ESCAPES[ENCODED[at + 2]!]! +
      ESCAPES[ENCODED[at + 3]!]!
  for (; at < length; at++) bytes += ESCAPES[ENCODED[at]!]!
  return bytes
}
