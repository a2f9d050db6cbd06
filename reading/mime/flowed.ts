const GREATER = 62
const BLANK = ' '

/**
 * Joins the lines of a text in format=flowed into paragraphs (RFC 3676, section 4.1): a line that
 * ends with a blank continues in the next line of the same quote depth. "-- " begins a signature
 * and does not flow.
 */
export function joinFlowed(text: string, delSp: boolean): string {
  let out = ''
  /** Where the text begins that is not in `out` yet. */
  let pending = 0
  let openDepth = -1
  for (let at = 0; at <= text.length; ) {
    const found = text.indexOf('\n', at)
    const end = found === -1 ? text.length : found
    const depth = quoteDepth(text, at)
    const marks = at + depth
    const from = text[marks] === BLANK ? marks + 1 : marks
    const isSignature = end - from === 3 && text.startsWith('-- ', from)
    const flows = end > from && text[end - 1] === BLANK && !isSignature
    if (openDepth === depth && !isSignature) {
      // The line continues the one before it, without the line break and the marks.
      out += text.slice(pending, at - 1)
      pending = from
    } else if (depth === 0 && from > at) {
      // Another blank was put before the line (section 4.4).
      out += text.slice(pending, at)
      pending = from
    } else if (depth > 0 && from === marks) {
      out += `${text.slice(pending, marks)} `
      pending = marks
    }
    if (flows && delSp) {
      out += text.slice(pending, end - 1)
      pending = end
    }
    openDepth = flows ? depth : -1
    at = end + 1
  }
  return out + text.slice(pending)
}

function quoteDepth(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) === GREATER) at++
  return at - from
}
