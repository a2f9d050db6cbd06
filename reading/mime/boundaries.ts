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
 * The multiparts that surround the current line. A line is compared with the delimiter of each,
 * which ends at the first character that differs; there are at most `ReadingLimits.depth`.
 */
export class Boundaries {
  readonly #multiparts: Multipart[] = []
  /**
   * The depth of the innermost multipart of each delimiter; multiparts that are not closed come
   * first.
   */
  readonly #depths = new Map<string, number>()
  /** The keys of #depths, longest first. */
  #delimiters: string[] = []

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
    const shortest = this.#delimiters.at(-1)?.length ?? 0
    const isNaming = innermost?.delimiter === null && hasAlphanumeric(data.subarray(from, end))
    if (!isNaming && (shortest === 0 || end - from < shortest)) return undefined
    const text = trimAsciiEnd(data.toString('latin1', from, end))
    let best: Boundary | undefined
    for (const delimiter of this.#delimiters) {
      const end = endOf(text, delimiter.length)
      if (end === undefined || !text.startsWith(delimiter)) continue
      const depth = this.#depths.get(delimiter)
      if (depth === undefined) continue
      const boundary = { depth, delimiter, closes: end !== '' }
      if (!this.#multiparts[depth]?.isClosed) return boundary
      best ??= boundary
    }
    // An outer boundary ends this multipart, so it does not become its own.
    if (best === undefined && isNaming && /^--\S+$/.test(text)) {
      innermost.delimiter = text
      this.#index()
      return { depth: this.depth - 1, delimiter: text, closes: false }
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
    this.#delimiters = [...this.#depths.keys()].sort((a, b) => b.length - a.length)
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
