import { Buffer } from 'node:buffer'

const LF = 10
const CR = 13
const DASH = 45
const LINE_WITH_DASHES = Buffer.from('\n--')

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
