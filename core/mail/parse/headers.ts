import { Buffer, isUtf8 } from 'node:buffer'
import libmime from 'libmime'
import { storable } from './text.ts'

/** A header field as it stands in the message, folded, one character a byte. */
export interface HeaderLine {
  /** The name in lower case. */
  key: string
  line: string
}

export interface Header {
  name: string
  value: string
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the point is to tell ASCII from the rest
const ASCII = /^[\x00-\x7f]*$/

/** Every field in order, unfolded (RFC 5322, section 2.2.3; a fold is one space), with encoded words decoded (RFC 2047). */
export function headerList(lines: readonly HeaderLine[]): Header[] {
  const headers: Header[] = []
  for (const { line } of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) continue
    const name = storable(readable(line.slice(0, colon))).trim()
    headers.push({ name, value: decoded(readable(line.slice(colon + 1))) })
  }
  return headers
}

/** A field's text: unfolded, and read as UTF-8 (RFC 6532), or as Latin-1 where it cannot be that. */
export function readable(raw: string): string {
  const line = raw.includes('\n') || raw.includes('\r') ? raw.replaceAll(/[\r\n]+[ \t]*/g, ' ') : raw
  if (ASCII.test(line)) return line
  const bytes = Buffer.from(line, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : line
}

function decoded(text: string): string {
  return storable(text.includes('=?') ? libmime.decodeWords(text) : text).trim()
}

/** The value of the first field of this name. */
export function firstValue(headers: readonly Header[], name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value
}

/** An RFC 5322 date as RFC 3339 in UTC; null where it is none, or none of the years 0 to 9999. */
export function headerDate(value: string | undefined): string | null {
  const date = new Date(value ?? '')
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString()
  return text.length === 24 ? text : null
}
