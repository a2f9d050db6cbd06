/** A line of fewer characters is not wrapped. */
const WRAPPED_MIN = 40

/** The last character of a line that goes on: no full stop, no colon, no mark of a list. */
const GOES_ON = /[\p{L}\p{M}\p{N},)"'’”»]/u

/**
 * The rest of a sentence: more than one word, of which the first one has no capital, and no label. A value that stands
 * alone on its line is neither.
 */
const REST = /^(?:\p{Ll}|\p{Lo})[\p{L}\p{M}'’-]*(?:[ \u00a0][^:=\n]|[,.;!?)]( |\n|$))/u
const REST_MAX = 60

/**
 * The text with its wrapped lines joined, each line end by one blank, so that every character keeps its place: many
 * programs break the lines of a text at 60 to 78 characters, in the middle of a sentence.
 */
export function withoutWraps(text: string): string {
  let joined = ''
  let from = 0
  for (let start = 0, end = text.indexOf('\n'); end !== -1; start = end + 1, end = text.indexOf('\n', start)) {
    if (end - start < WRAPPED_MIN || !isWrapped(text, end)) continue
    joined += `${text.slice(from, end)} `
    from = end + 1
  }
  return from === 0 ? text : joined + text.slice(from)
}

function isWrapped(text: string, end: number): boolean {
  return GOES_ON.test(text.charAt(end - 1)) && REST.test(text.slice(end + 1, end + 1 + REST_MAX))
}
