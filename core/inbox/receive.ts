import type { EmailSummary, MessageDetails, Verdicts } from '../../reading/message.ts'
import { cut } from '../../reading/mime/text.ts'
import { parseMail } from '../../reading/read.ts'
import type { Domain, Domains } from '../access/ports.ts'
import { parseAddress } from '../address.ts'
import { Problem } from '../errors.ts'
import { SUMMARY_TEXT_BYTES } from '../limits.ts'
import type { Email } from './email.ts'
import { encodeMessageBody } from './message-body.ts'
import type { BlobStore, MessageStore } from './ports.ts'

/** One message, handed over once to this service for some recipients. */
export interface Envelope {
  /** Names it: the same each time that it is handled. `[A-Za-z0-9_-]{1,128}`. */
  messageId: string
  /** The envelope sender; null for a bounce. */
  mailFrom: string | null
  /** The envelope recipients, as they were given. */
  recipients: string[]
  /** Unix ms at which it came in, where it may have waited since: a domain that began anew meanwhile gets no copy. */
  receivedAt?: number
  /** The `visibleAfter` of those domains that were looked at when their recipients were let in. */
  visibleAfter?: Readonly<Record<string, string>>
  verdicts: Verdicts
}

/** What is needed of the ports here. */
export interface ReceivePorts {
  domains: Pick<Domains, 'find'>
  emails: Pick<MessageStore, 'store'>
  blobs: Pick<BlobStore, 'put' | 'remove'>
}

/**
 * The one way in, for both hosts: stores a message for those of its recipients that have a registered domain
 * here, and returns their emails; [] when there is none, and then nothing of the delivery is kept.
 *
 * The caller has put the raw message under (key, 'raw') itself, and hands it over once more as `raw`, which is
 * read to its end. What is in the message never makes this reject, only a store or `raw` does. To be called
 * again for the same delivery then, or at any time: it completes what was begun and stores nothing twice.
 */
export async function receive(
  ports: ReceivePorts,
  envelope: Envelope,
  raw: AsyncIterable<Uint8Array> | Uint8Array,
  options: { retentionMs: number },
): Promise<Email[]> {
  const { emails, blobs } = ports
  const { recipients, visibleAfter } = await registered(ports.domains, envelope)
  if (recipients.length === 0) {
    await blobs.remove(envelope.messageId)
    return []
  }
  const counted = count(raw)
  const mail = await parseMail(counted.content, (id, content) =>
    blobs.put(envelope.messageId, `attachments/${id}`, content),
  )
  const { headers, messageId, date, attachments, parseError } = mail
  const details: MessageDetails = {
    headers,
    messageId,
    date,
    attachments,
    verdicts: envelope.verdicts,
    mailFrom: envelope.mailFrom,
    ...(parseError === undefined ? {} : { parseError }),
  }
  await blobs.put(
    envelope.messageId,
    'content',
    encodeMessageBody(details, { bodyText: mail.text, bodyHtml: mail.html }),
  )
  const bodyText = cut(mail.text, SUMMARY_TEXT_BYTES)
  const content: EmailSummary = {
    from: mail.from,
    to: mail.to,
    cc: mail.cc,
    subject: mail.subject,
    bodyText,
    bodyTextTruncated: bodyText.length < mail.text.length,
    codes: mail.codes,
    links: mail.links,
    actionLink: mail.actionLink,
    attachmentCount: attachments.length,
    size: counted.size(),
  }
  const { messageId: key } = envelope
  const stored = await emails.store({
    messageId: key,
    recipients,
    visibleAfter,
    summary: content,
    retentionMs: options.retentionMs,
  })
  // All copies were removed since the first time, and the bytes with them, which are there again now.
  if (stored.length === 0) await blobs.remove(key)
  return stored
}

/** The canonical addresses of those recipients that are on a domain registered here, each once. */
async function registered(
  domains: ReceivePorts['domains'],
  envelope: Envelope,
): Promise<{ recipients: string[]; visibleAfter: Record<string, string> }> {
  const byDomain = new Map<string, Set<string>>()
  for (const recipient of envelope.recipients) {
    const parsed = canonical(recipient)
    if (parsed === undefined) continue
    const { domain, address } = parsed
    byDomain.set(domain, (byDomain.get(domain) ?? new Set()).add(address))
  }
  const known = await Promise.all(Array.from(byDomain.keys(), (name) => domains.find(name)))
  const open = known.filter((domain) => domain !== undefined && isSameRegistration(domain, envelope))
  return {
    recipients: open.flatMap((domain) => [...byDomain.get(domain!.name)!]),
    visibleAfter: Object.fromEntries(open.map((domain) => [domain!.name, domain!.visibleAfter])),
  }
}

/** Whether the domain is registered as it was when the mail came in: mail for a private domain must not open with it. */
function isSameRegistration(domain: Domain, { receivedAt, visibleAfter }: Envelope): boolean {
  if (receivedAt !== undefined && receivedAt < domain.registeredAt) return false
  return (visibleAfter?.[domain.name] ?? domain.visibleAfter) === domain.visibleAfter
}

function canonical(recipient: string): ReturnType<typeof parseAddress> | undefined {
  try {
    return parseAddress(recipient)
  } catch (error) {
    // On AWS the mail provider takes mail for any local part, also for one that no address here can have.
    if (error instanceof Problem) return undefined
    throw error
  }
}

function count(raw: AsyncIterable<Uint8Array> | Uint8Array): {
  content: AsyncIterable<Uint8Array> | Uint8Array
  size: () => number
} {
  if (raw instanceof Uint8Array) return { content: raw, size: () => raw.length }
  let size = 0
  async function* counting(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const chunk of chunks) {
      size += chunk.length
      yield chunk
    }
  }
  return { content: counting(raw), size: () => size }
}
