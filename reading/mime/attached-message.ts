import { Buffer } from 'node:buffer'
import type { Boundary } from './boundaries.ts'
import type { HeaderContext } from './encoded-words.ts'
import { splitHeader } from './headers.ts'
import { delimiterOf, mediaTypeOf } from './part-header.ts'

/** A longer header of an attached message is not searched for a boundary. */
const HEADER_BYTES_MAX = 64 * 1024
const FIELDS_MAX = 1000

/**
 * Notices whether an attached message reuses a boundary of the message around it. RFC 2046, section
 * 5.1.2, forbids that, but programs that forward a message under a fixed boundary do it. Its lines
 * then belong to the attached message until one closes it.
 */
export class AttachedMessage {
  #header: Buffer[] = []
  #bytes = 0
  #delimiter: string | null | undefined
  #isClosed = false
  readonly #context: HeaderContext

  constructor(context: HeaderContext) {
    this.#context = context
  }

  /** Takes the content of the part. */
  write(bytes: Buffer): void {
    if (this.#bytes > HEADER_BYTES_MAX) return
    this.#header.push(Buffer.from(bytes))
    this.#bytes += bytes.length
  }

  /**
   * Whether a boundary belongs to the attached message.
   * @param content returns what comes before the boundary and was not written yet
   */
  contains({ delimiter, closes }: Boundary, content: () => Buffer): boolean {
    if (this.#isClosed) return false
    if (this.#delimiter === undefined) {
      this.write(content())
      this.#delimiter = this.#ownDelimiter()
    }
    if (this.#delimiter !== delimiter) return false
    this.#isClosed = closes
    return true
  }

  #ownDelimiter(): string | null {
    const text = Buffer.concat(this.#header).toString('latin1')
    // The line break before a boundary belongs to the boundary, so the blank line may be missing
    // from the content.
    const end = /\r?\n(?:\r?\n|$)/.exec(text)?.index
    if (end === undefined) return null
    const { type, parameters } = mediaTypeOf(
      splitHeader(text.slice(0, end), FIELDS_MAX).fields,
      'text/plain',
      this.#context,
    )
    return type.startsWith('multipart/') ? delimiterOf(parameters) : null
  }
}
