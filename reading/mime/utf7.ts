import { Buffer } from 'node:buffer'
import type { Decoding } from './decoding.ts'

const SHIFT = /\+([A-Za-z0-9+/]*)-?/g

/** UTF-7 (RFC 2152), which Outlook and Exchange wrote; the Encoding Standard leaves it out. */
export class Utf7Decoder implements Decoding {
  #held = ''

  write(bytes: Buffer): string {
    const text = this.#held + bytes.toString('latin1')
    // A shift sequence that may go on: from its plus sign.
    const open = /\+[A-Za-z0-9+/]*$/.exec(text)?.index ?? text.length
    this.#held = text.length - open > 64 * 1024 ? '' : text.slice(open)
    return decode(this.#held === '' ? text : text.slice(0, open))
  }

  end(): string {
    const rest = decode(this.#held)
    this.#held = ''
    return rest
  }
}

function decode(text: string): string {
  return text.replaceAll(SHIFT, (_, base64: string) => {
    if (base64 === '') return '+'
    const bytes = Buffer.from(base64, 'base64')
    const whole = bytes.subarray(0, bytes.length & ~1)
    return Buffer.from(whole).swap16().toString('utf16le')
  })
}
