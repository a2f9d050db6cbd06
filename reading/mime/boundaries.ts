import type { Buffer } from 'node:buffer'
import { trimAsciiEnd } from './ascii.ts'

/** A multipart whose end has not been reached. */
export interface Multipart {
  type: string
  /** Two dashes and the boundary; null until the first line that looks like one, if the header names none. */
  delimiter: string | null
  children: number
  isClosed: boolean
  /** What precedes the first part. It becomes the text if there is no part. */
  preamble: Buffer[]
  preambleBytes: number
}

export interface Boundary {
  /** The position of its multipart: 0 is the outermost. */
  depth: number
  delimiter: string
  closes: boolean
}

/** RFC 2046, section 5.1.1, allows 70 characters in a boundary; programs accept what they are given. */
export const BOUNDARY_LINE_MAX = 4096

/**
 * The multiparts that surround the current line. Looking a line up costs one map access for each distinct length of
 * their delimiters, of which there are usually one or two.
 */
export class Boundaries {
  readonly #multiparts: Multipart[] = []
  /** The depth of the innermost multipart of each delimiter; multiparts that are not closed come first. */
  readonly #depths = new Map<string, number>()
  /** The distinct lengths of the delimiters, longest first. */
  #lengths: number[] = []

  get depth(): number {
    return this.#multiparts.length
  }

  get innermost(): Multipart | undefined {
    return this.#multiparts.at(-1)
  }

  push(type: string, delimiter: string | null): void {
    this.#multiparts.push({
      type,
      delimiter,
      children: 0,
      isClosed: false,
      preamble: [],
      preambleBytes: 0,
    })
    this.#index()
  }

  pop(): Multipart | undefined {
    const multipart = this.#multiparts.pop()
    this.#index()
    return multipart
  }

  /** Notes that the innermost multipart was closed, or goes on with another part. */
  setClosed(isClosed: boolean): void {
    const { innermost } = this
    if (innermost === undefined || innermost.isClosed === isClosed) return
    innermost.isClosed = isClosed
    this.#index()
  }

  /**
   * Returns which boundary a line is, or undefined. A boundary with something behind it counts too (RFC 2046, section
   * 5.1.1, the note to implementors). If several match, one that is the whole line is preferred, then one of a
   * multipart that is not closed, then the longest.
   * @param line begins with two dashes
   */
  find(line: Buffer): Boundary | undefined {
    if (line.length > BOUNDARY_LINE_MAX) return undefined
    const { innermost } = this
    const shortest = this.#lengths.at(-1) ?? 0
    const isNaming = innermost?.delimiter === null && hasAlphanumeric(line)
    if (!isNaming && (shortest === 0 || line.length < shortest)) return undefined
    const text = trimAsciiEnd(line.toString('latin1'))
    if (isNaming && /^--\S+$/.test(text)) {
      innermost.delimiter = text
      this.#index()
    }
    let best: Boundary | undefined
    let bestRank = -1
    for (const length of this.#lengths) {
      const delimiter = text.slice(0, length)
      const depth = this.#depths.get(delimiter)
      const rest = text.slice(length)
      const end = /^(?:--)?(?![A-Za-z0-9])/.exec(rest)?.[0]
      if (depth === undefined || end === undefined || (end === '' && !/^(?:[ \t\r\n\f\v]|$)/.test(rest))) continue
      const isOpen = this.#multiparts[depth]?.isClosed === false
      const rank = (rest === end ? 2 : 0) + (isOpen ? 1 : 0)
      if (rank > bestRank) best = { depth, delimiter, closes: end !== '' }
      bestRank = Math.max(rank, bestRank)
    }
    return best
  }

  #index(): void {
    this.#depths.clear()
    for (const [depth, { delimiter, isClosed }] of this.#multiparts.entries()) {
      if (delimiter === null) continue
      const outer = this.#multiparts[this.#depths.get(delimiter) ?? depth]
      if (!isClosed || outer?.isClosed) this.#depths.set(delimiter, depth)
    }
    const lengths = new Set(Array.from(this.#depths.keys(), ({ length }) => length))
    this.#lengths = [...lengths].sort((a, b) => b - a)
  }
}

function hasAlphanumeric(line: Buffer): boolean {
  for (const byte of line) {
    const letter = byte | 0x20
    if ((byte >= 48 && byte <= 57) || (letter >= 97 && letter <= 122)) return true
  }
  return false
}
