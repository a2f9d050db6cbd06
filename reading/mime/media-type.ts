import { Buffer } from 'node:buffer'
import { trimAsciiEnd } from './ascii.ts'
import type { HeaderContext } from './encoded-words.ts'
import type { Field } from './header-block.ts'
import { firstField } from './headers.ts'
import { type Parameters, parseParameters } from './parameters.ts'

export interface MediaType {
  /** Type and subtype in lower case. */
  type: string
  /** Whether the header names the type, and in a valid form. */
  isDeclared: boolean
  parameters: Parameters
}

/** RFC 6838, section 4.2, in lower case. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/

/**
 * Returns the media type of a part: `usual` if its header does not name one, text/plain with the
 * given parameters if the type is malformed (RFC 2045, section 5.2). A parameter may follow the
 * type without a semicolon, as Thunderbird reads it: `text/plain charset=utf-8`.
 */
export function mediaTypeOf(fields: readonly Field[], usual: string, context: HeaderContext): MediaType {
  const field = firstField(fields, 'content-type')
  if (field === undefined) return { type: usual, isDeclared: false, parameters: new Map() }
  const { value, parameters } = parseParameters(field, context)
  const type = value.toLowerCase()
  const isDeclared = MEDIA_TYPE.test(type)
  // Parts with a known boundary are read even if the kind of multipart is malformed.
  if (type.startsWith('multipart') && parameters.has('boundary') && !isDeclared)
    return { type: 'multipart/mixed', isDeclared, parameters }
  return { type: isDeclared ? type : 'text/plain', isDeclared, parameters }
}

/**
 * Returns the delimiter of a multipart: two dashes and the boundary, one character per byte. null
 * without one.
 */
export function delimiterOf(parameters: Parameters): string | null {
  const boundary = trimAsciiEnd(Buffer.from(parameters.get('boundary') ?? '').toString('latin1'))
  return boundary === '' ? null : `--${boundary}`
}
