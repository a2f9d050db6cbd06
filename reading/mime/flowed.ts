/**
 * The paragraphs of a text in format=flowed (RFC 3676, section 4.1): a line that ends with a blank goes on in the
 * next one of the same depth of quotes. A line of "-- " begins a signature and does not.
 */
export function joinFlowed(text: string, delSp: boolean): string {
  const out: string[] = []
  let open: { depth: number } | null = null
  for (const line of text.split('\n')) {
    const marks = /^>*/.exec(line)![0]
    const content = line.slice(marks.length).replace(/^ /, '')
    const isSignature = content === '-- '
    const flows = content.endsWith(' ') && !isSignature
    const shown = flows && delSp ? content.slice(0, -1) : content
    const quoted = marks === '' ? shown : `${marks} ${shown}`
    if (open !== null && open.depth === marks.length && !isSignature) out.push(shown)
    else out.push(out.length === 0 ? '' : '\n', quoted)
    open = flows ? { depth: marks.length } : null
  }
  return out.join('')
}
