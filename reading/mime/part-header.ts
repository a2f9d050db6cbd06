import { Buffer } from 'node:buffer'
import { Base64, MaybeBase64 } from './base64.ts'
import type { HeaderContext } from './encoded-words.ts'
import { type Field, firstField } from './headers.ts'
import { type Parameters, parseParameters } from './parameters.ts'
import type { Leaf, MediaType } from './pieces.ts'
import { QuotedPrintable } from './quoted-printable.ts'
import { trimAsciiEnd } from './text.ts'
import { Uuencode } from './uuencode.ts'

/* What the header of a part says about its content: its type, how it is shown, and its encoding. */

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

/** How a part is to be shown (RFC 2183). */
export interface Disposition {
  /** An unknown kind counts as attachment (section 2.8). */
  kind: 'inline' | 'attachment' | undefined
  filename: string | undefined
}

export function dispositionOf({ fields, media }: Leaf, context: HeaderContext): Disposition {
  const field = firstField(fields, 'content-disposition')
  const name = media.parameters.get('name')
  if (field === undefined) return { kind: undefined, filename: name }
  const { value, parameters } = parseParameters(field, context)
  const kind = value.toLowerCase()
  return {
    // A value that is no word, as an encoded one, says nothing.
    kind: !/^[\w-]+$/.test(kind) ? undefined : kind === 'inline' ? 'inline' : 'attachment',
    filename: parameters.get('filename') ?? name,
  }
}

/**
 * Whether a part is text of the mail and no attachment (RFC 8621, section 4.1.4): text/plain or
 * text/html that has no name, or is the first of its parts. Also text: a named text in a
 * multipart/alternative, as Thunderbird shows it, and a message that consists of text of another
 * subtype (RFC 2046, section 4.1.4).
 */
export function isBody({ fields, media, parent, isRoot }: Leaf, { kind, filename }: Disposition): boolean {
  if (kind === 'attachment') return false
  const isNamed = filename !== undefined && filename.trim() !== ''
  // A file whose type cannot be read is no text.
  if (
    isNamed &&
    !media.isDeclared &&
    parent !== undefined &&
    firstField(fields, 'content-type') !== undefined
  )
    return false
  if (media.type !== 'text/plain' && media.type !== 'text/html')
    return parent === undefined && media.type.startsWith('text/') && !isNamed
  return isRoot || parent === 'multipart/alternative' || (parent !== 'multipart/related' && !isNamed)
}

/**
 * Decodes a content transfer encoding (RFC 2045, section 6), chunk by chunk. No implementation
 * returns more bytes in all than it was given.
 */
export interface Transfer {
  write(chunk: Buffer): Buffer
  end(): Buffer
}

const NOTHING = Buffer.alloc(0)
const IDENTITY: Transfer = { write: (chunk) => chunk, end: () => NOTHING }

/**
 * Returns the decoder for the value of a Content-Transfer-Encoding field. Quotes, comments and what
 * follows a semicolon are ignored; an unknown encoding leaves the bytes unchanged.
 * @param isText the part is text of the mail, which may claim to be base64 and be plain
 */
export function transferOf(value: string | undefined, isText: boolean): Transfer {
  const name = (/^[\s"']*(?:\([^)]*\)\s*)?([\w-]+)/.exec(value ?? '')?.[1] ?? '').toLowerCase()
  if (name === 'base64') return isText ? new MaybeBase64() : new Base64()
  if (name === 'quoted-printable') return new QuotedPrintable()
  if (/^(?:x-)?uu(?:e|encode)$/.test(name)) return new Uuencode()
  return IDENTITY
}
