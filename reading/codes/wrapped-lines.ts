import { isDigit } from './tokens.ts'

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
    if (!isWrapped(text, start, end, widest)) continue
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

function isWrapped(text: string, start: number, end: number, widest: number): boolean {
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
