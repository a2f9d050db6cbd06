/** A header field as it stands in the message, folded, one character a byte. */
export interface Field {
  /** The name in lower case. */
  key: string
  line: string
}

/** A field's name (RFC 5322, section 2.2), which old mail parts from its colon by blanks, and the colon. */
const FIELD = /^[!-9;-~]+[ \t]*:/

/** Fields that make what stands before them a header, whatever that is. */
const KNOWN =
  /^(?:content-(?:type|transfer-encoding|disposition|id)|mime-version|from|to|cc|subject|date|message-id|received)[ \t]*:/i

/** The line before the header in a mailbox file (RFC 4155). */
const ENVELOPE = /^>?From /

/** Whether a header can begin with this line. */
export function beginsHeader(line: string): boolean {
  return FIELD.test(line) || ENVELOPE.test(line) || KNOWN.test(line.trimStart())
}

/**
 * The fields of a header, and where in it the body begins when the blank line between them is missing: with the
 * first line that is no field, as Python's parser has it. Where more fields follow that every mail has, the line
 * is a broken one and is passed over, as in GMime.
 */
export function splitHeader(block: string): { fields: Field[]; body: number } {
  const fields: Field[] = []
  /** Where the last field begins that every mail has; looked for when it is first asked for. */
  let lastKnown: number | undefined
  let begin = -1
  let end = 0
  function endField(): void {
    if (begin === -1) return
    const line = block.slice(begin, end).trimEnd()
    fields.push({ key: line.slice(0, line.indexOf(':')).trim().toLowerCase(), line })
    begin = -1
  }
  for (let at = 0; at < block.length; at = end) {
    const found = block.indexOf('\n', at)
    const next = found === -1 ? block.length : found + 1
    const line = block.slice(at, next)
    const isFolded = line.startsWith(' ') || line.startsWith('\t')
    if (isFolded && (begin !== -1 || fields.length > 0)) {
      // What follows a line that was passed over goes with it.
    } else if (FIELD.test(line) || (isFolded && KNOWN.test(line.trimStart()))) {
      endField()
      // A blank before the first field folds nothing.
      begin = at + (line.length - line.trimStart().length)
    } else {
      endField()
      lastKnown ??= lastKnownIn(block)
      if (at > lastKnown && !(at === 0 && ENVELOPE.test(line))) return { fields, body: at }
    }
    end = next
  }
  endField()
  return { fields, body: -1 }
}

function lastKnownIn(block: string): number {
  let last = -1
  for (let at = 0; at < block.length; ) {
    const found = block.indexOf('\n', at)
    const end = found === -1 ? block.length : found + 1
    if (KNOWN.test(block.slice(at, end))) last = at
    at = end
  }
  return last
}
