import { trimAscii } from './ascii.ts'
import { decodeWords, type HeaderContext } from './encoded-words.ts'
import type { Field } from './header-block.ts'
import { storable } from './text.ts'

export interface Header {
  name: string
  value: string
}

/** Returns every field in order, unfolded, with encoded words decoded (RFC 2047). */
export function headerList(fields: readonly Field[], context: HeaderContext): Header[] {
  return fields.map(({ line }) => ({
    name: storable(trimAscii(line.slice(0, line.indexOf(':')))),
    value: storable(decodeWords(unfolded(line), context)).trim(),
  }))
}

/**
 * Returns the value of the first field with this name (lower case), one character per byte,
 * unfolded.
 */
export function firstField(fields: readonly Field[], key: string): string | undefined {
  const field = fields.find((candidate) => candidate.key === key)
  return field && unfolded(field.line)
}

/** Returns what follows a field's colon; each fold is one space (RFC 5322, section 2.2.3). */
export function unfolded(line: string): string {
  const value = line.slice(line.indexOf(':') + 1)
  return /[\r\n]/.test(value) ? value.replaceAll(/[\r\n]+[ \t]*/g, ' ') : value
}

/** Returns the decoded value of the first field with this name (lower case). */
export function firstValue(headers: readonly Header[], name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value
}
