import { Buffer } from 'node:buffer'
import addressparser from 'nodemailer/lib/addressparser'
import { SendError } from './send-error.ts'

/** One mailbox of an address field. The name is decoded; it is empty if the text has none. */
export interface Mailbox {
  name: string
  address: string
}

/** A local part, which may be quoted, and a domain; the outbox examines both. */
const ADDRESS = /^(?:"(?:[^"\\]|\\.)*"|[^\s@"]+)@[^\s@]+$/
/** Room for 1,000 recipients with their names. Each address costs as much as 100 bytes of text. */
const FIELD_MAX = 128 * 1024
/** RFC 2047, section 2. Blanks between two encoded words are not part of the text. */
const ENCODED_WORD = /=\?([^?\s]+)\?([bq])\?([^?\s]*)\?=(?:\s+(?==\?))?/gi

/**
 * The mailboxes of an address field such as `Ann <ann@example.com>, bob@example.com`.
 * @throws SendError `invalid` if an entry has no address
 */
export function parseMailboxes(text: string): Mailbox[] {
  checkLength(text.length)
  const mailboxes = addressparser(text, { flatten: true })
  return mailboxes.map(({ name, address }) => {
    if (!ADDRESS.test(address)) {
      throw new SendError('invalid', `Invalid email address: ${JSON.stringify(text.slice(0, 200))}`)
    }
    return { name: decodeWords(name), address }
  })
}

/** The mailboxes of fields that one header field holds together. @throws SendError `invalid` */
export function parseFields(texts: string[]): Mailbox[] {
  checkLength(texts.reduce((sum, { length }) => sum + length, 0))
  return texts.flatMap(parseMailboxes)
}

function checkLength(length: number): void {
  if (length > FIELD_MAX)
    throw new SendError('invalid', `An address field has at most ${FIELD_MAX} characters.`)
}

/** Exactly one mailbox. @throws SendError `invalid` */
export function parseMailbox(text: string): Mailbox {
  const [mailbox, ...more] = parseMailboxes(text)
  if (mailbox === undefined || more.length > 0) {
    throw new SendError('invalid', `Invalid email address: ${JSON.stringify(text.slice(0, 200))}`)
  }
  return mailbox
}

/** SDKs of providers that accept only ASCII encode display names themselves (RFC 2047). */
function decodeWords(text: string): string {
  // A field may have 50,000 words, and an unknown charset is an exception.
  const decoders = new Map<string, TextDecoder | null>()
  return text.replace(ENCODED_WORD, (word, charset: string, encoding: string, content: string) => {
    const bytes =
      encoding.toLowerCase() === 'b'
        ? Buffer.from(content, 'base64')
        : Buffer.from(decodeQ(content), 'latin1')
    const decoder = decoders.has(charset) ? decoders.get(charset) : decoderOf(charset)
    decoders.set(charset, decoder ?? null)
    return decoder?.decode(bytes) ?? word
  })
}

/** null if the charset is unknown. */
function decoderOf(charset: string): TextDecoder | null {
  try {
    return new TextDecoder(charset)
  } catch {
    return null
  }
}

function decodeQ(text: string): string {
  return text
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
