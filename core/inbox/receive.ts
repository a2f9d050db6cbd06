import { Buffer } from 'node:buffer'
import type { EmailSummary, MessageDetails, Verdicts } from '../../reading/message.ts'
import { cut } from '../../reading/mime/text.ts'
import type { ParsedMail } from '../../reading/read.ts'
import { acceptedAddress } from '../access/accepted-address.ts'
import type { Domain, Domains } from '../access/ports.ts'
import { SUMMARY_ATTACHMENTS_MAX, SUMMARY_TEXT_BYTES } from '../limits.ts'
import type { Email } from './email.ts'
import { encodeMessageBody } from './message-body.ts'
import type { BlobStore, MessageParts, MessageStore, Opened, Origin, Part, Unsearched } from './ports.ts'

/** The SMTP envelope of one message, with what is known about its delivery. */
export interface Envelope {
  /** Identifies the message: the same each time that it is handled. `[A-Za-z0-9_-]{1,128}`. */
  messageId: string
  /** The envelope sender; null for a bounce. */
  mailFrom: string | null
  /** The envelope recipients, which SES passes on as the client sent them. */
  recipients: string[]
  /**
   * When the message was accepted (Unix ms), if it may have waited since then. A domain that was
   * registered later gets no copy.
   */
  receivedAt?: number
  /** The `visibleAfter` of the recipients' domains when the recipients were accepted. */
  visibleAfter?: Readonly<Record<string, string>>
  verdicts: Verdicts
  /** Who sent the message, if its bytes count against a share of the store. */
  origin?: Origin
}

/** The envelope of a message that was not handled before. The host gives it an id. */
export type NewEnvelope = Omit<Envelope, 'messageId'>

/**
 * Parses a message. Never fails because of the content: the result holds what could be read, and
 * `parseError` if that is not everything. Rejects with what `raw` or `saveAttachment` rejects with.
 * With `unsearched`, codes and links were not looked for, and there are none in the result.
 */
export type ReadMail = (
  raw: AsyncIterable<Uint8Array> | Uint8Array,
  saveAttachment: (id: string, content: AsyncIterable<Uint8Array>) => Promise<void>,
) => Promise<ParsedMail & { unsearched?: Unsearched }>

/** A message in memory, or one whose raw bytes the blob store has already. */
export type RawMessage = Uint8Array | (() => Promise<Opened>)

export interface ReceivePorts {
  domains: Pick<Domains, 'find'>
  emails: Pick<MessageStore, 'store'>
  blobs: Pick<BlobStore, 'put' | 'remove'>
}

export interface ReceiveOptions {
  read: ReadMail
  retentionMs: number
}

/**
 * Stores a message for those of its recipients whose domain is registered, and returns their
 * emails. Both hosts receive all mail through this function. Returns [] if there is no such
 * recipient; then no byte of the message is kept.
 *
 * Rejects only if the store or `raw` fails, never because of the content. Idempotent: calling it
 * again for the same `messageId`, after a failure or at any time, completes what was begun and
 * stores nothing twice.
 */
export async function receive(
  ports: ReceivePorts,
  envelope: Envelope,
  raw: RawMessage,
  { read, retentionMs }: ReceiveOptions,
): Promise<Email[]> {
  const { emails, blobs } = ports
  const { messageId, origin } = envelope
  const { recipients, visibleAfter } = await registeredRecipients(ports.domains, envelope)
  if (recipients.length === 0) {
    await blobs.remove(messageId)
    return []
  }
  const collected = new CollectedParts(blobs, messageId)
  if (raw instanceof Uint8Array) await collected.add('raw', raw)
  const { size, stream } = raw instanceof Uint8Array ? { size: raw.length, stream: raw } : await raw()
  const mail = await read(stream, (id, content) => collected.addAttachment(id, content))
  const summary = summaryOf(mail, size)
  await collected.add('body', bodyOf(mail, envelope, summary))
  const stored = await emails.store(
    {
      messageId,
      recipients,
      visibleAfter,
      summary,
      retentionMs,
      origin,
      unsearched: mail.unsearched,
      mentioned: [...mail.replyTo, { name: null, address: envelope.mailFrom }],
    },
    collected.parts,
  )
  // All copies were removed after an earlier call, so the parts that were stored again belong to no
  // email.
  if (stored.length === 0) await blobs.remove(messageId)
  return stored
}

/** Headers, bodies and the list of attachments, as they are stored beside the raw message. */
function bodyOf(mail: ParsedMail, { verdicts, mailFrom }: Envelope, summary: EmailSummary): Uint8Array {
  const { headers, messageId, date, attachments, codeDetails, parseError } = mail
  const details: MessageDetails = {
    headers,
    messageId,
    date,
    attachments,
    verdicts,
    mailFrom,
    codeDetails,
    ...(parseError === undefined ? {} : { parseError }),
  }
  return encodeMessageBody(details, { bodyText: mail.text, bodyHtml: mail.html }, summary)
}

function summaryOf(mail: ParsedMail, size: number): EmailSummary {
  const bodyText = cut(mail.text, SUMMARY_TEXT_BYTES)
  return {
    from: mail.from,
    to: mail.to,
    cc: mail.cc,
    subject: mail.subject,
    bodyText,
    bodyTextTruncated: bodyText.length < mail.text.length,
    codes: mail.codes,
    links: mail.links,
    actionLink: mail.actionLink,
    attachmentCount: mail.attachments.length,
    attachments: mail.attachments
      .slice(0, SUMMARY_ATTACHMENTS_MAX)
      .map(({ id, filename, contentType, size, inline }) => ({ id, filename, contentType, size, inline })),
    size,
  }
}

/** The canonical addresses of the recipients on registered domains, without duplicates. */
async function registeredRecipients(
  domains: ReceivePorts['domains'],
  envelope: Envelope,
): Promise<{ recipients: string[]; visibleAfter: Record<string, string> }> {
  const domainOf = new Map<string, string>()
  for (const recipient of envelope.recipients) {
    const parsed = await acceptedAddress(domains, recipient)
    // SES accepts mail for every local part, also for those that no address of this service can
    // have.
    if (parsed !== undefined) domainOf.set(parsed.address, parsed.domain)
  }
  const names = [...new Set(domainOf.values())]
  const found = await Promise.all(names.map((name) => domains.find(name)))
  const visibleAfter: Record<string, string> = {}
  for (const domain of found) {
    if (domain !== undefined && isSameRegistration(domain, envelope)) {
      visibleAfter[domain.name] = domain.visibleAfter
    }
  }
  const recipients = [...domainOf.keys()].filter((one) => Object.hasOwn(visibleAfter, domainOf.get(one)!))
  return { recipients, visibleAfter }
}

/**
 * Whether the domain is registered as it was when the mail was accepted. A domain may have been
 * private then and be public now; its mail must not become public with it.
 */
function isSameRegistration(domain: Domain, { receivedAt, visibleAfter }: Envelope): boolean {
  if (receivedAt !== undefined && receivedAt < domain.registeredAt) return false
  return (visibleAfter?.[domain.name] ?? domain.visibleAfter) === domain.visibleAfter
}

/**
 * Bytes of all parts of one message that are held in memory. A part that exceeds them is stored at
 * once.
 */
const COLLECTED_BYTES = 512 * 1024

/**
 * Collects the parts of a message while it is read, so that they are stored together with the
 * emails in one command. Parts that do not fit into memory go to the blob store directly.
 */
export class CollectedParts {
  readonly #blobs: Pick<BlobStore, 'put'>
  readonly #messageId: string
  readonly #parts = new Map<Part, Uint8Array>()
  #room = COLLECTED_BYTES

  constructor(blobs: Pick<BlobStore, 'put'>, messageId: string) {
    this.#blobs = blobs
    this.#messageId = messageId
  }

  get parts(): MessageParts {
    return this.#parts
  }

  /** Adds a part that is in memory already. */
  async add(part: Part, content: Uint8Array): Promise<void> {
    if (content.length > this.#room) return this.#blobs.put(this.#messageId, part, content)
    this.#room -= content.length
    this.#parts.set(part, content)
  }

  /** Adds a part of unknown size. Rejects with what the content or the blob store rejects with. */
  async addAttachment(id: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const part: Part = `attachments/${id}`
    const chunks: Uint8Array[] = []
    const iterator = content[Symbol.asyncIterator]()
    let size = 0
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      chunks.push(next.value)
      size += next.value.length
      if (size > this.#room) return this.#blobs.put(this.#messageId, part, chain(chunks, iterator))
    }
    await this.add(part, Buffer.concat(chunks))
  }
}

/** The chunks that were read already, and then the rest. */
async function* chain(chunks: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks.splice(0)
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
