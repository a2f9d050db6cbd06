import { decodedWords } from './encoded-words.ts'
import type { Field } from './header-block.ts'
import { storable } from './text.ts'

export interface Header {
  name: string
  value: string
}

/** Every field in order, unfolded, with encoded words decoded (RFC 2047). */
export function headerList(fields: readonly Field[]): Header[] {
  return fields.map(({ line }) => ({
    name: storable(line.slice(0, line.indexOf(':'))).trim(),
    value: storable(decodedWords(unfolded(line))).trim(),
  }))
}

/** What stands behind a field's colon, unfolded (RFC 5322, section 2.2.3; a fold is one space). */
export function unfolded(line: string): string {
  const value = line.slice(line.indexOf(':') + 1)
  return /[\r\n]/.test(value) ? value.replaceAll(/[\r\n]+[ \t]*/g, ' ') : value
}

/** The value of the first field of this name. */
export function firstValue(headers: readonly Header[], name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value
}
