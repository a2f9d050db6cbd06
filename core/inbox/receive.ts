import type { Content, Detail, Verdicts } from '../../reading/message.ts'
import { cut } from '../../reading/mime/text.ts'
import { parseMail } from '../../reading/read.ts'
import type { Domain, Domains } from '../access/ports.ts'
import { parseAddress } from '../address.ts'
import { Problem } from '../errors.ts'
import { SUMMARY_TEXT_BYTES } from '../limits.ts'
import { encodeContent } from './content.ts'
import type { Email } from './email.ts'
import type { BlobStore, MessageStore } from './ports.ts'

/** One message, handed over once to this service for some recipients. */
export interface Envelope {
  /** Names it: the same each time that it is handled. `[A-Za-z0-9_-]{1,128}`. */
  message_key: string
  /** The envelope sender; null for a bounce. */
  mail_from: string | null
  /** The envelope recipients, as they were given. */
  recipients: string[]
  /** Unix ms at which it came in, where it may have waited since: a domain that began anew meanwhile gets no copy. */
  received_at?: number
  /** The `visible_after` of those domains that were looked at when their recipients were let in. */
  registrations?: Readonly<Record<string, string>>
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
  options: { retention_ms: number },
): Promise<Email[]> {
  const { emails, blobs } = ports
  const { recipients, registrations } = await registered(ports.domains, envelope)
  if (recipients.length === 0) {
    await blobs.remove(envelope.message_key)
    return []
  }
  const counted = count(raw)
  const mail = await parseMail(counted.content, (id, content) =>
    blobs.put(envelope.message_key, `attachments/${id}`, content),
  )
  const { headers, message_id, date, attachments, parse_error } = mail
  const detail: Detail = {
    headers,
    message_id,
    date,
    attachments,
    verdicts: envelope.verdicts,
    mail_from: envelope.mail_from,
    ...(parse_error === undefined ? {} : { parse_error }),
  }
  await blobs.put(
    envelope.message_key,
    'content',
    encodeContent(detail, { body_text: mail.text, body_html: mail.html }),
  )
  const body_text = cut(mail.text, SUMMARY_TEXT_BYTES)
  const content: Content = {
    from: mail.from,
    to: mail.to,
    cc: mail.cc,
    subject: mail.subject,
    body_text,
    body_text_truncated: body_text.length < mail.text.length,
    codes: mail.codes,
    links: mail.links,
    action_link: mail.action_link,
    attachment_count: attachments.length,
    size: counted.size(),
  }
  const { message_key: key } = envelope
  const stored = await emails.store({
    delivery: key,
    recipients,
    registrations,
    content,
    retention_ms: options.retention_ms,
  })
  // All copies were removed since the first time, and the bytes with them, which are there again now.
  if (stored.length === 0) await blobs.remove(key)
  return stored
}

/** The canonical addresses of those recipients that are on a domain registered here, each once. */
async function registered(
  domains: ReceivePorts['domains'],
  envelope: Envelope,
): Promise<{ recipients: string[]; registrations: Record<string, string> }> {
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
    registrations: Object.fromEntries(open.map((domain) => [domain!.name, domain!.visible_after])),
  }
}

/** Whether the domain is registered as it was when the mail came in: mail for a private domain must not open with it. */
function isSameRegistration(domain: Domain, { received_at, registrations }: Envelope): boolean {
  if (received_at !== undefined && received_at < domain.registered_at) return false
  return (registrations?.[domain.name] ?? domain.visible_after) === domain.visible_after
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
