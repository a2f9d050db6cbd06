import { Buffer } from 'node:buffer'
import MailComposer from 'nodemailer/lib/mail-composer'
import { SEND_COPIES_BYTES } from '../../core/limits.ts'
import type { Mailbox } from './mailboxes.ts'
import { SendError } from './send-error.ts'

export interface Attachment {
  filename: string | undefined
  contentType: string | undefined
  content: Uint8Array
  /** Set for an inline part that the HTML names as `cid:`; without angle brackets. */
  contentId?: string | undefined
  inline?: boolean
}

export interface Header {
  name: string
  value: string
}

/** A message as a provider's API describes it. */
export interface OutgoingMail {
  from: Mailbox
  /** The envelope sender; the address of `from` if undefined. */
  returnPath?: string | undefined
  to: Mailbox[]
  cc: Mailbox[]
  bcc: Mailbox[]
  replyTo: Mailbox[]
  subject: string
  text: string | undefined
  html: string | undefined
  headers: Header[]
  attachments: Attachment[]
}

/** A message and its envelope. Header of every message: X-Mayfly-Send-Id. */
export interface PreparedMessage {
  /** The id of the provider's answer. */
  sendId: string
  mailFrom: string
  recipients: string[]
  /** Builds the raw message. Called only after the recipients are accepted. */
  raw(): Promise<Uint8Array>
}

export const SEND_ID_HEADER = 'X-Mayfly-Send-Id'
const COPIES_AT_ONCE = 16
const LARGE_BYTES = 1024 * 1024
/** RFC 5322, section 2.2. */
const HEADER_NAME = /^[\x21-\x39\x3b-\x7e]{1,100}$/
/** Fields that the message's structure or its other properties determine. */
const OWN_FIELDS = new Set([
  'bcc',
  'cc',
  'content-transfer-encoding',
  'content-type',
  'from',
  'mime-version',
  'subject',
  'to',
  SEND_ID_HEADER.toLowerCase(),
])

/**
 * A message that is built from its parts.
 * @param sendId the id of the answer
 * @param messageIdHost right part of the Message-ID field, as the provider sets it
 * @throws SendError `invalid` for a header field that is not valid
 */
export function composed(mail: OutgoingMail, sendId: string, messageIdHost: string): PreparedMessage {
  for (const { name, value } of mail.headers) {
    if (!HEADER_NAME.test(name))
      throw new SendError('invalid', `Invalid header name: ${JSON.stringify(name)}`)
    if (/[\r\n\0]/.test(value)) throw new SendError('invalid', `Invalid value of the header ${name}`)
  }
  return {
    sendId,
    mailFrom: mail.returnPath ?? mail.from.address,
    recipients: [...mail.to, ...mail.cc, ...mail.bcc].map(({ address }) => address),
    raw: async () => withSendId(await build(mail, `<${sendId}@${messageIdHost}>`), sendId),
  }
}

async function build(mail: OutgoingMail, messageId: string): Promise<Buffer> {
  const headers = mail.headers.filter(({ name }) => !OWN_FIELDS.has(name.toLowerCase()))
  const composer = new MailComposer({
    from: mail.from,
    to: mail.to,
    cc: mail.cc,
    // An own Reply-To among the custom headers remains if the property is absent.
    ...(mail.replyTo.length > 0 && { replyTo: mail.replyTo }),
    subject: mail.subject,
    ...(headers.every(({ name }) => name.toLowerCase() !== 'message-id') && { messageId }),
    headers: headers.map(({ name, value }) => ({ key: name, value })),
    // A message without any body has an empty text part.
    text: mail.text || (mail.html ? undefined : ' '),
    html: mail.html,
    attachments: mail.attachments.map(({ filename, contentType, content, contentId, inline }) => ({
      filename: filename ?? false,
      contentType: contentType ?? '',
      content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
      contentDisposition: inline === true || contentId !== undefined ? 'inline' : 'attachment',
      ...(contentId !== undefined && { cid: contentId }),
    })),
    newline: 'win',
    // No part of a request may name a file of this machine or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

/**
 * The message with its id as the first header field, in its own memory, so that a thread can
 * hand it over.
 */
export function withSendId(raw: Uint8Array, sendId: string): Uint8Array {
  const header = Buffer.from(`${SEND_ID_HEADER}: ${sendId}\r\n`)
  const message = new Uint8Array(header.length + raw.length)
  message.set(header)
  message.set(raw, header.length)
  return message
}

/**
 * How many messages of one request may be built at the same time, because each of them holds its
 * attachments.
 * @throws SendError `too_large` if all copies together exceed SEND_COPIES_BYTES
 */
export function copiesAtOnce(
  count: number,
  mail: Pick<OutgoingMail, 'attachments' | 'text' | 'html'>,
): number {
  const bodies = (mail.text?.length ?? 0) + (mail.html?.length ?? 0)
  const bytes = mail.attachments.reduce((sum, { content }) => sum + content.length, bodies)
  if (count * bytes > SEND_COPIES_BYTES) {
    throw new SendError(
      'too_large',
      `${count} messages of ${bytes} bytes are more than ${SEND_COPIES_BYTES} bytes.`,
    )
  }
  return bytes > LARGE_BYTES ? 1 : COPIES_AT_ONCE
}

/** Subject and bodies as a MIME message without recipients. */
export async function renderMime(parts: {
  subject: string
  text: string | undefined
  html: string | undefined
}): Promise<string> {
  const composer = new MailComposer({
    ...parts,
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return String(await composer.compile().build())
}
