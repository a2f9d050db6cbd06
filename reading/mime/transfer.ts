import { Base64, ClaimedBase64 } from './base64.ts'
import { QuotedPrintable } from './quoted-printable.ts'
import { Uuencode } from './uuencode.ts'

/** Takes a content transfer encoding (RFC 2045, section 6) away as the bytes come. */
export interface Transfer {
  write(chunk: Buffer): Buffer
  end(): Buffer
}

const NOTHING = Buffer.alloc(0)
const IDENTITY: Transfer = { write: (chunk) => chunk, end: () => NOTHING }

/**
 * The decoder for a Content-Transfer-Encoding field's value. Quotes around it, a semicolon behind it and
 * comments are no part of it; what is unknown leaves the bytes as they are.
 * @param isText of the mail: it may claim to be base64 and be plain, which a reader sees at once
 */
export function transferOf(value: string | undefined, isText: boolean): Transfer {
  const name = /^[\s"']*(?:\([^)]*\)\s*)?([\w-]+)/.exec(value ?? '')?.[1]?.toLowerCase()
  if (name === 'base64') return isText ? new ClaimedBase64() : new Base64()
  if (name === 'quoted-printable') return new QuotedPrintable()
  if (name !== undefined && /^(?:x-)?uu(?:e|encode)$/.test(name)) return new Uuencode()
  return IDENTITY
}
