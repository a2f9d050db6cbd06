import { Buffer } from 'node:buffer'
import addressparser from 'nodemailer/lib/addressparser'
import { SendError } from './send-error.ts'

/** One mailbox of an address field. The name is decoded; it is empty if the text has none. */
export interface Mailbox {
  name: string
  address: string
}

/** RFC 2047, section 2. Blanks between two encoded words are not part of the text. */
const ENCODED_WORD = /=\?([^?\s]+)\?([bq])\?([^?\s]*)\?=(?:\s+(?==\?))?/gi

/**
 * The mailboxes of an address field such as `Ann <ann@example.com>, bob@example.com`.
 * @throws SendError `invalid` if an entry has no address
 */
export function parseMailboxes(text: string): Mailbox[] {
  const mailboxes = addressparser(text, { flatten: true })
  return mailboxes.map(({ name, address }) => {
    if (!/^[^\s@]+@[^\s@]+$/.test(address)) {
      throw new SendError('invalid', `Invalid email address: ${JSON.stringify(text.slice(0, 200))}`)
    }
    return { name: decodeWords(name), address }
  })
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
  return text.replace(ENCODED_WORD, (word, charset: string, encoding: string, content: string) => {
    const bytes =
      encoding.toLowerCase() === 'b'
        ? Buffer.from(content, 'base64')
        : Buffer.from(decodeQ(content), 'latin1')
    try {
      return new TextDecoder(charset).decode(bytes)
    } catch {
      return word
    }
  })
}

function decodeQ(text: string): string {
  return text
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
