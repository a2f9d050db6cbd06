import { Buffer, isUtf8 } from 'node:buffer'

/**
 * Decodes the bytes of a text into characters, chunk by chunk. After `end` it can decode another
 * text.
 */
export interface Decoding {
  write(bytes: Buffer): string
  end(): string
}

/** Decoders of the platform that decode no text now, by charset: making one takes as long as decoding a kilobyte. */
const idle = new Map<string, TextDecoder>()

/**
 * Returns a decoding by the platform.
 * @throws RangeError if the platform does not know the charset
 */
export function platformDecoding(charset: string): Decoding {
  let decoder: TextDecoder | undefined = take(charset)
  return {
    write(bytes) {
      decoder ??= take(charset)
      return decoder.decode(bytes, { stream: true })
    },
    end() {
      if (decoder === undefined) return ''
      const rest = decoder.decode()
      idle.set(charset, decoder)
      decoder = undefined
      return rest
    },
  }
}

function take(charset: string): TextDecoder {
  const decoder = idle.get(charset) ?? new TextDecoder(charset)
  idle.delete(charset)
  return decoder
}

/** A line that is longer is judged in pieces of this size. */
const PIECE_BYTES = 64 * 1024
const LF = 10
const REPLACEMENT = '\ufffd'
const REPLACEMENT_CODE = 0xfffd
/** The UTF-8 bytes of the replacement character itself. */
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT)
const windows = new TextDecoder('windows-1252')
/** Where Windows-1252 differs from Latin-1, which is decoded in a fraction of the time. */
const OWN_OF_WINDOWS = /[\x80-\x9f]/

function inWindows1252(bytes: Buffer): string {
  const text = bytes.toString('latin1')
  return OWN_OF_WINDOWS.test(text) ? windows.decode(bytes) : text
}

/**
 * Decodes text whose charset is unknown: each line is UTF-8 if its bytes, or most of them, are valid
 * UTF-8, otherwise Windows-1252. One wrong byte therefore spoils one line and not the whole text.
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
      return end === 0 ? '' : decode(all.subarray(0, end))
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
  return isUtf8(bytes) ? bytes.toString() : guessEach(bytes, bytes.toString(), '\n')
}

/**
 * Whether a text that was decoded as UTF-8 has at least three valid characters above ASCII for each
 * replaced one: a program has cut it inside a character.
 */
export function isMostlyValid(text: string, from = 0, end = text.length): boolean {
  let valid = 0
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === REPLACEMENT_CODE) valid -= 3
    else if (code > 0x7f) valid++
  }
  return valid >= 0
}

/**
 * Decodes each piece of a text between separators as UTF-8, or as Windows-1252 if most of it is not
 * valid UTF-8.
 * @param text the bytes decoded as UTF-8, with replacement characters where they are not valid
 * @param separator an ASCII character
 */
export function guessEach(bytes: Buffer, text: string, separator: string): string {
  // In Windows-1252 each byte is one character, so positions in it are those of the bytes.
  const inWindows = inWindows1252(bytes)
  const hasOwn = bytes.includes(REPLACEMENT_BYTES)
  let decoded = ''
  /** Where the pieces begin that are not in `decoded` yet, and whether they are valid UTF-8. */
  let pending = { text: 0, bytes: 0, isValid: true }
  const flush = (textEnd: number, bytesEnd: number) => {
    decoded += pending.isValid ? text.slice(pending.text, textEnd) : inWindows.slice(pending.bytes, bytesEnd)
  }
  let replaced = text.indexOf(REPLACEMENT)
  for (let at = 0, byte = 0; at <= text.length; ) {
    const end = endOf(text, separator, at)
    const bytesEnd = endOf(inWindows, separator, byte)
    while (replaced !== -1 && replaced < at) replaced = text.indexOf(REPLACEMENT, at)
    const isLong = bytesEnd - byte > PIECE_BYTES
    // The replacement character itself may be in the message.
    const isValid =
      replaced === -1 ||
      replaced >= end ||
      (hasOwn && !isLong && isUtf8(bytes.subarray(byte, bytesEnd))) ||
      (!isLong && isMostlyValid(text, at, end))
    if (isLong || isValid !== pending.isValid) {
      flush(at, byte)
      pending = { text: at, bytes: byte, isValid }
    }
    if (isLong && !isValid) {
      decoded += guessLongLine(bytes.subarray(byte, bytesEnd))
      pending = { text: end, bytes: bytesEnd, isValid: true }
    }
    at = end + 1
    byte = bytesEnd + 1
  }
  flush(text.length, bytes.length)
  return decoded
}

function endOf(text: string, separator: string, from: number): number {
  const found = text.indexOf(separator, from)
  return found === -1 ? text.length : found
}

function guessLongLine(bytes: Buffer): string {
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const piece = bytes.subarray(at, at + pieceAt(bytes, at))
    const text = piece.toString()
    pieces.push(isUtf8(piece) || isMostlyValid(text) ? text : inWindows1252(piece))
    at += piece.length
  }
  return pieces.join('')
}

/**
 * The length of the piece that begins at a position of a long line; it does not end inside a
 * character.
 */
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
