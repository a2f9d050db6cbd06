/**
 * Joins the lines of a text in format=flowed into paragraphs (RFC 3676, section 4.1): a line that
 * ends with a blank continues in the next line of the same quote depth. "-- " begins a signature
 * and does not flow.
 */
export function joinFlowed(text: string, delSp: boolean): string {
  const out: string[] = []
  let openDepth = -1
  for (const line of text.split('\n')) {
    const depth = quoteDepth(line)
    const content = line.slice(line[depth] === ' ' ? depth + 1 : depth)
    const isSignature = content === '-- '
    const flows = content.endsWith(' ') && !isSignature
    const shown = flows && delSp ? content.slice(0, -1) : content
    const quoted = depth === 0 ? shown : `${line.slice(0, depth)} ${shown}`
    if (openDepth === depth && !isSignature) out.push(shown)
    else out.push(out.length === 0 ? '' : '\n', quoted)
    openDepth = flows ? depth : -1
  }
  return out.join('')
}

function quoteDepth(line: string): number {
  let depth = 0
  while (line[depth] === '>') depth++
  return depth
}
