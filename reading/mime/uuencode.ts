import { Buffer } from 'node:buffer'

/** A line that is longer is none of uuencode's. */
const LINE_MAX = 1000
const LF = 10

/**
 * Decodes what `uuencode` writes (POSIX.1-2017), which some programs name as the transfer encoding x-uuencode: lines
 * between `begin` and `end`, the first character of each saying how many bytes it holds. What stands before
 * `begin` and behind `end` is left out.
 */
export class Uuencode {
  #held: Buffer = Buffer.alloc(0)
  #state: 'before' | 'inside' | 'behind' = 'before'

  write(chunk: Buffer): Buffer {
    const data = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    const out: Buffer[] = []
    let at = 0
    for (let end = data.indexOf(LF); end !== -1; end = data.indexOf(LF, at)) {
      out.push(this.#line(data.subarray(at, end)))
      at = end + 1
    }
    this.#held = data.length - at > LINE_MAX ? Buffer.alloc(0) : Buffer.from(data.subarray(at))
    return Buffer.concat(out)
  }

  end(): Buffer {
    return this.#line(this.#held)
  }

  #line(line: Buffer): Buffer {
    if (this.#state !== 'inside') {
      if (this.#state === 'before' && /^begin(?:-base64)? [0-7]{3,4}\b/.test(line.toString('latin1', 0, 20)))
        this.#state = 'inside'
      return Buffer.alloc(0)
    }
    if (line.toString('latin1', 0, 3) === 'end' || line.length === 0) {
      if (line.length > 0) this.#state = 'behind'
      return Buffer.alloc(0)
    }
    const size = (line[0]! - 32) & 63
    const out = Buffer.alloc(Math.ceil(size / 3) * 3)
    for (let group = 0; group * 3 < size; group++) {
      let bits = 0
      // A program that cuts blanks at a line's end cuts zeros.
      for (let n = 0; n < 4; n++) bits = (bits << 6) | (((line[1 + group * 4 + n] ?? 32) - 32) & 63)
      out.writeUIntBE(bits & 0xffffff, group * 3, 3)
    }
    return out.subarray(0, size)
  }
}
