import { SendError } from './send-error.ts'

/**
 * The most values of a JSON body: lists and objects, texts, and all values together. A body of
 * 54 MB could otherwise become a gigabyte of objects. 8 million values are an attachment of 8 MB as
 * a list of numbers.
 */
const LISTS_MAX = 500_000
const TEXTS_MAX = 1_000_000
const VALUES_MAX = 8_000_000
/** A smaller body cannot exceed them by much. */
const SMALL_BYTES = 1024 * 1024
/** Fields of a form. */
const FIELDS_MAX = 10_000

const [QUOTE, BACKSLASH, COMMA, BRACE, BRACKET] = ['"', '\\', ',', '{', '['].map((c) => c.charCodeAt(0))

/** @throws SendError `too_large` if the body has too many values to parse it */
export function checkJsonSize(body: Uint8Array): void {
  if (body.length <= SMALL_BYTES) return
  let lists = 0
  let texts = 0
  let values = 0
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]
    if (byte === QUOTE) {
      texts++
      i = endOfText(body, i + 1)
    } else if (byte === COMMA) values++
    else if (byte === BRACE || byte === BRACKET) lists++
  }
  if (lists > LISTS_MAX || texts > TEXTS_MAX || values > VALUES_MAX) {
    throw new SendError('too_large', 'The request body has too many values.')
  }
}

/** The position of the quote that ends a text. */
function endOfText(body: Uint8Array, from: number): number {
  let at = from
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1
  return at
}

/**
 * @param separator what is between two fields
 * @throws SendError `too_large` if the body has too many fields to parse it
 */
export function checkFormSize(body: Uint8Array, separator: string): void {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  let fields = 0
  for (let at = bytes.indexOf(separator); at !== -1; at = bytes.indexOf(separator, at + 1)) {
    if (++fields > FIELDS_MAX) throw new SendError('too_large', 'The request has too many parameters.')
  }
}
