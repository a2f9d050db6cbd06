import { isWhite, table } from '../lexicon/letters.ts'

/** Where a part of a text is. */
export interface Place {
  start: number
  end: number
}

/** Whether a lead over two lines is one sentence that was wrapped, not two lines of a list. */
export function isWrapped(said: string, line: string): boolean {
  const above = said.slice(0, said.length - line.length - 1)
  return above.length - above.lastIndexOf('\n') > 50
}

/**
 * Alone on its line, marks aside. What follows may be in brackets: "482913 (valid for 10 minutes)".
 */
export function isAlone(text: string, candidate: Place): boolean {
  return isBlank(text, candidate.start - 1, -1) && isBlank(text, candidate.end, 1)
}

function isBlank(text: string, from: number, step: 1 | -1): boolean {
  for (let n = 0; n < 40; n++) {
    const code = text.charCodeAt(from + n * step)
    if (Number.isNaN(code) || isLineEnd(code)) return true
    if (step === -1 && code === HEADING && text[from + n * step + 1] === ' ') continue
    if (step === 1 && code === OPEN_BRACKET && n <= 2) return true
    if (code < 128 ? !DECORATIVE[code] : LETTER_OR_DIGIT.test(String.fromCharCode(code))) return false
  }
  return false
}

const LINE_FEED = 0x0a
const TAB = 0x09
const OPEN_BRACKET = 0x28
const HEADING = 0x23
const DECORATIVE = table(' \'"*_`|~=<>[](){}.,;:!?-^&')
const LETTER_OR_DIGIT = /[\p{L}\p{N}€£¥₩]/u

/** Characters of a line before a value that say what it is. */
const LINE_MAX = 500

/** Where the line of a place starts, or what counts of a long one. */
export function startOfLine(text: string, place: number): number {
  const floor = Math.max(0, place - LINE_MAX)
  let start = place
  while (start > floor && text.charCodeAt(start - 1) !== LINE_FEED) start--
  return start
}

/** Where the line of a place ends. */
export function endOfLine(text: string, place: number): number {
  const end = text.indexOf('\n', place)
  return end === -1 ? text.length : end
}

/** A line of text and where it starts. */
export interface Line {
  start: number
  text: string
  /** It is the cell before in the same row of a table. */
  isCell: boolean
}

/** The nearest line above that is not blank, as far as 200 characters back. */
export function lineAbove(text: string, from: number): Line {
  const floor = Math.max(0, from - 200)
  let end = from
  // first to the start of the line of `from`, then over white space
  while (end > floor && !isLineEnd(text.charCodeAt(end - 1))) end--
  const lineStart = end
  while (end > floor && isWhite(text.charCodeAt(end - 1))) end--
  let start = end
  while (start > floor && !isLineEnd(text.charCodeAt(start - 1))) start--
  return { start, text: text.slice(start, end), isCell: !text.slice(end, lineStart).includes('\n') }
}

function isLineEnd(code: number): boolean {
  return code === LINE_FEED || code === TAB
}

/** The next line with something on it, at most three further down. */
export function lineAfter(text: string, from: number): Place | null {
  let start = from
  for (let breaks = 0; start < text.length && isWhite(text.charCodeAt(start)); start++)
    if (text.charCodeAt(start) === LINE_FEED && ++breaks > 4) return null
  if (start >= text.length) return null
  return { start, end: endOfLine(text, start) }
}

/** What may be behind a value: blanks, quotes, brackets, marks of markup, the end of a sentence. */
const MARK_BEHIND = /[\s"'“”«»„‘’)\]}>*_`|.,;!]/

/** The longest value that is examined. */
const MAX_VALUE = 120

/**
 * The text between two places without the quotes, brackets and full stop around it; null if too
 * long.
 */
export function valueBetween(
  text: string,
  from: number,
  to: number,
): { value: string; start: number } | null {
  if (to - from > MAX_VALUE) return null
  const shown = text.slice(from, to)
  // A part of the value may be missing.
  if (shown.includes('{') !== shown.includes('}')) return null
  const start = from + /^[\s:=>→"'“”«»„‘’([{<*_`|-]*/.exec(shown)![0].length
  let end = to
  // A search for the marks at the end would try each mark before it.
  while (end > start && MARK_BEHIND.test(text[end - 1]!)) end--
  return end <= start ? null : { value: text.slice(start, end), start }
}
