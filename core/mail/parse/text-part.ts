import type { Buffer } from 'node:buffer'
import { Transform, type TransformCallback } from 'node:stream'
import { finished } from 'node:stream/promises'
import libmime from 'libmime'
import { type Decoding, decodingOf, guessing } from './charset.ts'
import { QuotedPrintable } from './quoted-printable.ts'

/** Longer text is left as it stands where it is format=flowed: rejoining takes 20 times its size in memory. */
const FLOWED_CHARACTERS_MAX = 1_000_000

export interface TextPartOptions {
  html: boolean
  /** As declared; undefined where the part says none. */
  charset: string | undefined
  /** The content transfer encoding (RFC 2045, section 6): a stream that decodes it, or ours by name. */
  transfer: Transform | 'quoted-printable' | undefined
  /** RFC 3676. */
  flowed: boolean
  delSp: boolean
}

/**
 * One text/plain or text/html part: takes the encoded bytes, has the text when it is finished. It stands in
 * the place of mailparser's chain of decoders, which turns text into bytes and back, takes long text several
 * times into memory, and can lose the last part of a message whose closing boundary is missing.
 */
export class TextPart extends Transform {
  readonly html: boolean
  #flowed: boolean
  #delSp: boolean
  #quoted: QuotedPrintable | undefined
  #chain: Transform[] = []
  #decoding: Decoding | undefined
  #pieces: string[] = []
  /** Whether a carriage return is held back, for the line feed that may follow. */
  #return = false

  /** @param decodeStream gives a stream that turns bytes of a charset into text; throws for an unknown one */
  constructor(options: TextPartOptions, decodeStream: (charset: string) => Transform) {
    super()
    this.html = options.html
    this.#flowed = options.flowed
    this.#delSp = options.delSp
    if (options.transfer === 'quoted-printable') this.#quoted = new QuotedPrintable()
    else if (options.transfer !== undefined) this.#chain.push(options.transfer)
    this.#decoding = decodingOf(options.charset)
    if (this.#decoding === undefined) {
      try {
        this.#chain.push(decodeStream(options.charset!))
      } catch {
        this.#decoding = guessing()
      }
    }
    for (const [i, decoder] of this.#chain.entries()) {
      decoder.on('error', (error) => this.destroy(error))
      if (i > 0) this.#chain[i - 1]!.pipe(decoder)
    }
    this.#chain.at(-1)?.on('data', (piece) => this.#read(piece))
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#pass(this.#quoted?.write(chunk) ?? chunk, done)
  }

  #pass(bytes: Buffer, done: TransformCallback): void {
    const first = this.#chain[0]
    if (first !== undefined) {
      first.write(bytes, done)
      return
    }
    this.#read(bytes)
    done()
  }

  override _flush(done: TransformCallback): void {
    const last = this.#quoted?.end()
    if (last !== undefined && last.length > 0) this.#pass(last, () => {})
    if (this.#chain.length === 0) {
      done()
      return
    }
    this.#chain.at(-1)!.once('end', () => done())
    this.#chain[0]!.end()
  }

  /** mailparser ends every part twice, and a stream makes an error of that, stack and all, to drop it unseen. */
  override end(): this {
    return this.writableEnded ? this : super.end()
  }

  /** Ends what the message left open, and resolves when all is decoded, or as much as could be. */
  async finish(): Promise<void> {
    this.end()
    if (!this.readableEnded) await finished(this).catch(() => {})
  }

  /** What was read so far, with line feeds as line ends. To be called once. */
  takeText(): string {
    this.#add(this.#decoding?.end() ?? '')
    if (this.#return) this.#pieces.push('\r')
    const text = this.#pieces.join('')
    this.#pieces = []
    return this.#flowed && text.length <= FLOWED_CHARACTERS_MAX
      ? libmime.decodeFlowed(text, this.#delSp)
      : text
  }

  #read(piece: Buffer | string): void {
    this.#add(typeof piece === 'string' ? piece : this.#decoding!.write(piece))
  }

  #add(piece: string): void {
    if (piece === '') return
    const text = this.#return ? `\r${piece}` : piece
    this.#return = text.endsWith('\r')
    const whole = this.#return ? text.slice(0, -1) : text
    this.#pieces.push(whole.includes('\r\n') ? whole.replaceAll('\r\n', '\n') : whole)
  }
}
