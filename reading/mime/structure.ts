import { Buffer } from 'node:buffer'
import { beginsHeader, type Field, splitHeader } from './header-block.ts'
import { type MediaType, mediaTypeOf } from './media-type.ts'

/** A part that is no multipart, and where it stands. */
export interface Leaf {
  fields: Field[]
  media: MediaType
  /** The media type of the multipart around it; undefined for the message itself. */
  parent: string | undefined
  /** Its position there. */
  index: number
}

/** What is split off a message, in order: each leaf, its bytes as they are encoded, its end. */
export type Piece = { type: 'leaf'; leaf: Leaf } | { type: 'data'; bytes: Buffer } | { type: 'end' }

const HEADER_BYTES_MAX = 1024 * 1024
const PARTS_MAX = 1000
const DEPTH_MAX = 100
/** RFC 2046, section 5.1.1, allows 70 characters in a boundary; programs take what they are given. */
const BOUNDARY_LINE_MAX = 4096
/** Of what stands before the first part so much is kept, in case that no part comes. */
const PREAMBLE_MAX = 1024 * 1024

const LF = 10
const CR = 13
const DASH = 45
const LINE_WITH_DASHES = Buffer.from('\n--')
const NOTHING = Buffer.alloc(0)

interface Multipart {
  type: string
  /** Two dashes and the boundary; null until the first line that looks like one, where the header names none. */
  delimiter: string | null
  children: number
  closed: boolean
  preamble: Buffer[]
  preambleBytes: number
}

interface Boundary {
  frame: number
  closes: boolean
}

/**
 * Splits a message into its parts (RFC 2046, section 5.1) as it comes, in time linear in its length. It takes what
 * mail programs take:
 * - blanks after a boundary, which section 5.1.1 requires to be taken;
 * - the boundary of an outer multipart as the end of all inner ones, also of those that nothing closed (5.1.2);
 * - the first line that looks like a boundary, where the header names none, as Outlook does;
 * - a multipart without any part as a text, with a fault that says so;
 * - a header without a blank line behind it, and no header at all (header-block.ts).
 */
export class Structure {
  /** The fields of the message's own header. */
  fields: Field[] = []
  /** What kept the message from being read as a whole. */
  fault: string | undefined
  readonly #frames: Multipart[] = []
  #state: 'header' | 'leaf' | 'between' | 'over' = 'header'
  /** What has come and is not split yet: #data from #at on. */
  #data: Buffer = NOTHING
  #at = 0
  /** The lines of the header that is being read. */
  #header: Buffer[] = []
  #headerBytes = 0
  /** Nothing of the body that is being read was passed on yet, so that a boundary may stand right here. */
  #fresh = false
  #parts = 0
  /** The header that is being read is that of the message. */
  #isFirst = true

  /** There is no reading on: what is left is passed over. */
  #stop(fault: string): void {
    this.fault = fault
    if (this.#isFirst) this.fields = splitHeader(this.#takeHeader()).fields
    this.#state = 'over'
  }

  *write(chunk: Buffer): Generator<Piece> {
    const rest = this.#data.subarray(this.#at)
    this.#data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    this.#at = 0
    yield* this.#read(false)
  }

  *end(): Generator<Piece> {
    yield* this.#read(true)
    if (this.#state === 'header') {
      yield* this.#endHeader(NOTHING)
      yield* this.#read(true)
    }
    yield* this.#endLeaf()
    while (this.#frames.length > 0) yield* this.#endMultipart()
  }

  *#read(last: boolean): Generator<Piece> {
    for (let goesOn = true; goesOn; ) {
      if (this.#state === 'over') this.#at = this.#data.length
      if (this.#state === 'over' || (this.#at === this.#data.length && !this.#fresh)) return
      goesOn = yield* this.#state === 'header' ? this.#readHeader(last) : this.#readBody(last)
    }
  }

  /** Reads one line of a header. Whether there is more to read. */
  *#readHeader(last: boolean): Generator<Piece, boolean> {
    const found = this.#data.indexOf(LF, this.#at)
    const end = found === -1 ? this.#data.length : found + 1
    if (this.#headerBytes + end - this.#at > HEADER_BYTES_MAX) {
      this.#stop(`A header is longer than ${HEADER_BYTES_MAX} bytes.`)
      return false
    }
    if ((found === -1 && !last) || end === this.#at) return false
    const line = this.#data.subarray(this.#at, end)
    if (isBlank(line)) {
      this.#at = end
      yield* this.#endHeader(line)
      return true
    }
    const isBoundary = line[0] === DASH && line[1] === DASH && this.#boundaryIn(line) !== undefined
    if (isBoundary || (this.#headerBytes === 0 && !beginsHeader(line.toString('latin1', 0, 1000)))) {
      // Read once more, as body.
      yield* this.#endHeader(NOTHING)
      return true
    }
    this.#header.push(line)
    this.#headerBytes += line.length
    this.#at = end
    return true
  }

  #takeHeader(): string {
    const block = Buffer.concat(this.#header).toString('latin1')
    this.#header = []
    this.#headerBytes = 0
    return block
  }

  /** @param blank the line that ended it */
  *#endHeader(blank: Buffer): Generator<Piece> {
    const block = this.#takeHeader()
    const { fields, body } = splitHeader(block)
    if (this.#isFirst) this.fields = fields
    this.#isFirst = false
    const around = this.#frames.at(-1)
    // RFC 2046, section 5.1.5: in a digest the parts are messages.
    const media = mediaTypeOf(fields, around?.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain')
    if (media.type.startsWith('multipart/')) {
      if (this.#frames.length === DEPTH_MAX) {
        this.#stop(`Parts stand in one another, more than ${DEPTH_MAX} deep.`)
        return
      }
      const boundary = media.parameters.get('boundary')?.trimEnd() ?? ''
      const delimiter = boundary === '' ? null : `--${boundary}`
      this.#frames.push({
        type: media.type,
        delimiter,
        children: 0,
        closed: false,
        preamble: [],
        preambleBytes: 0,
      })
      this.#state = 'between'
    } else {
      const leaf = { fields, media, parent: around?.type, index: (around?.children ?? 1) - 1 }
      yield { type: 'leaf', leaf }
      this.#state = 'leaf'
    }
    this.#fresh = true
    if (body === -1) return
    const rest = Buffer.from(block.slice(body), 'latin1')
    this.#data = Buffer.concat([rest, blank, this.#data.subarray(this.#at)])
    this.#at = 0
  }

  /** Reads body up to and over the next boundary. Whether there is more to read. */
  *#readBody(last: boolean): Generator<Piece, boolean> {
    const data = this.#data
    const start = this.#at
    if (this.#frames.length === 0) {
      yield* this.#pass(start, data.length)
      return false
    }
    if (this.#fresh && data.length - start < 2 && !last) return false
    let scan = start
    let here = this.#fresh && data[start] === DASH && data[start + 1] === DASH
    for (;;) {
      const at = here ? start - 1 : data.indexOf(LINE_WITH_DASHES, scan)
      if (!here && at === -1) break
      // The line break before a boundary belongs to it (RFC 2046, section 5.1.1).
      const end = here ? start : at > start && data[at - 1] === CR ? at - 1 : at
      here = false
      const found = data.indexOf(LF, at + 1)
      if (found === -1 && !last && data.length - at <= BOUNDARY_LINE_MAX) {
        // Only the rest of the line tells.
        if (end > start || !this.#fresh) yield* this.#pass(start, end)
        return false
      }
      const lineEnd = found === -1 ? data.length : found
      const boundary = this.#boundaryIn(data.subarray(at + 1, lineEnd))
      if (boundary !== undefined) {
        yield* this.#pass(start, end)
        this.#at = Math.min(lineEnd + 1, data.length)
        yield* this.#cross(boundary)
        return true
      }
      scan = at + 1
    }
    yield* this.#pass(start, last ? data.length : Math.max(start, beforeBreak(data)))
    return false
  }

  /** Passes on what stands up to there; where it stands between parts, keeps it. */
  *#pass(from: number, to: number): Generator<Piece> {
    this.#at = to
    this.#fresh = false
    if (to === from) return
    const bytes = this.#data.subarray(from, to)
    if (this.#state === 'leaf') {
      yield { type: 'data', bytes }
      return
    }
    const frame = this.#frames.at(-1)!
    if (frame.children > 0 || frame.preambleBytes > PREAMBLE_MAX) return
    frame.preamble.push(Buffer.from(bytes))
    frame.preambleBytes += bytes.length
  }

  /**
   * Which boundary the line is: first of the multiparts that are open, the inner ones before the outer. One with
   * something behind it is one too (RFC 2046, section 5.1.1, the note to implementors), unless another is longer.
   */
  #boundaryIn(bytes: Buffer): Boundary | undefined {
    if (bytes.length > BOUNDARY_LINE_MAX) return undefined
    const line = bytes.toString('latin1').trimEnd()
    const inner = this.#frames.at(-1)
    if (inner?.delimiter === null && /^--\S*[A-Za-z0-9]\S*$/.test(line)) inner.delimiter = line
    for (const isExact of [true, false]) {
      for (const isClosed of [false, true]) {
        for (let frame = this.#frames.length - 1; frame >= 0; frame--) {
          const { delimiter, closed } = this.#frames[frame]!
          if (closed !== isClosed || delimiter === null || !line.startsWith(delimiter)) continue
          const behind = line.slice(delimiter.length)
          if (isExact ? behind === '' : /^\s/.test(behind)) return { frame, closes: false }
          if (isExact ? behind === '--' : /^--(?![A-Za-z0-9])/.test(behind)) return { frame, closes: true }
        }
      }
    }
    return undefined
  }

  *#cross({ frame, closes }: Boundary): Generator<Piece> {
    yield* this.#endLeaf()
    while (this.#frames.length - 1 > frame) yield* this.#endMultipart()
    const multipart = this.#frames[frame]!
    multipart.closed = closes
    if (closes) {
      this.#fresh = true
      return
    }
    if (++this.#parts > PARTS_MAX) {
      this.#stop(`The message has more than ${PARTS_MAX} parts.`)
      return
    }
    multipart.children++
    this.#state = 'header'
  }

  *#endLeaf(): Generator<Piece> {
    if (this.#state === 'leaf') yield { type: 'end' }
    if (this.#state !== 'over') this.#state = 'between'
  }

  *#endMultipart(): Generator<Piece> {
    const { children, preamble } = this.#frames.pop()!
    if (children > 0) return
    this.fault ??= 'The message says that it is in parts, but holds none.'
    const media = mediaTypeOf([], 'text/plain')
    yield { type: 'leaf', leaf: { fields: [], media, parent: undefined, index: 0 } }
    for (const bytes of preamble) yield { type: 'data', bytes }
    yield { type: 'end' }
  }
}

function isBlank(line: Buffer): boolean {
  return line[0] === LF || (line[0] === CR && line[1] === LF) || (line.length === 1 && line[0] === CR)
}

/** Where the data ends before a line break, or what may be one, that a boundary may follow. */
function beforeBreak(data: Buffer): number {
  let end = data.length
  if (data[end - 1] === DASH && data[end - 2] === LF) end--
  if (data[end - 1] === LF) end--
  return data[end - 1] === CR ? end - 1 : end
}
