import { Buffer } from 'node:buffer'

const TAB = 9
const LF = 10
const CR = 13
const SPACE = 32
const EQUALS = 61

/** White space at a line's end that is longer than this is content. */
const HELD_BYTES = 4096

/**
 * Decodes quoted-printable (RFC 2045, section 6.7) as it comes, in time linear in its length. What is no valid
 * encoding stays as it stands, which the section recommends.
 */
export class QuotedPrintable {
  #held: Buffer = Buffer.alloc(0)

  write(chunk: Buffer): Buffer {
    return this.#decode(this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]), false)
  }

  end(): Buffer {
    return this.#decode(this.#held, true)
  }

  /** Decodes all but what only the next chunk can tell, which is held back unless this is the last. */
  #decode(data: Buffer, last: boolean): Buffer {
    const out = Buffer.allocUnsafe(data.length)
    let size = 0
    let i = 0
    while (i < data.length) {
      const byte = data[i]!
      if (byte !== EQUALS && byte !== SPACE && byte !== TAB) {
        out[size++] = byte
        i++
        continue
      }
      if (byte === EQUALS) {
        const value = hexByte(data[i + 1], data[i + 2])
        if (value !== -1) {
          out[size++] = value
          i += 3
          continue
        }
      }
      const end = blankEnd(data, byte === EQUALS ? i + 1 : i)
      const after = lineEnd(data, end)
      const open = after === -1 || (byte === EQUALS && end === i + 1 && end + 1 >= data.length)
      if (open && !last && data.length - i <= HELD_BYTES) break
      if (byte === EQUALS && (after > 0 || (last && end === data.length))) {
        i = after > 0 ? after : end
      } else if (byte === EQUALS) {
        out[size++] = byte
        i++
      } else {
        // Blanks before a line's end were added on the way; all others are content.
        if (after > 0 || (after === -1 && last)) i = end
        while (i < end) out[size++] = data[i++]!
      }
    }
    this.#held = data.subarray(i)
    return out.subarray(0, size)
  }
}

function blankEnd(data: Buffer, from: number): number {
  let end = from
  while (data[end] === SPACE || data[end] === TAB) end++
  return end
}

/** Where the line after `at` begins; 0 when no line ends at `at`, -1 when the data ends too early to tell. */
function lineEnd(data: Buffer, at: number): number {
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

/** The value of a hexadecimal digit in either case; a great negative number for anything else. */
function hexDigit(byte = 0): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  const upper = byte & 0xdf
  return upper >= 65 && upper <= 70 ? upper - 55 : -1000
}
