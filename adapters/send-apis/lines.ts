import { encodeWord } from 'nodemailer/lib/mime-funcs'
import { SendError } from './send-error.ts'

/** Bytes of a line without its CRLF (RFC 5322, section 2.1.1). */
const LINE_BYTES = 998
/** A longer word is encoded, because a line is folded at blanks only. The rest is room for the field's name. */
const WORD_CHARACTERS = 800
const ENCODED_WORD_LENGTH = 75
/** Fields whose values are addresses, ids, a date or parameters, in which encoded words are not text. */
const STRUCTURED = new Set([
  'content-disposition',
  'content-id',
  'date',
  'in-reply-to',
  'message-id',
  'otp-token',
  'references',
  'reply-to',
  'sender',
])

/** A value of Nodemailer: text that it encodes and folds, or encoded words that it only folds. */
type HeaderValue = string | { prepared: true; foldLines: true; value: string }

/**
 * The value of a header field, as encoded words (RFC 2047) if no blank is near enough to fold its
 * lines. A reader decodes them to the same value.
 */
export function foldable(name: string, value: string): HeaderValue {
  const isFoldable = value.split(/\s/).every((word) => word.length <= WORD_CHARACTERS)
  if (isFoldable || STRUCTURED.has(name.toLowerCase())) return value
  return { prepared: true, foldLines: true, value: encodeWord(value, 'B', ENCODED_WORD_LENGTH) }
}

/** Whether the content has a line that no message may have. */
export function hasLongLine(content: Uint8Array): boolean {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  for (let start = 0; bytes.length - start > LINE_BYTES; ) {
    const end = bytes.indexOf(10, start)
    if ((end === -1 ? bytes.length : end - 1) - start > LINE_BYTES) return true
    if (end === -1) return false
    start = end + 1
  }
  return false
}

/**
 * Refuses a composed message with a line that is too long: that of a name, an address, an id or a
 * type, because all other lines are folded or encoded.
 * @throws SendError `invalid`
 */
export function checkLines(message: Uint8Array): void {
  if (!hasLongLine(message)) return
  throw new SendError(
    'invalid',
    `A name, address, id or content type is longer than a line of a message (${LINE_BYTES} bytes).`,
  )
}
