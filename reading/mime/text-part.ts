import { Buffer } from 'node:buffer'
import { decodingOf, isTelling } from './charset.ts'
import type { Decoding } from './decoding.ts'
import { joinFlowed } from './flowed.ts'
import type { Parameters } from './parameters.ts'
import type { Transfer } from './transfer.ts'

/** The beginning of HTML in which its charset has to stand (WHATWG HTML, section 4.2.5.4). */
const META_BYTES = 1024
const META_CHARSET = /<meta[^>]{0,500}?charset\s*=\s*["']?\s*([\w:.-]+)/i

/** One text/plain or text/html part: takes the encoded bytes, has the text when all of them came. */
export class TextPart {
  readonly html: boolean
  readonly #transfer: Transfer
  readonly #parameters: Parameters
  #decoding: Decoding | undefined
  /** Until it is known how to read them: the first bytes of HTML that may name its charset. */
  #beginning: Buffer = Buffer.alloc(0)
  #pieces: string[] = []

  constructor(html: boolean, parameters: Parameters, transfer: Transfer) {
    this.html = html
    this.#transfer = transfer
    this.#parameters = parameters
    const charset = parameters.get('charset')
    // What the header says goes before what the HTML says.
    if (!html || isTelling(charset)) this.#decoding = decodingOf(charset)
  }

  write(chunk: Buffer): void {
    this.#read(this.#transfer.write(chunk))
  }

  /** The text, with line feeds as line ends. To be called once. */
  takeText(): string {
    this.#read(this.#transfer.end())
    this.#begin()
    this.#pieces.push(this.#decoding!.end())
    const text = this.#pieces.join('').replaceAll('\r\n', '\n')
    this.#pieces = []
    const flowed = this.#parameters.get('format')?.toLowerCase() === 'flowed'
    return flowed ? joinFlowed(text, this.#parameters.get('delsp')?.toLowerCase() === 'yes') : text
  }

  #read(bytes: Buffer): void {
    if (this.#decoding !== undefined) {
      this.#pieces.push(this.#decoding.write(bytes))
      return
    }
    this.#beginning = Buffer.concat([this.#beginning, bytes])
    if (this.#beginning.length >= META_BYTES) this.#begin()
  }

  #begin(): void {
    if (this.#decoding !== undefined) return
    const named = META_CHARSET.exec(this.#beginning.toString('latin1', 0, META_BYTES))?.[1]
    // One that can be read as ASCII here cannot be UTF-16 (WHATWG HTML, section 13.2.3.2).
    const charset = named !== undefined && /^utf-?16/i.test(named) ? 'utf-8' : named
    this.#decoding = decodingOf(charset ?? this.#parameters.get('charset'))
    this.#pieces.push(this.#decoding.write(this.#beginning))
    this.#beginning = Buffer.alloc(0)
  }
}
