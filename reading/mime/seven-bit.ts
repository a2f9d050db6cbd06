import { Buffer } from 'node:buffer'
import { type Decoding, guessing, platformDecoding } from './decoding.ts'

const LF = 10
const NOTHING = Buffer.alloc(0)
const ESCAPE = 0x1b
const SHIFT_OUT = 0x0e
const SHIFT_IN = 0x0f
const TILDE = 0x7e
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
/** A line that is longer is decoded in pieces. */
const LINE_MAX = 64 * 1024
/**
 * Finds the evidence about a text that claims to be in a 7-bit charset: an 8-bit byte, or a switch.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape and shift-out are such switches
const ISO_2022 = /[\x80-\xff\x0e\x1b]/
const HZ = /[\x80-\xff]|~\{/

const SWITCH = String.raw`\x1b(?:\([ABIJ]|\$[@B])`
/** All but the last of several adjacent switches between character sets. */
const SURPLUS = new RegExp(`(?:${SWITCH})+(?=${SWITCH})`, 'g')

/**
 * ISO-2022-JP (RFC 1468). The Encoding Standard rejects adjacent switches of the character set;
 * mail contains them.
 */
export function japanese(): Decoding {
  return unlessEightBit(ISO_2022, byLine('iso-2022-jp', withoutSurplus))
}

/** ISO-2022-KR (RFC 1557): EUC-KR without the eighth bit, between shift-out and shift-in. */
export function korean(): Decoding {
  return unlessEightBit(ISO_2022, byLine('euc-kr', koreanBytes))
}

/** HZ (RFC 1843): GB 2312 without the eighth bit, between `~{` and `~}`. */
export function chinese(): Decoding {
  return unlessEightBit(HZ, byLine('gbk', chineseBytes))
}

function withoutSurplus(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(SURPLUS, ''), 'latin1')
}

function koreanBytes(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(bytes.length)
  let length = 0
  let isShifted = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === LF) isShifted = false
    if (byte === SHIFT_OUT || byte === SHIFT_IN) isShifted = byte === SHIFT_OUT
    else if (byte === ESCAPE && bytes.toString('latin1', at + 1, at + 4) === '$)C') at += 3
    else out[length++] = isShifted && byte > 32 ? byte | 0x80 : byte
  }
  return out.subarray(0, length)
}

function chineseBytes(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(bytes.length)
  let length = 0
  let isShifted = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const next = byte === TILDE ? bytes[at + 1] : undefined
    if (byte === LF) isShifted = false
    if (next === OPENING_BRACE || next === CLOSING_BRACE) {
      isShifted = next === OPENING_BRACE
      at++
    } else if (next === LF) at++
    else {
      out[length++] = isShifted && byte > 32 ? byte | 0x80 : byte
      if (next === TILDE) at++
    }
  }
  return out.subarray(0, length)
}

/** Converts whole lines, which no character and no switch crosses, and decodes the result. */
function byLine(charset: string, convert: (lines: Buffer) => Buffer): Decoding {
  const decoding = platformDecoding(charset)
  let held: Buffer = NOTHING
  return {
    write(bytes) {
      const all = held.length === 0 ? bytes : Buffer.concat([held, bytes])
      const lines = all.lastIndexOf(LF) + 1
      const end = all.length - lines > LINE_MAX ? all.length : lines
      held = Buffer.from(all.subarray(end))
      if (end === 0) return ''
      return decoding.write(convert(all.subarray(0, end)))
    },
    end() {
      const last = held.length === 0 ? '' : decoding.write(convert(held))
      held = NOTHING
      return last + decoding.end()
    },
  }
}

/**
 * Guesses a text if a byte above 127 comes before the first switch of the character set: then it is
 * not in a 7-bit charset, whatever the header says.
 */
function unlessEightBit(decisive: RegExp, decoding: Decoding): Decoding {
  const guess = guessing()
  let active = decoding
  let isDecided = false
  /** Whether `decoding` may hold bytes: ending it costs as much as reading a short text. */
  let hasBegun = false
  return {
    write(bytes) {
      const found = isDecided ? undefined : decisive.exec(bytes.toString('latin1'))?.[0]
      if (found === undefined) {
        hasBegun = true
        return active.write(bytes)
      }
      isDecided = true
      if (found.charCodeAt(0) <= 0x7f) return decoding.write(bytes)
      active = guess
      const before = hasBegun ? decoding.end() : ''
      return before + guess.write(bytes)
    },
    end() {
      const rest = active.end()
      active = decoding
      isDecided = false
      hasBegun = false
      return rest
    },
  }
}
