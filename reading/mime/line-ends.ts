import { Buffer } from 'node:buffer'

const LF = 10
const CR = 13

/**
 * Makes line feeds of bare carriage returns, in a message whose first line ends with one: old Macintosh programs
 * wrote whole mails so. Other messages pass as they are.
 */
export class LineEnds {
  #mode: 'unknown' | 'untouched' | 'bare' = 'unknown'
  /** A carriage return came last: what it is, the next byte tells. */
  #return = false

  write(chunk: Buffer): Buffer {
    if (this.#mode === 'untouched' || chunk.length === 0) return chunk
    const data = this.#return ? Buffer.concat([Buffer.of(CR), chunk]) : chunk
    this.#return = false
    if (this.#mode === 'unknown') this.#mode = decided(data)
    if (this.#mode === 'untouched') return data
    this.#return = data[data.length - 1] === CR
    const length = this.#return ? data.length - 1 : data.length
    return this.#mode === 'bare' ? repaired(data, length) : data.subarray(0, length)
  }

  end(): Buffer {
    return this.#return ? Buffer.of(this.#mode === 'bare' ? LF : CR) : Buffer.alloc(0)
  }
}

function decided(data: Buffer): 'unknown' | 'untouched' | 'bare' {
  const at = data.findIndex((byte) => byte === LF || byte === CR)
  if (at === -1 || (data[at] === CR && at + 1 === data.length)) return 'unknown'
  return data[at] === LF || data[at + 1] === LF ? 'untouched' : 'bare'
}

function repaired(data: Buffer, length: number): Buffer {
  const out = Buffer.from(data.subarray(0, length))
  for (let at = out.indexOf(CR); at !== -1; at = out.indexOf(CR, at + 1))
    if (data[at + 1] !== LF) out[at] = LF
  return out
}
