import { Buffer } from 'node:buffer'

const OTHERS = /[^A-Za-z0-9+/=]+/g
const NOTHING = Buffer.alloc(0)

/** Characters of the padding at the end. */
const PADDING_MAX = 2

/**
 * Decodes base64 (RFC 2045, section 6.8), chunk by chunk. Other characters are ignored, as that
 * section asks; what follows padding is decoded too, because programs concatenate encoded pieces.
 */
export class Base64 {
  #held = ''

  write(chunk: Buffer): Buffer {
    const text = this.#held + chunk.toString('latin1').replaceAll(OTHERS, '')
    // Nearly all chunks: nothing to split, and no second copy.
    const padding = text.indexOf('=')
    if (padding === -1) {
      const whole = text.length - (text.length % 4)
      this.#held = text.slice(whole)
      return Buffer.from(text.slice(0, whole), 'base64')
    }
    if (text.length - padding <= PADDING_MAX && text.endsWith('=')) {
      this.#held = ''
      return padding > 1 ? Buffer.from(text.slice(0, padding), 'base64') : NOTHING
    }
    const pieces = text.split(/=+/)
    const last = pieces.pop() ?? ''
    const whole = last.length - (last.length % 4)
    this.#held = last.slice(whole)
    pieces.push(last.slice(0, whole))
    // A piece of one character does not make a byte; a message may have many.
    const long = pieces.filter((piece) => piece.length > 1)
    return Buffer.concat(long.map((piece) => Buffer.from(piece, 'base64')))
  }

  end(): Buffer {
    return this.#held === '' ? NOTHING : Buffer.from(this.#held, 'base64')
  }
}

/** How many bytes at the beginning decide whether a text is base64. */
const SAMPLE_BYTES = 512
const OTHERS_MAX = 0.08
/** What no text in UTF-8 contains, except where the sample ends inside a character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those that text does not contain
const NOT_TEXT = /[\0-\x08\x0e-\x1a\x1c-\x1f]|\ufffd(?!$)/

/**
 * Decodes a text that claims to be base64. If more than a twelfth of its beginning is not base64,
 * and decoding it gives no text, it is plain and is left unchanged.
 */
export class MaybeBase64 {
  #sample: Buffer = NOTHING
  #decoder: Base64 | 'plain' | undefined

  write(chunk: Buffer): Buffer {
    if (this.#decoder !== undefined) return this.#decoder === 'plain' ? chunk : this.#decoder.write(chunk)
    this.#sample = this.#sample.length === 0 ? chunk : Buffer.concat([this.#sample, chunk])
    return this.#sample.length < SAMPLE_BYTES ? NOTHING : this.#decide()
  }

  end(): Buffer {
    const first = this.#decoder === undefined ? this.#decide() : NOTHING
    const rest = this.#decoder instanceof Base64 ? this.#decoder.end() : NOTHING
    return rest.length === 0 ? first : Buffer.concat([first, rest])
  }

  #decide(): Buffer {
    const sample = this.#sample.toString('latin1', 0, SAMPLE_BYTES)
    const others = sample.replaceAll(/[A-Za-z0-9+/=\r\n]/g, '').length
    this.#decoder = others > sample.length * OTHERS_MAX && !isTextInBase64(sample) ? 'plain' : new Base64()
    return this.#decoder === 'plain' ? this.#sample : this.#decoder.write(this.#sample)
  }
}

function isTextInBase64(sample: string): boolean {
  return !NOT_TEXT.test(new Base64().write(Buffer.from(sample, 'latin1')).toString())
}
