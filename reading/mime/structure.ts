import { Buffer } from 'node:buffer'
import type { ReadingLimits } from '../limits.ts'
import { AttachedMessage } from './attached-message.ts'
import { Boundaries, type Boundary, isBlank, isDashes, isRoot } from './boundaries.ts'
import { contentEnd } from './content-end.ts'
import type { HeaderContext } from './encoded-words.ts'
import { beginsHeader, type Field, splitHeader, startOfHeader } from './headers.ts'
import { delimiterOf, mediaTypeOf } from './part-header.ts'
import type { Piece } from './pieces.ts'

const LF = 10
const NOTHING = Buffer.alloc(0)
/** More than any honest message names. */
const UNKNOWN_CHARSETS_MAX = 8

/**
 * Splits a message into its parts (RFC 2046, section 5.1) chunk by chunk, in time linear in its
 * length. It accepts what mail programs accept:
 * - blanks after a boundary, as section 5.1.1 requires;
 * - the boundary of an outer multipart as the end of all inner ones, closed or not (section 5.1.2);
 * - the first line that looks like a boundary if the header names none, as Outlook does;
 * - a multipart without any part as a text, with a fault that says so;
 * - a header without a blank line behind it, or with blank lines before it, or no header at all
 *   (headers.ts).
 */
export class Structure {
  /** The fields of the message's own header. */
  fields: Field[] = []
  readonly context: HeaderContext
  /** Why the message could not be read completely. */
  fault: string | undefined
  readonly #limits: ReadingLimits
  readonly #open = new Boundaries()
  #state: 'start' | 'header' | 'leaf' | 'between' | 'stopped' = 'start'
  /** Bytes that have arrived and are not split yet: #data from #at on. */
  #data: Buffer = NOTHING
  #at = 0
  /** The current header: what earlier chunks had of it, and where in #data the rest begins. */
  #header: Buffer[] = []
  #headerFrom = 0
  #headerBytes = 0
  /**
   * Nothing of the current body was passed on yet, so a boundary may begin without a line break
   * before it.
   */
  #isFresh = false
  #parts = 0
  #partFields = 0
  /** The current header is that of the message. */
  #isFirst = true
  #attached: AttachedMessage | undefined

  constructor(limits: ReadingLimits) {
    this.#limits = limits
    this.context = {
      bodyCharset: undefined,
      wordsLeft: limits.encodedWords,
      unknownCharsetsLeft: UNKNOWN_CHARSETS_MAX,
    }
  }

  *write(chunk: Buffer): Generator<Piece> {
    if (this.#state === 'header') this.#header.push(this.#data.subarray(this.#headerFrom, this.#at))
    this.#headerFrom = 0
    const rest = this.#data.subarray(this.#at)
    this.#data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    this.#at = 0
    yield* this.#read(false)
  }

  *end(): Generator<Piece> {
    yield* this.#read(true)
    if (this.#state === 'header') {
      yield* this.#endHeader(this.#takeHeader(), NOTHING)
      yield* this.#read(true)
    }
    yield* this.#endLeaf()
    while (this.#open.depth > 0) yield* this.#endMultipart()
  }

  /** Gives up: the rest of the message is ignored. */
  #stop(fault: string): void {
    this.fault ??= fault
    if (this.#isFirst) this.fields = this.#splitHeader(this.#takeHeader()).fields
    this.#state = 'stopped'
  }

  *#read(isLast: boolean): Generator<Piece> {
    if (this.#state === 'start') {
      const start = startOfHeader(this.#data, isLast)
      if (start === undefined) return
      this.#beginHeader(start)
    }
    for (let goesOn = true; goesOn; ) {
      if (this.#state === 'stopped') this.#at = this.#data.length
      if (this.#state === 'stopped' || (this.#at === this.#data.length && !this.#isFresh)) return
      goesOn = yield* this.#state === 'header' ? this.#readHeader(isLast) : this.#readBody(isLast)
    }
  }

  /** Reads the lines of a header. Whether there is more to read. */
  *#readHeader(isLast: boolean): Generator<Piece, boolean> {
    for (;;) {
      const found = this.#data.indexOf(LF, this.#at)
      const end = found === -1 ? this.#data.length : found + 1
      if (this.#headerBytes + end - this.#at > this.#limits.headerBytes) {
        this.#stop(`A header is longer than ${this.#limits.headerBytes} bytes.`)
        return false
      }
      if ((found === -1 && !isLast) || end === this.#at) return false
      if (isBlank(this.#data, this.#at, end)) {
        const header = this.#takeHeader()
        const blank = this.#data.subarray(this.#at, end)
        this.#at = end
        yield* this.#endHeader(header, blank)
        return true
      }
      if (this.#isBoundary(this.#at, end) || (this.#headerBytes === 0 && !this.#beginsHeader(end))) {
        // The same line is read again, as body.
        yield* this.#endHeader(this.#takeHeader(), NOTHING)
        return true
      }
      this.#headerBytes += end - this.#at
      this.#at = end
    }
  }

  #isBoundary(from: number, end: number): boolean {
    return isDashes(this.#data, from) && this.#open.find(this.#data, from, end) !== undefined
  }

  #beginsHeader(end: number): boolean {
    return beginsHeader(this.#data.toString('latin1', this.#at, Math.min(end, this.#at + 1000)))
  }

  #takeHeader(): string {
    this.#header.push(this.#data.subarray(this.#headerFrom, this.#at))
    const block = Buffer.concat(this.#header).toString('latin1')
    this.#header = []
    this.#headerBytes = 0
    return block
  }

  #splitHeader(block: string): { fields: Field[]; body: number } {
    const { headerFields } = this.#limits
    const { fields, body, hasMore } = splitHeader(block, headerFields, !this.#isFirst)
    if (hasMore) this.fault ??= `A header has more than ${headerFields} fields.`
    return { fields, body }
  }

  /** @param blank the line that ended the header */
  *#endHeader(block: string, blank: Buffer): Generator<Piece> {
    const { fields, body } = this.#splitHeader(block)
    if (this.#isFirst) this.fields = fields
    else {
      this.#partFields += fields.length
      if (this.#partFields > this.#limits.partFields) {
        this.#stop(`The headers of the parts have more than ${this.#limits.partFields} fields.`)
        return
      }
    }
    this.#isFirst = false
    const around = this.#open.innermost
    // RFC 2046, section 5.1.5: the parts of a digest are messages.
    const usual = around?.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain'
    const media = mediaTypeOf(fields, usual, this.context)
    if (media.type.startsWith('text/')) this.context.bodyCharset ??= media.parameters.get('charset')
    const isMultipart = media.type.startsWith('multipart/')
    if (isMultipart && around !== undefined) around.hasRoot = true
    if (isMultipart && this.#open.depth < this.#limits.depth) {
      this.#open.push(media.type, delimiterOf(media.parameters))
      this.#state = 'between'
    } else {
      if (isMultipart) this.fault ??= `Parts are nested more than ${this.#limits.depth} deep.`
      this.#attached = media.type === 'message/rfc822' ? new AttachedMessage(this.context) : undefined
      yield {
        type: 'leaf',
        leaf: {
          fields,
          media,
          parent: around?.type,
          isAlternative: this.#open.isAlternative,
          isRoot: isRoot(around, media, fields),
        },
      }
      this.#state = 'leaf'
    }
    this.#isFresh = true
    if (body !== -1) this.#goBack(block.slice(body), blank)
  }

  /**
   * Reads the end of a header again, as body: `block`, and the line that ended the header. A copy of the data
   * behind it is made only if it began in an earlier chunk, because each part may ask for one.
   */
  #goBack(block: string, blank: Buffer): void {
    const from = this.#at - block.length - blank.length
    if (from < 0) {
      const rest = Buffer.from(block, 'latin1')
      this.#data = Buffer.concat([rest, blank, this.#data.subarray(this.#at)])
    }
    this.#at = Math.max(0, from)
  }

  /** Reads the body up to and including the next boundary. Whether there is more to read. */
  *#readBody(isLast: boolean): Generator<Piece, boolean> {
    const data = this.#data
    const start = this.#at
    if (this.#open.depth === 0) {
      yield* this.#pass(start, data.length)
      return false
    }
    if (this.#isFresh && data.length - start < 2 && !isLast) return false
    const found = contentEnd(data, start, { isFresh: this.#isFresh, isLast }, (from, lineEnd, end) => {
      const boundary = this.#open.find(data, from, lineEnd)
      // A boundary of an attached message, and the line break before it, are content of that
      // message.
      const isAttached = boundary && this.#attached?.contains(boundary, () => data.subarray(start, end))
      return isAttached ? undefined : boundary
    })
    // The rest of an undecided line decides whether a boundary begins here.
    if (found.type !== 'undecided' || found.end > start || !this.#isFresh) yield* this.#pass(start, found.end)
    if (found.type !== 'boundary') return false
    this.#at = found.next
    yield* this.#cross(found.boundary)
    return true
  }

  /** Passes these bytes on as content of the current part, or keeps them if they are a preamble. */
  *#pass(from: number, to: number): Generator<Piece> {
    this.#at = to
    this.#isFresh = false
    if (to === from) return
    const bytes = this.#data.subarray(from, to)
    if (this.#state === 'leaf') {
      this.#attached?.write(bytes)
      yield { type: 'data', bytes }
      return
    }
    this.#open.keepPreamble(bytes)
  }

  *#cross({ depth, closes }: Boundary): Generator<Piece> {
    yield* this.#endLeaf()
    while (this.#open.depth - 1 > depth) yield* this.#endMultipart()
    this.#open.setClosed(closes)
    if (closes) {
      this.#isFresh = true
      return
    }
    if (++this.#parts > this.#limits.parts) {
      this.#stop(`The message has more than ${this.#limits.parts} parts.`)
      return
    }
    const multipart = this.#open.innermost
    if (multipart !== undefined) multipart.children++
    this.#beginHeader(this.#at)
  }

  #beginHeader(at: number): void {
    this.#state = 'header'
    this.#at = at
    this.#headerFrom = at
  }

  *#endLeaf(): Generator<Piece> {
    if (this.#state === 'leaf') yield { type: 'end' }
    this.#attached = undefined
    this.#state = 'between'
  }

  *#endMultipart(): Generator<Piece> {
    const multipart = this.#open.pop()
    if (multipart === undefined || multipart.children > 0) return
    this.fault ??= 'The message says that it has parts, but contains none.'
    const media = mediaTypeOf([], 'text/plain', this.context)
    yield { type: 'leaf', leaf: { fields: [], media, parent: undefined, isAlternative: false, isRoot: true } }
    for (const bytes of multipart.preamble) yield { type: 'data', bytes }
    yield { type: 'end' }
  }
}
