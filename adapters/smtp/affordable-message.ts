import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { affordableHeader, END_OF_HEADER, HEADER_BYTES } from './affordable-header.ts'

/** Empty lines, and places where the check changes white space, because it hashes another form as well. */
const PLACES_MAX = { empty: 16_384, changed: 1024 }
/** Bytes that are counted as one place. */
const PLACE_BYTES = 16
/** A line is read again with each chunk until its end has arrived. */
const LINE_BYTES = 64 * 1024
const CHUNK_BYTES = 64 * 1024
/** Bytes that are copied one by one. */
const SPAN_MAX = 100
const TAB = 0x09
const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20

/** Whether a message had more than may be checked. */
export interface Examined {
  isPartial: boolean
}

/**
 * The message as its signatures are checked: without those that would cost too much, and ended where
 * its body costs too much, by a line that no sender has signed: the part before it may be all of a
 * signed message, and another sender may have written the rest. Reads all of `message`.
 * @param examined gets the outcome
 */
export async function* affordable(
  message: AsyncIterable<Uint8Array>,
  examined: Examined,
): AsyncIterable<Uint8Array> {
  const chunks = chunksOf(message)
  const { header, rest } = await headerOf(chunks)
  const kept = affordableHeader(header)
  examined.isPartial = kept.isPartial
  yield Buffer.from(kept.text, 'latin1')
  const isRelaxed = kept.forms.has('relaxed')
  const cost = new BodyCost(isRelaxed)
  for (let chunk: Buffer | undefined = rest; chunk !== undefined; chunk = (await chunks.next()).value) {
    const body = isRelaxed && kept.forms.size === 1 ? relaxed(chunk) : chunk
    const bare = cost.add(body)
    if (cost.isTooHigh) {
      examined.isPartial ||= kept.isSigned
      // Without a signature nothing is hashed, and all of it may be read.
      if (kept.isSigned) {
        yield Buffer.from(`\r\n${randomUUID()}\r\n`)
        break
      }
    }
    yield bare === 0 ? body : withLineEnds(body, bare)
  }
  for await (const _ of chunks);
}

/** The header, and the beginning of the body. A header that is too long has no end here. */
async function headerOf(
  chunks: AsyncGenerator<Buffer, undefined>,
): Promise<{ header: string; rest: Buffer }> {
  let text = ''
  for (;;) {
    const { value } = await chunks.next()
    text += value?.toString('latin1') ?? ''
    const end = END_OF_HEADER.exec(text)
    const length = end === null ? text.length : end.index + end[0].length
    if (value === undefined || end !== null || text.length > HEADER_BYTES) {
      return { header: text.slice(0, length), rest: Buffer.from(text.slice(length), 'latin1') }
    }
  }
}

/** Joins small chunks, because each one is a step of the check. */
async function* chunksOf(message: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, undefined> {
  let pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of message) {
    pieces.push(piece)
    size += piece.length
    if (size < CHUNK_BYTES) continue
    yield Buffer.concat(pieces, size)
    pieces = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(pieces, size)
  return undefined
}

/**
 * With CR LF for each LF, as a body is hashed. The check takes a step for each other one. A chunk that
 * begins within a line end stays as it is.
 * @param bare how many there are
 */
function withLineEnds(chunk: Buffer, bare: number): Buffer {
  const lines = Buffer.allocUnsafe(chunk.length + bare)
  lines[0] = chunk[0]!
  for (let n = 1, at = 1; n < chunk.length; n++) {
    if (chunk[n] === LF && chunk[n - 1] !== CR) lines[at++] = CR
    lines[at++] = chunk[n]!
  }
  return lines
}

/**
 * With white space as the form `relaxed` hashes it, which the check makes line by line and at many times the cost. What
 * is at the end of a chunk stays for the check. RFC 6376, section 3.4.4.
 */
function relaxed(chunk: Buffer): Buffer {
  let made: Buffer | undefined
  let [from, at] = [0, 0]
  for (let n = 0; n < chunk.length; n++) {
    const byte = chunk[n]!
    if (byte > SPACE) continue
    let end = n
    while (isBlank(chunk[end])) end++
    const isLineEnd = chunk[end] === LF || (chunk[end] === CR && chunk[end + 1] === LF)
    const isBare = byte === LF && n > 0 && chunk[n - 1] !== CR
    const isSame = end === n ? !isBare : byte === SPACE && end === n + 1 && !isLineEnd
    if (!isSame) {
      // Each LF may get a CR.
      made ??= Buffer.allocUnsafe(2 * chunk.length)
      at = copy(chunk, from, n, made, at)
      if (isBare) made[at++] = CR
      else if (!isLineEnd) made[at++] = SPACE
      from = end
    }
    n = Math.max(n, end - 1)
  }
  if (made === undefined) return chunk
  return made.subarray(0, copy(chunk, from, chunk.length, made, at))
}

/** Copies a span to a place, and returns the place behind it. A call of `copy` takes longer than a short loop. */
function copy(chunk: Buffer, from: number, to: number, made: Buffer, place: number): number {
  if (to - from > SPAN_MAX) return place + chunk.copy(made, place, from, to)
  let at = place
  for (let n = from; n < to; n++) made[at++] = chunk[n]!
  return at
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB
}

/**
 * What hashing a body costs beyond the reading of its bytes: empty lines are counted one by one in case that they
 * end the body, and `relaxed` changes white space.
 */
class BodyCost {
  readonly #found = { empty: 0, changed: 0 }
  #line = 0
  readonly #isRelaxed: boolean

  constructor(isRelaxed: boolean) {
    this.#isRelaxed = isRelaxed
  }

  /** Adds a chunk of the body. Returns how many of its lines end with LF alone. */
  add(chunk: Buffer): number {
    let [bare, empty, changed, next] = [0, 0, 0, 0]
    let before = chunk[0]
    for (let n = 1; n < chunk.length; n++) {
      const byte = chunk[n]!
      if (byte <= SPACE) {
        if (byte === LF && before !== CR) bare++
        const isEmpty = n >= next && isEmptyLine(before, byte)
        if (isEmpty) empty++
        const isPlace = isEmpty || (n >= next && this.#isRelaxed && isChanged(before, byte))
        if (isPlace) next = n + PLACE_BYTES
        if (isPlace && !isEmpty) changed++
      }
      before = byte
    }
    this.#found.empty += empty
    this.#found.changed += changed
    const end = chunk.lastIndexOf('\n')
    this.#line = end === -1 ? this.#line + chunk.length : chunk.length - end - 1
    return bare
  }

  get isTooHigh(): boolean {
    const { empty, changed } = this.#found
    return empty > PLACES_MAX.empty || changed > PLACES_MAX.changed || this.#line > LINE_BYTES
  }
}

function isEmptyLine(before: number | undefined, byte: number): boolean {
  return before === LF && (byte === LF || byte === CR)
}

/** Whether `relaxed` changes the white space here. */
function isChanged(before: number | undefined, byte: number): boolean {
  return byte === TAB || (before === SPACE && (byte === SPACE || byte === CR || byte === LF))
}
