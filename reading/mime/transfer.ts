import { Buffer } from 'node:buffer'
import { Base64, MaybeBase64 } from './base64.ts'
import { QuotedPrintable } from './quoted-printable.ts'
import { Uuencode } from './uuencode.ts'

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
