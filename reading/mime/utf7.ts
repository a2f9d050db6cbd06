import { Buffer } from 'node:buffer'
import type { Decoding } from './decoding.ts'

const PLUS = 43
const DASH = 45
const SHIFT_MAX = 64 * 1024
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** The value of each byte as a digit of base64; -1 for other bytes. */
const values = new Int8Array(256).fill(-1)
for (let value = 0; value < DIGITS.length; value++) values[DIGITS.charCodeAt(value)] = value

/**
 * Decodes UTF-7 (RFC 2152), which Outlook and Exchange wrote and the Encoding Standard leaves out.
 */
export class Utf7Decoder implements Decoding {
  #held: Buffer = Buffer.alloc(0)

  write(bytes: Buffer): string {
    const all = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes])
    // A shift sequence at the end may continue in the next chunk.
    const open = openShift(all)
    const end = all.length - open > SHIFT_MAX ? all.length : open
    this.#held = Buffer.from(all.subarray(end))
    return decode(all.subarray(0, end))
  }

  end(): string {
    const rest = decode(this.#held)
    this.#held = Buffer.alloc(0)
    return rest
  }
}

/** Where a shift sequence begins that reaches to the end; otherwise the end. */
function openShift(bytes: Buffer): number {
  let begin = bytes.length
  while (begin > 0 && valueAt(bytes, begin - 1) !== -1) begin--
  const plus = bytes.indexOf(PLUS, begin)
  return plus === -1 ? bytes.length : plus
}

function decode(bytes: Buffer): string {
  // No sequence makes more units of UTF-16 than it has bytes.
  const units = new Uint16Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte !== PLUS) {
      units[length++] = byte
      continue
    }
    const from = at + 1
    let held = 0
    let bits = 0
    for (let value = valueAt(bytes, from); value !== -1; value = valueAt(bytes, ++at + 1)) {
      held = (held << 6) | value
      bits += 6
      if (bits < 16) continue
      bits -= 16
      units[length++] = held >> bits
      held &= (1 << bits) - 1
    }
    if (at + 1 === from) units[length++] = PLUS
    if (bytes[at + 1] === DASH) at++
  }
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le')
}

/** Returns the value of a digit of base64; -1 for another byte or the end. */
function valueAt(bytes: Buffer, at: number): number {
  return values[bytes[at] ?? 0] ?? -1
}
