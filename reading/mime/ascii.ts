import { Buffer } from 'node:buffer'

const LF = 10
const CR = 13
const DASH = 45
const LINE_WITH_DASHES = Buffer.from('\n--')

/**
 * White space in text that holds one byte per character. JavaScript's `trim` and `\s` also match
 * U+00A0, which is the second byte of many UTF-8 characters, "à" among them.
 */
export function isAsciiSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

export function trimAscii(text: string): string {
  let start = 0
  while (isAsciiSpace(text.charCodeAt(start))) start++
  return trimAsciiEnd(text.slice(start))
}

export function trimAsciiEnd(text: string): string {
  let end = text.length
  while (isAsciiSpace(text.charCodeAt(end - 1))) end--
  return text.slice(0, end)
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
