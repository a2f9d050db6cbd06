import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { affordableHeader, END_OF_HEADER, HEADER_BYTES } from './affordable-header.ts'

/** Places that cost as much as 1 KB of other text. */
const PLACES_MAX = 16_384
/** Bytes that are counted as one place. */
const PLACE_BYTES = 16
/** A line is read again with each chunk until its end has arrived. */
const LINE_BYTES = 64 * 1024
const CHUNK_BYTES = 64 * 1024
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
  const cost = new BodyCost(kept.isRelaxed)
  for (let body: Buffer | undefined = rest; body !== undefined; body = (await chunks.next()).value) {
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
 * What hashing a body costs beyond the reading of its bytes: empty lines are counted one by one in case that they
 * end the body, and `relaxed` changes white space.
 */
class BodyCost {
  #found = 0
  #line = 0
  readonly #isRelaxed: boolean

  constructor(isRelaxed: boolean) {
    this.#isRelaxed = isRelaxed
  }

  /** Adds a chunk of the body. Returns how many of its lines end with LF alone. */
  add(chunk: Buffer): number {
    const isRelaxed = this.#isRelaxed
    let [bare, found, next] = [0, 0, 0]
    let before = chunk[0]
    for (let n = 1; n < chunk.length; n++) {
      const byte = chunk[n]!
      if (byte <= SPACE) {
        if (byte === LF && before !== CR) bare++
        if (n >= next && (isEmptyLine(before, byte) || (isRelaxed && isChanged(before, byte)))) {
          found++
          next = n + PLACE_BYTES
        }
      }
      before = byte
    }
    this.#found += found
    const end = chunk.lastIndexOf('\n')
    this.#line = end === -1 ? this.#line + chunk.length : chunk.length - end - 1
    return bare
  }

  get isTooHigh(): boolean {
    return this.#found > PLACES_MAX || this.#line > LINE_BYTES
  }
}

function isEmptyLine(before: number | undefined, byte: number): boolean {
  return before === LF && (byte === LF || byte === CR)
}

/** Whether `relaxed` changes the white space here. */
function isChanged(before: number | undefined, byte: number): boolean {
  return byte === TAB || (before === SPACE && (byte === SPACE || byte === CR || byte === LF))
}
