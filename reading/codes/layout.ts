import { isWhite, table } from '../lexicon/letters.ts'
import { isDigit } from './tokens.ts'

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

/** A line of fewer characters is not wrapped. */
const WRAPPED_MIN = 40

/** The last character of a line that goes on: no full stop, no colon, no mark of a list. */
const GOES_ON = /[\p{L}\p{M}\p{N},)"'’”»]/u

/** Characters of a line that say whether it is the rest of a sentence. */
const REST_MAX = 60

/** More than one word, of which the first one is no label. A value that stands alone on its line is neither. */
const REST = /^\p{L}[\p{L}\p{M}'’-]*(?:[ \u00a0][^:=\n]|[,.;!?)](?: |\n|$))/u
const CAPITAL = /^\p{Lu}/u
/** A word that ends no line by itself: "EUR an", "Office: 40", "Dear Anna,". */
const SMALL_WORD = /(?:[ (][\p{Ll}\d]{1,3}|,)$/u

/** A number at the end of a line of prose and one at the start of the next line are one: "+44 20", "3320 2609". */
const NUMBER_ENDS = /[ +[(]\d+$/
const NUMBER_GOES_ON = /^\d+(?:[ .,;)\]]|\n|$)/
/** A number that ends its sentence, or with which it goes on: "See ticket", "771204." */
const REST_OF_NUMBER = /^\d+(?: \p{Ll}|[.,;!?](?: |\n|$))/u

/** Words: a line without them is one of a list of values. */
const WORDS = /\p{L}{2} \p{L}{2}|\p{Lo}{4}/u

/**
 * The text with its wrapped lines joined, each line end by one blank, and without blanks at the ends of its lines: many
 * programs break the lines of a text at 60 to 78 characters, in the middle of a sentence.
 */
export function withoutWraps(written: string): string {
  const text = withoutTrailingBlanks(written.trim())
  let widest = 0
  let joined = ''
  let from = 0
  for (
    let start = 0, end = text.indexOf('\n');
    end !== -1;
    start = end + 1, end = text.indexOf('\n', start)
  ) {
    if (end - start < WRAPPED_MIN) continue
    if (widest === 0) widest = longestLine(text)
    if (!goesOnBelow(text, start, end, widest)) continue
    joined += `${text.slice(from, end)} `
    from = end + 1
  }
  return from === 0 ? text : joined + text.slice(from)
}

function withoutTrailingBlanks(text: string): string {
  return text.includes(' \n') || text.includes('\t\n') ? text.replace(TRAILING, '\n') : text
}

/** It begins at the first blank of a row, because a long row would be searched again and again. */
const TRAILING = /(?<![ \t])[ \t]+\n/g

function longestLine(text: string): number {
  let longest = 0
  for (let start = 0, end = 0; end !== -1; start = end + 1) {
    end = text.indexOf('\n', start)
    longest = Math.max(longest, (end === -1 ? text.length : end) - start)
  }
  return longest
}

function goesOnBelow(text: string, start: number, end: number, widest: number): boolean {
  const above = text.slice(start, end)
  if (!GOES_ON.test(above.slice(-1)) || !WORDS.test(above)) return false
  const below = text.slice(end + 1, end + 1 + REST_MAX)
  if (isDigit(below.charCodeAt(0)))
    return REST_OF_NUMBER.test(below) || (NUMBER_GOES_ON.test(below) && NUMBER_ENDS.test(above))
  if (!REST.test(below)) return false
  // A word with a capital may begin a line, unless it had no room in the line above.
  if (!CAPITAL.test(below)) return true
  return SMALL_WORD.test(above) && above.length + 1 + below.search(/[^\p{L}\p{M}]/u) > widest
}
