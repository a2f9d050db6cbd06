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
  const lines = block === '' ? [] : block.split(/(?<=\n)/)
  const lastKnown = lines.findLastIndex((line) => KNOWN.test(line))
  const fields: { key: string; lines: string[] }[] = []
  let at = 0
  let body = -1
  for (const [index, written] of lines.entries()) {
    // A blank before the first field folds nothing.
    const line = fields.length === 0 && KNOWN.test(written.trimStart()) ? written.trimStart() : written
    if (FIELD.test(line)) {
      fields.push({ key: line.slice(0, line.indexOf(':')).trim().toLowerCase(), lines: [line] })
    } else if (/^[ \t]/.test(line) && fields.length > 0) {
      fields.at(-1)!.lines.push(line)
    } else if (index > lastKnown && !(index === 0 && ENVELOPE.test(line))) {
      body = at
      break
    }
    at += written.length
  }
  return { fields: fields.map(({ key, lines }) => ({ key, line: lines.join('').trimEnd() })), body }
}
