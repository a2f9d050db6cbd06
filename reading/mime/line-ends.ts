import { Buffer } from 'node:buffer'

const LF = 10
const CR = 13
const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf)

/**
 * Prepares the bytes of a message for the parser. A UTF-8 byte order mark before the first line is
 * dropped; editors write one, and it would turn the first field into something else. In a message
 * whose first line ends with a bare carriage return, as old Macintosh programs wrote them, bare
 * carriage returns become line feeds.
 */
export class LineEnds {
  #mode: 'unknown' | 'untouched' | 'bare' = 'unknown'
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
    if (data[data.length - 1] === CR) {
      this.#held = Buffer.of(CR)
      data = data.subarray(0, -1)
    }
    return this.#mode === 'bare' ? withLineFeeds(data) : data
  }

  end(): Buffer {
    return this.#mode === 'bare' && this.#held.length > 0 ? Buffer.of(LF) : this.#held
  }
}

function modeOf(data: Buffer): 'unknown' | 'untouched' | 'bare' {
  const feed = data.indexOf(LF)
  const at = data.subarray(0, feed === -1 ? data.length : feed).indexOf(CR)
  if (at === -1) return feed === -1 ? 'unknown' : 'untouched'
  if (at + 1 === data.length) return 'unknown'
  return at + 1 === feed ? 'untouched' : 'bare'
}

function withLineFeeds(data: Buffer): Buffer {
  const out = Buffer.from(data)
  for (let at = 0; at < out.length; at++) if (out[at] === CR && data[at + 1] !== LF) out[at] = LF
  return out
}
