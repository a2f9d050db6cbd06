import { Buffer, isUtf8 } from 'node:buffer'
import type { Decoding } from './decoding.ts'
import { decodeWindows1252 } from './windows-1252.ts'

/** A line that is longer is judged in pieces of this size. */
const PIECE_BYTES = 64 * 1024
const LF = 10
const REPLACEMENT = '\ufffd'
/** The UTF-8 bytes of the replacement character itself, one character per byte. */
const REPLACEMENT_BYTES = '\xef\xbf\xbd'

/**
 * Decodes text whose charset is unknown: each line is UTF-8 if its bytes are valid UTF-8, otherwise Windows-1252.
 * One wrong byte therefore spoils one line and not the whole text.
 */
export function guessing(): Decoding {
  let held: Buffer = Buffer.alloc(0)
  let hasBegun = false
  function decode(bytes: Buffer): string {
    const from = hasBegun ? 0 : byteOrderMark(bytes)
    hasBegun ||= bytes.length > 0
    return guessLines(bytes.subarray(from))
  }
  return {
    write(bytes) {
      const all = held.length === 0 ? bytes : Buffer.concat([held, bytes])
      let end = all.lastIndexOf(LF) + 1
      while (all.length - end >= PIECE_BYTES) end += pieceAt(all, end)
      held = Buffer.from(all.subarray(end))
      return decode(all.subarray(0, end))
    },
    end() {
      const rest = decode(held)
      held = Buffer.alloc(0)
      hasBegun = false
      return rest
    },
  }
}

function guessLines(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  return guessEach(bytes.toString('latin1'), bytes.toString(), '\n')
}

/**
 * Decodes each piece of a text between separators as UTF-8, or as Windows-1252 if it is not valid UTF-8.
 * @param raw one character per byte
 * @param text the same bytes decoded as UTF-8, with replacement characters where they are not valid
 * @param separator an ASCII character
 */
export function guessEach(raw: string, text: string, separator: string): string {
  const asUtf8 = text.split(separator)
  // A Windows-1252 text has as many characters as bytes, so its pieces are those of the bytes.
  const asWindows = decodeWindows1252(raw).split(separator)
  const pieces = raw.includes(REPLACEMENT_BYTES) ? raw.split(separator) : asWindows
  for (const [n, piece] of asUtf8.entries()) {
    const bytes = pieces[n] ?? ''
    if (bytes.length > PIECE_BYTES) asUtf8[n] = guessLongLine(raw.split(separator)[n] ?? '')
    else if (piece.includes(REPLACEMENT) && !isValid(bytes)) asUtf8[n] = asWindows[n] ?? ''
  }
  return asUtf8.join(separator)
}

/** Whether a piece whose UTF-8 contains a replacement character is valid: the character itself may be in it. */
function isValid(piece: string): boolean {
  return piece.includes(REPLACEMENT_BYTES) && isUtf8(Buffer.from(piece, 'latin1'))
}

function guessLongLine(raw: string): string {
  const bytes = Buffer.from(raw, 'latin1')
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const piece = bytes.subarray(at, at + pieceAt(bytes, at))
    pieces.push(isUtf8(piece) ? piece.toString() : decodeWindows1252(piece.toString('latin1')))
    at += piece.length
  }
  return pieces.join('')
}

/** The length of the piece that begins at a position of a long line; it does not end inside a character. */
function pieceAt(bytes: Buffer, at: number): number {
  const piece = bytes.subarray(at, at + PIECE_BYTES)
  return piece.length < PIECE_BYTES ? piece.length : piece.length - unfinished(piece)
}

function byteOrderMark(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

/** How many bytes at the end are the beginning of a longer UTF-8 sequence. */
function unfinished(bytes: Buffer): number {
  for (let n = 1; n <= Math.min(3, bytes.length); n++) {
    const byte = bytes[bytes.length - n] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return byte >= 0xc0 && n < length ? n : 0
  }
  return 0
}
