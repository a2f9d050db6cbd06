import { Buffer } from 'node:buffer'

/** No line of uuencode is longer. */
const LINE_MAX = 1000
/** `begin 644` is the shortest first line. */
const BEGIN_MIN = 9
/** What decides whether a line is one: `begin 0644` and the blank behind it. */
const BEGIN_MAX = 11
const LF = 10
const CR = 13
const SPACE = 32
const LOWER_E = 101
const LOWER_N = 110
const LOWER_D = 100

/**
 * Decodes what `uuencode` writes (POSIX.1-2017), which some programs name as the transfer encoding
 * x-uuencode: lines between `begin` and `end`, of which the first character says how many bytes the
 * line holds. Everything before `begin` and behind `end` is left out.
 */
export class Uuencode {
  #held: Buffer = Buffer.alloc(0)
  #state: 'before' | 'inside' | 'behind' = 'before'
  #consumed = 0
  #produced = 0

  write(chunk: Buffer): Buffer {
    this.#consumed += chunk.length
    const data = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    const out = Buffer.allocUnsafe(this.#room())
    let size = 0
    let at = 0
    // Lines are short, so looking at each byte is cheaper than calling indexOf for each line.
    for (let end = 0; end < data.length; end++) {
      if (data[end] !== LF) continue
      size += this.#line(data, at, end, out, size)
      at = end + 1
    }
    this.#held = data.length - at > LINE_MAX ? Buffer.alloc(0) : Buffer.from(data.subarray(at))
    return out.subarray(0, size)
  }

  end(): Buffer {
    const out = Buffer.allocUnsafe(this.#room())
    return out.subarray(0, this.#line(this.#held, 0, this.#held.length, out, 0))
  }

  /** How many bytes may be produced: never more than were consumed. */
  #room(): number {
    return this.#consumed - this.#produced
  }

  /** Decodes a line into `out` at `to`; returns how many bytes it wrote. */
  #line(data: Buffer, from: number, lineEnd: number, out: Buffer, to: number): number {
    const end = data[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd
    if (this.#state !== 'inside') {
      const isBegin =
        end - from >= BEGIN_MIN && /^begin [0-7]{3,4}\b/.test(data.toString('latin1', from, from + BEGIN_MAX))
      if (this.#state === 'before' && isBegin) this.#state = 'inside'
      return 0
    }
    if (data[from] === LOWER_E && data[from + 1] === LOWER_N && data[from + 2] === LOWER_D) {
      this.#state = 'behind'
      return 0
    }
    if (end === from) return 0
    // Programs cut blanks, which mean zeros, at the end of a line; zeros are added as long as there
    // is room.
    const size = Math.min(((data[from] ?? SPACE) - SPACE) & 63, this.#room())
    for (let written = 0, at = from + 1; written < size; written += 3, at += 4) {
      const bits =
        (sextet(data, at, end) << 18) |
        (sextet(data, at + 1, end) << 12) |
        (sextet(data, at + 2, end) << 6) |
        sextet(data, at + 3, end)
      // The next line overwrites surplus bytes; after the last line they are left out.
      out[to + written] = bits >> 16
      out[to + written + 1] = bits >> 8
      out[to + written + 2] = bits
    }
    this.#produced += size
    return size
  }
}

/** The six bits of a character; zeros behind the end of the line. */
function sextet(data: Buffer, at: number, end: number): number {
  return at < end ? ((data[at] ?? SPACE) - SPACE) & 63 : 0
}
