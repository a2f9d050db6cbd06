import type { Buffer } from 'node:buffer'
import { BOUNDARY_LINE_MAX, type Boundary, isDashes, nextDashes } from './boundaries.ts'

const LF = 10
const CR = 13
/** A line break and one dash: a boundary may follow at the end of the data. */
const BREAK_MAX = 3

/** Where content ends in the data that has arrived. */
export type ContentEnd =
  /** At a boundary; `next` is where the line after it begins. */
  | { type: 'boundary'; end: number; boundary: Boundary; next: number }
  /** At a line that may become a boundary when the rest of it arrives. */
  | { type: 'undecided'; end: number }
  /** Nowhere; `end` is how much of the content is certain. */
  | { type: 'none'; end: number }

/**
 * Finds the end of the content that begins at `start`, in time linear in the data.
 * @param isFresh a boundary may begin at `start` without a line break before it
 * @param isLast no more data will arrive
 * @param find returns which boundary the line from `from` to `lineEnd` is, behind content that ends
 * at `end`
 */
export function contentEnd(
  data: Buffer,
  start: number,
  { isFresh, isLast }: { isFresh: boolean; isLast: boolean },
  find: (from: number, lineEnd: number, end: number) => Boundary | undefined,
): ContentEnd {
  let scan = start
  let isHere = isFresh && isDashes(data, start)
  for (;;) {
    const at = isHere ? start - 1 : nextDashes(data, scan)
    if (!isHere && at === -1) break
    // The line break before a boundary belongs to the boundary (RFC 2046, section 5.1.1).
    const end = isHere ? start : data[at - 1] === CR ? at - 1 : at
    isHere = false
    const found = data.indexOf(LF, at + 1)
    if (found === -1 && !isLast && data.length - (at + 1) <= BOUNDARY_LINE_MAX)
      return { type: 'undecided', end }
    const lineEnd = found === -1 ? data.length : found
    const boundary = find(at + 1, lineEnd, end)
    if (boundary !== undefined)
      return { type: 'boundary', end, boundary, next: Math.min(lineEnd + 1, data.length) }
    scan = lineEnd
  }
  return { type: 'none', end: isLast ? data.length : Math.max(start, data.length - BREAK_MAX) }
}
