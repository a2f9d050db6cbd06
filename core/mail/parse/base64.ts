import { Buffer } from 'node:buffer'

const OTHERS = /[^A-Za-z0-9+/=]+/g

/**
 * Decodes base64 (RFC 2045, section 6.8) as it comes. Characters that are none of it are passed over, as the
 * section asks; what follows padding is decoded on, since programs join encoded pieces.
 */
export class Base64 {
  #held = ''

  write(chunk: Buffer): Buffer {
    const text = this.#held + chunk.toString('latin1').replaceAll(OTHERS, '')
    const padded = text.indexOf('=')
    if (padded === -1) {
      const whole = text.length - (text.length % 4)
      this.#held = text.slice(whole)
      return Buffer.from(text.slice(0, whole), 'base64')
    }
    const pieces = text.split(/=+/)
    const last = pieces.pop()!
    const whole = last.length - (last.length % 4)
    this.#held = last.slice(whole)
    pieces.push(last.slice(0, whole))
    return Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')))
  }

  end(): Buffer {
    return Buffer.from(this.#held, 'base64')
  }
}
