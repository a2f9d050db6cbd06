import { Buffer } from 'node:buffer'
import type { Field } from './headers.ts'
import type { MediaType } from './pieces.ts'
import { isAsciiSpace, trimAsciiEnd } from './text.ts'

const LF = 10
const CR = 13
const DASH = 45
const LINE_WITH_DASHES = Buffer.from('\n--')

/** A multipart whose end has not been reached. */
export interface Multipart {
  type: string
  /**
   * Two dashes and the boundary; null until the first line that looks like one, if the header names
   * none.
   */
  delimiter: string | null
  children: number
  /** A part that can be its root has begun: text, or another multipart. */
  hasRoot: boolean
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

/** What a text that other parts show, or that is a file, has in its header. */
const OF_FILES = new Set(['content-disposition', 'content-id', 'content-location'])

/** How much of a preamble is kept. */
const PREAMBLE_MAX = 1024 * 1024

/**
 * The multiparts that surround the current line. A line is compared with the delimiter of each,
 * which ends at the first character that differs; there are at most `ReadingLimits.depth`.
 */
export class Boundaries {
  readonly #multiparts: Multipart[] = []
  /** What `#delimiters` returned, until a multipart changes. */
  #known: [string, number][] | undefined

  get depth(): number {
    return this.#multiparts.length
  }

  get innermost(): Multipart | undefined {
    return this.#multiparts.at(-1)
  }

  get isAlternative(): boolean {
    return this.#multiparts.some(({ type }) => type === 'multipart/alternative')
  }

  push(type: string, delimiter: string | null): void {
    this.#multiparts.push({
      type,
      delimiter,
      children: 0,
      hasRoot: false,
      isClosed: false,
      preamble: [],
      preambleBytes: 0,
    })
    this.#known = undefined
  }

  pop(): Multipart | undefined {
    const multipart = this.#multiparts.pop()
    this.#known = undefined
    return multipart
  }

  /** Records that the innermost multipart was closed, or continues with another part. */
  setClosed(isClosed: boolean): void {
    const { innermost } = this
    if (innermost === undefined || innermost.isClosed === isClosed) return
    innermost.isClosed = isClosed
    this.#known = undefined
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
    // Most lines with dashes are not boundaries, and a hostile message has many of them, so the
    // cheap checks come first.
    const shortest = this.#delimiters().at(-1)?.[0].length ?? 0
    const isNaming = innermost?.delimiter === null && hasAlphanumeric(data.subarray(from, end))
    if (!isNaming && (shortest === 0 || end - from < shortest)) return undefined
    const text = trimAsciiEnd(data.toString('latin1', from, end))
    const boundary = this.#match(text)
    // An outer boundary ends this multipart, so it does not become its own.
    if (boundary !== undefined || !isNaming || /\s/.test(text)) return boundary
    innermost.delimiter = text
    this.#known = undefined
    return this.#match(text)
  }

  #match(text: string): Boundary | undefined {
    let closed: Boundary | undefined
    for (const [delimiter, depth] of this.#delimiters()) {
      const end = endOf(text, delimiter.length)
      if (end === undefined || !text.startsWith(delimiter)) continue
      const boundary = { depth, delimiter, closes: end !== '' }
      if (!this.#multiparts[depth]?.isClosed) return boundary
      closed ??= boundary
    }
    return closed !== undefined && this.#isRepeated(closed) ? undefined : closed
  }

  /** Whether it closes the innermost multipart again, which changes nothing. */
  #isRepeated({ depth, closes }: Boundary): boolean {
    const multipart = this.#multiparts[depth]
    return closes && depth === this.depth - 1 && multipart?.isClosed === true && multipart.children > 0
  }

  /**
   * Each delimiter, longest first, and the depth of its innermost multipart; multiparts that are not
   * closed come first.
   */
  #delimiters(): [string, number][] {
    if (this.#known !== undefined) return this.#known
    const depths = new Map<string, number>()
    for (const [depth, { delimiter, isClosed }] of this.#multiparts.entries())
      if (delimiter !== null && !(isClosed && depths.has(delimiter))) depths.set(delimiter, depth)
    this.#known = [...depths].sort(([a], [b]) => b.length - a.length)
    return this.#known
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

/**
 * Whether a part that begins is the root of the multipart around it: its first part, or the first
 * text of a multipart/related that begins with a picture.
 */
export function isRoot(
  around: Multipart | undefined,
  { type, parameters }: MediaType,
  fields: Field[],
): boolean {
  if (around === undefined) return true
  const isFile = () => parameters.has('name') || fields.some(({ key }) => OF_FILES.has(key))
  const mayFollow =
    around.type === 'multipart/related' && (type === 'text/html' || (type === 'text/plain' && !isFile()))
  const isFound = !around.hasRoot && (around.children === 1 || mayFollow)
  if (type.startsWith('text/')) around.hasRoot = true
  return isFound
}

/**
 * Where a line break comes before two dashes; -1 if it does not. Checking the position itself is
 * cheaper.
 */
export function nextDashes(data: Buffer, from: number): number {
  const isHere = data[from] === LF && data[from + 1] === DASH && data[from + 2] === DASH
  return isHere ? from : data.indexOf(LINE_WITH_DASHES, from)
}

/** Whether a line consists of its line break. */
export function isBlank(data: Buffer, from: number, end: number): boolean {
  const isReturn = data[from] === CR
  return data[from] === LF || (isReturn && (data[from + 1] === LF || end === from + 1))
}

/** Whether two dashes are at this position. */
export function isDashes(data: Buffer, at: number): boolean {
  return data[at] === DASH && data[at + 1] === DASH
}
