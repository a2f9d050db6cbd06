import { Buffer } from 'node:buffer'
import { isAsciiSpace, trimAsciiEnd } from './ascii.ts'

/** A multipart whose end has not been reached. */
export interface Multipart {
  type: string
  /**
   * Two dashes and the boundary; null until the first line that looks like one, if the header names
   * none.
   */
  delimiter: string | null
  children: number
  isClosed: boolean
  /** The bytes before the first part. They become the text if there is no part. */
  preamble: Buffer[]
  preambleBytes: number
}

export interface Boundary {
  /** The position of its multipart: 0 is the outermost. */
  depth: number
  delimiter: string
  closes: boolean
}

/**
 * RFC 2046, section 5.1.1, allows 70 characters in a boundary; programs accept what they are given.
 */
export const BOUNDARY_LINE_MAX = 4096

/** How much of a preamble is kept. */
const PREAMBLE_MAX = 1024 * 1024

/**
 * The multiparts that surround the current line. Looking a line up costs one map access for each
 * distinct length of their delimiters, of which there are usually one or two.
 */
export class Boundaries {
  readonly #multiparts: Multipart[] = []
  /**
   * The depth of the innermost multipart of each delimiter; multiparts that are not closed come
   * first.
   */
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

  /** Records that the innermost multipart was closed, or continues with another part. */
  setClosed(isClosed: boolean): void {
    const { innermost } = this
    if (innermost === undefined || innermost.isClosed === isClosed) return
    innermost.isClosed = isClosed
    this.#index()
  }

  /** Keeps bytes before the first part of the innermost multipart, in case there is no part. */
  keepPreamble(bytes: Buffer): void {
    const { innermost } = this
    if (innermost === undefined || innermost.children > 0 || innermost.preambleBytes > PREAMBLE_MAX) return
    innermost.preamble.push(Buffer.from(bytes))
    innermost.preambleBytes += bytes.length
  }

  /**
   * Returns which boundary a line is, or undefined. A boundary with something behind it counts too
   * (RFC 2046, section 5.1.1, the note to implementors). If several match, those of multiparts that
   * are not closed are preferred, and of them the longest.
   * @param from where the line begins, with two dashes
   */
  find(data: Buffer, from: number, end: number): Boundary | undefined {
    if (end - from > BOUNDARY_LINE_MAX) return undefined
    const { innermost } = this
    const shortest = this.#lengths.at(-1) ?? 0
    const isNaming = innermost?.delimiter === null && hasAlphanumeric(data.subarray(from, end))
    if (!isNaming && (shortest === 0 || end - from < shortest)) return undefined
    const text = trimAsciiEnd(data.toString('latin1', from, end))
    if (isNaming && /^--\S+$/.test(text)) {
      innermost.delimiter = text
      this.#index()
    }
    let best: Boundary | undefined
    for (const length of this.#lengths) {
      const delimiter = text.slice(0, length)
      const depth = this.#depths.get(delimiter)
      const end = depth === undefined ? undefined : endOf(text, length)
      if (depth === undefined || end === undefined) continue
      const boundary = { depth, delimiter, closes: end !== '' }
      if (!this.#multiparts[depth]?.isClosed) return boundary
      best ??= boundary
    }
    return best !== undefined && this.#isRepeated(best) ? undefined : best
  }

  /** Whether it closes the innermost multipart again, which changes nothing. */
  #isRepeated({ depth, closes }: Boundary): boolean {
    const multipart = this.#multiparts[depth]
    return closes && depth === this.depth - 1 && multipart?.isClosed === true && multipart.children > 0
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

/**
 * Returns the end of a boundary after its delimiter: two dashes or nothing; undefined if the line is longer
 * than that.
 */
function endOf(line: string, at: number): '--' | '' | undefined {
  if (line.length === at || isAsciiSpace(line.charCodeAt(at))) return ''
  if (!line.startsWith('--', at)) return undefined
  return /[A-Za-z0-9]/.test(line.charAt(at + 2)) ? undefined : '--'
}

function hasAlphanumeric(line: Buffer): boolean {
  for (const byte of line) {
    const letter = byte | 0x20
    if ((byte >= 48 && byte <= 57) || (letter >= 97 && letter <= 122)) return true
  }
  return false
}
