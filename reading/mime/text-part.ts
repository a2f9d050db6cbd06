import { Buffer } from 'node:buffer'
import { type CharsetBudget, decodingOf, isInformative } from './charset.ts'
import type { Decoding } from './decoding.ts'
import { joinFlowed } from './flowed.ts'
import type { Parameters } from './parameters.ts'
import type { Transfer } from './part-header.ts'

/** HTML must name its charset within this many bytes (WHATWG HTML, section 4.2.5.4). */
const META_BYTES = 1024
const META_CHARSET = /<meta[^>]{0,500}?charset\s{0,99}=\s{0,99}["']?\s{0,99}([\w:.-]+)/i

/** One text/plain or text/html part: takes the encoded bytes and returns the text at the end. */
export class TextPart {
  readonly isHtml: boolean
  readonly #transfer: Transfer
  readonly #parameters: Parameters
  #decoding: Decoding | undefined
  /** The first bytes of HTML that may name its charset, while the charset is unknown. */
  #beginning: Buffer = Buffer.alloc(0)
  #pieces: string[] = []
  readonly #charsets: CharsetBudget

  constructor(isHtml: boolean, parameters: Parameters, transfer: Transfer, charsets: CharsetBudget) {
    this.isHtml = isHtml
    this.#transfer = transfer
    this.#parameters = parameters
    this.#charsets = charsets
    const charset = parameters.get('charset')
    // The header takes precedence over the HTML.
    if (!isHtml || isInformative(charset)) this.#decoding = decodingOf(charset, charsets)
  }

  write(chunk: Buffer): void {
    this.#read(this.#transfer.write(chunk))
  }

  /** Returns the text, with line feeds as line ends. Must be called once. */
  takeText(): string {
    this.#read(this.#transfer.end())
    const decoding = this.#decoding ?? this.#begin()
    this.#pieces.push(decoding.end())
    const text = this.#pieces.join('').replaceAll('\r\n', '\n')
    this.#pieces = []
    const isFlowed = this.#parameters.get('format')?.toLowerCase() === 'flowed'
    return isFlowed ? joinFlowed(text, this.#parameters.get('delsp')?.toLowerCase() === 'yes') : text
  }

  #read(bytes: Buffer): void {
    // A message may have hundreds of short parts, and each step of a decoder has a price.
    if (bytes.length === 0) return
    if (this.#decoding !== undefined) {
      this.#pieces.push(this.#decoding.write(bytes))
      return
    }
    this.#beginning = Buffer.concat([this.#beginning, bytes])
    if (this.#beginning.length >= META_BYTES) this.#begin()
  }

  #begin(): Decoding {
    const named = META_CHARSET.exec(this.#beginning.toString('latin1', 0, META_BYTES))?.[1]
    // HTML whose charset could be read as ASCII cannot be UTF-16 or UTF-32 (WHATWG HTML, section
    // 13.2.3.2).
    const charset = named !== undefined && /^utf-?(?:16|32)/i.test(named) ? 'utf-8' : named
    const decoding = decodingOf(charset ?? this.#parameters.get('charset'), this.#charsets)
    this.#decoding = decoding
    this.#pieces.push(decoding.write(this.#beginning))
    this.#beginning = Buffer.alloc(0)
    return decoding
  }
}
