import { Buffer } from 'node:buffer'

const LF = 10
const CR = 13
const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf)

type Mode = 'unknown' | 'untouched' | 'bare' | 'doubled'

/**
 * Prepares the bytes of a message for the parser. A UTF-8 byte order mark before the first line is
 * dropped; editors write one, and it would turn the first field into something else. The first line
 * decides about two other line ends: a bare carriage return, as old Macintosh programs wrote it,
 * becomes a line feed; of two carriage returns before a line feed, which programs make that convert
 * line ends twice, one is dropped.
 */
export class LineEnds {
  #mode: Mode = 'unknown'
  /** Bytes at the end of the last chunk that only the next chunk explains. */
  #held: Buffer = Buffer.alloc(0)
  #started = false

  write(chunk: Buffer): Buffer {
    if (this.#mode === 'untouched' || chunk.length === 0) return chunk
    let data = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    this.#held = Buffer.alloc(0)
    if (!this.#started) {
      if (data.length < 3 && BYTE_ORDER_MARK.subarray(0, data.length).equals(data)) {
        this.#held = data
        return Buffer.alloc(0)
      }
      this.#started = true
      if (BYTE_ORDER_MARK.equals(data.subarray(0, 3))) data = data.subarray(3)
    }
    if (this.#mode === 'unknown') this.#mode = modeOf(data)
    if (this.#mode === 'untouched') return data
    const end = data.length - returnsAtEnd(data)
    this.#held = Buffer.from(data.subarray(end))
    return this.#converted(data, end)
  }

  end(): Buffer {
    return this.#converted(this.#held, this.#held.length)
  }

  /** Converts the bytes before `end`; those behind it only decide what they are. */
  #converted(data: Buffer, end: number): Buffer {
    if (this.#mode === 'bare') return withLineFeeds(data.subarray(0, end))
    return this.#mode === 'doubled' ? withoutDoubles(data, end) : data.subarray(0, end)
  }
}

/** How many carriage returns the next chunk may explain. */
function returnsAtEnd(data: Buffer): number {
  if (data[data.length - 1] !== CR) return 0
  return data[data.length - 2] === CR ? 2 : 1
}

function modeOf(data: Buffer): Mode {
  const feed = data.indexOf(LF)
  const at = data.subarray(0, feed === -1 ? data.length : feed).indexOf(CR)
  if (at === -1) return feed === -1 ? 'unknown' : 'untouched'
  const next = data[at + 1] === CR ? at + 2 : at + 1
  if (next === data.length) return 'unknown'
  if (next !== feed) return 'bare'
  return next === at + 1 ? 'untouched' : 'doubled'
}

function withLineFeeds(data: Buffer): Buffer {
  const out = Buffer.from(data)
  for (let at = 0; at < out.length; at++) if (out[at] === CR && data[at + 1] !== LF) out[at] = LF
  return out
}

function withoutDoubles(data: Buffer, end: number): Buffer {
  const out = Buffer.allocUnsafe(end)
  let size = 0
  for (let at = 0; at < end; at++)
    if (data[at] !== CR || data[at + 1] !== CR || data[at + 2] !== LF) out[size++] = data[at] ?? 0
  return out.subarray(0, size)
}
