import { Buffer } from 'node:buffer'

const TAB = 9
const LF = 10
const CR = 13
const SPACE = 32
const EQUALS = 61

/** Longer white space at the end of a chunk counts as content and is not held back. */
const HELD_BYTES = 4096

/**
 * Decodes quoted-printable (RFC 2045, section 6.7), chunk by chunk, in time linear in its length.
 * Invalid encodings are left unchanged, as that section recommends.
 */
export class QuotedPrintable {
  #held: Buffer = Buffer.alloc(0)

  write(chunk: Buffer): Buffer {
    return this.#decode(this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]), false)
  }

  end(): Buffer {
    return this.#decode(this.#held, true)
  }

  /** Decodes everything but a few bytes at the end that only the next chunk explains. */
  #decode(data: Buffer, isLast: boolean): Buffer {
    const out = Buffer.allocUnsafe(data.length)
    let size = 0
    let at = 0
    const { length } = data
    while (at < length) {
      let byte = data[at]!
      // Nearly all bytes are content.
      while (byte > SPACE && byte !== EQUALS) {
        out[size++] = byte
        if (++at === length) break
        byte = data[at]!
      }
      if (at === length) break
      // A blank before other characters is content.
      const isContent = byte === SPACE || byte === TAB ? (data[at + 1] ?? 0) > SPACE : byte !== EQUALS
      if (isContent) {
        out[size++] = byte
        at++
        continue
      }
      const isEquals = byte === EQUALS
      const value = isEquals ? hexByte(data[at + 1], data[at + 2]) : -1
      if (value !== -1) {
        out[size++] = value
        at += 3
        continue
      }
      const end = endOfBlanks(data, isEquals ? at + 1 : at)
      const next = nextLine(data, end)
      const isCutOff = next === -1 || at + 2 >= data.length
      if (isCutOff && !isLast && data.length - at <= HELD_BYTES) break
      const endsLine = next > 0 || (isLast && end === data.length)
      if (isEquals && endsLine) {
        at = next > 0 ? next : end
      } else {
        // Blanks at the end of a line were added on the way; all others are content.
        if (endsLine) at = end
        while (at < end) out[size++] = data[at++] ?? 0
      }
    }
    this.#held = data.subarray(at)
    return out.subarray(0, size)
  }
}

function endOfBlanks(data: Buffer, from: number): number {
  let end = from
  while (data[end] === SPACE || data[end] === TAB) end++
  return end
}

/**
 * Where the line after a line break at `at` begins; 0 if there is no break, -1 if the data ends too
 * early to tell.
 */
function nextLine(data: Buffer, at: number): number {
  if (at >= data.length) return -1
  if (data[at] === LF) return at + 1
  if (data[at] !== CR) return 0
  if (at + 1 >= data.length) return -1
  return data[at + 1] === LF ? at + 2 : 0
}

/** The byte that two hexadecimal digits mean, or -1. */
function hexByte(high: number | undefined, low: number | undefined): number {
  const value = hexDigit(high) * 16 + hexDigit(low)
  return value >= 0 ? value : -1
}

/** The value of a hexadecimal digit in either case; a large negative number for anything else. */
function hexDigit(byte = 0): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  const upper = byte & 0xdf
  return upper >= 65 && upper <= 70 ? upper - 55 : -1000
}
