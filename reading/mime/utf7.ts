import { Buffer } from 'node:buffer'
import type { Decoding } from './decoding.ts'

const SHIFT = /\+([A-Za-z0-9+/]*)-?/g
const SHIFT_MAX = 64 * 1024

/**
 * Decodes UTF-7 (RFC 2152), which Outlook and Exchange wrote and the Encoding Standard leaves out.
 */
export class Utf7Decoder implements Decoding {
  #held = ''

  write(bytes: Buffer): string {
    const text = this.#held + bytes.toString('latin1')
    // A shift sequence at the end may continue in the next chunk.
    const open = openShift(text)
    this.#held = text.length - open > SHIFT_MAX ? '' : text.slice(open)
    return decode(this.#held === '' ? text : text.slice(0, open))
  }

  end(): string {
    const rest = decode(this.#held)
    this.#held = ''
    return rest
  }
}

/** Where a shift sequence begins that reaches to the end; otherwise the end. */
function openShift(text: string): number {
  let begin = text.length
  while (begin > 0 && /[A-Za-z0-9+/]/.test(text.charAt(begin - 1))) begin--
  const plus = text.indexOf('+', begin)
  return plus === -1 ? text.length : plus
}

function decode(text: string): string {
  return text.replaceAll(SHIFT, (_, base64: string) => {
    if (base64 === '') return '+'
    const bytes = Buffer.from(base64, 'base64')
    const whole = bytes.subarray(0, bytes.length & ~1)
    return Buffer.from(whole).swap16().toString('utf16le')
  })
}
