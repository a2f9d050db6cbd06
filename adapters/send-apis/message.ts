import { Buffer } from 'node:buffer'
import MailComposer from 'nodemailer/lib/mail-composer'
import { SEND_COPIES_BYTES, SEND_HEADERS_BYTES } from '../../core/limits.ts'
import { GrowingBytes } from './growing-bytes.ts'
import { checkLines, foldable, hasLongLine } from './lines.ts'
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
  /** Further forms of the body, such as a calendar or AMP for Email. */
  alternatives?: { contentType: string; content: string }[]
  headers: Header[]
  attachments: Attachment[]
}

/** The parts of a message that templates and substitutions make. */
export type Parts = Pick<OutgoingMail, 'subject' | 'text' | 'html'>

/** A message and its envelope. Header of every message: X-Mayfly-Send-Id. */
export interface PreparedMessage {
  /** The id of the provider's answer. */
  sendId: string
  mailFrom: string
  recipients: string[]
  /**
   * Builds the raw message. Called only after the recipients are accepted.
   * @throws SendError `too_large` if it has more than `maxBytes`
   */
  raw(maxBytes: number): Promise<Uint8Array>
}

const SEND_ID_HEADER = 'X-Mayfly-Send-Id'
const COPIES_AT_ONCE = 16
const LARGE_BYTES = 1024 * 1024
/** No part of a request may name a file of this machine or a URL. */
const COMPOSED = { newline: 'win', disableFileAccess: true, disableUrlAccess: true }
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
 * @param messageId the Message-ID field, as the provider sets it
 * @param finish makes the parts that differ between the messages of one request, when the message
 *   is built
 * @throws SendError `invalid` for a header field that is not valid
 */
export function composed(
  mail: OutgoingMail,
  sendId: string,
  messageId: string,
  finish?: () => Parts,
): PreparedMessage {
  checkHeaders(mail)
  return {
    sendId,
    mailFrom: mail.returnPath ?? mail.from.address,
    recipients: [...mail.to, ...mail.cc, ...mail.bcc].map(({ address }) => address),
    async raw(maxBytes) {
      const finished = finish === undefined ? mail : { ...mail, ...finish() }
      if (finish !== undefined) checkHeaders(finished)
      return build(finished, { messageId, sendId, maxBytes })
    },
  }
}

/** @throws SendError `invalid` */
function checkHeaders({ headers, subject, attachments, alternatives = [] }: OutgoingMail): void {
  let bytes = subject.length
  for (const { name, value } of headers) {
    bytes += name.length + value.length
    if (!HEADER_NAME.test(name))
      throw new SendError('invalid', `Invalid header name: ${JSON.stringify(name.slice(0, 200))}`)
    if (/[\r\n\0]/.test(value)) throw new SendError('invalid', `Invalid value of the header ${name}`)
  }
  for (const { contentType } of alternatives) bytes += contentType.length
  for (const { filename = '', contentType = '', contentId = '' } of attachments) {
    bytes += filename.length + contentType.length + contentId.length
  }
  if (bytes > SEND_HEADERS_BYTES) {
    throw new SendError('invalid', `The header fields have more than ${SEND_HEADERS_BYTES} characters.`)
  }
}

interface BuildOptions {
  messageId: string
  sendId: string
  maxBytes: number
}

async function build(mail: OutgoingMail, options: BuildOptions): Promise<Uint8Array> {
  const message = new GrowingBytes(options.maxBytes)
  message.add(sendIdHeader(options.sendId))
  for await (const chunk of composer(mail, options.messageId).compile().createReadStream()) {
    if (message.length + chunk.length > options.maxBytes) throw tooLarge(options.maxBytes)
    message.add(chunk)
  }
  const raw = message.take()
  checkLines(raw)
  return raw
}

function composer(mail: OutgoingMail, messageId: string): MailComposer {
  const headers = mail.headers.filter(({ name }) => !OWN_FIELDS.has(name.toLowerCase()))
  const written = new Map(headers.map(({ name }) => [name.toLowerCase(), name]))
  return new MailComposer({
    // Nodemailer makes X-Pm-Tag of X-PM-Tag; a test that looks for the name would not find it.
    normalizeHeaderKey: (key) => written.get(key.toLowerCase()) ?? key,
    from: mail.from,
    to: mail.to,
    cc: mail.cc,
    // An own Reply-To among the custom headers remains if the property is absent.
    ...(mail.replyTo.length > 0 && { replyTo: mail.replyTo }),
    ...(headers.every(({ name }) => name.toLowerCase() !== 'message-id') && { messageId }),
    headers: headersOf([...headers, { name: 'Subject', value: mail.subject }]),
    // A message without any body has an empty text part.
    text: mail.text || (mail.html ? undefined : ' '),
    html: mail.html,
    alternatives: mail.alternatives ?? [],
    attachments: mail.attachments.map(({ filename, contentType, content, contentId, inline }) => ({
      filename: filename ?? false,
      contentType: contentType ?? '',
      content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
      // Nodemailer leaves messages as they are.
      ...(hasLongLine(content) && { contentTransferEncoding: 'base64' as const }),
      contentDisposition: inline === true || contentId !== undefined ? 'inline' : 'attachment',
      ...(contentId !== undefined && { cid: contentId }),
    })),
    ...COMPOSED,
  })
}

/** Fields as Nodemailer takes them. Its types have no prepared value in a list. */
function headersOf(headers: Header[]): { key: string; value: string }[] {
  return headers.map(({ name, value }) => ({ key: name, value: foldable(name, value) as string }))
}

/**
 * The message with its id as the first header field, in its own memory, so that a thread can
 * hand it over.
 * @throws SendError `too_large`
 */
export function withSendId(raw: Uint8Array, sendId: string, maxBytes: number): Uint8Array {
  const header = sendIdHeader(sendId)
  if (header.length + raw.length > maxBytes) throw tooLarge(maxBytes)
  const message = new Uint8Array(header.length + raw.length)
  message.set(header)
  message.set(raw, header.length)
  return message
}

function sendIdHeader(sendId: string): Buffer {
  return Buffer.from(`${SEND_ID_HEADER}: ${sendId}\r\n`)
}

function tooLarge(maxBytes: number): SendError {
  return new SendError('too_large', `Message length is more than ${maxBytes} bytes long.`)
}

/**
 * How many messages of one request may be built at the same time, because each of them holds its
 * attachments.
 * @throws SendError `too_large` if all copies together exceed SEND_COPIES_BYTES
 */
export function copiesAtOnce(
  count: number,
  mail: Pick<OutgoingMail, 'attachments' | 'text' | 'html' | 'alternatives'>,
): number {
  const others = (mail.alternatives ?? []).reduce((sum, { content }) => sum + content.length, 0)
  const bodies = (mail.text?.length ?? 0) + (mail.html?.length ?? 0) + others
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
    text: parts.text,
    html: parts.html,
    headers: headersOf([{ name: 'Subject', value: parts.subject }]),
    ...COMPOSED,
  })
  return String(await composer.compile().build())
}
