import { ulidTime } from '../ulid.ts'

/** A mailbox as headers name it (RFC 5322, section 3.4). */
export interface Person {
  name: string | null
  address: string | null
}

/** What is the same for every recipient of one message, in the size that lists and events carry. */
export interface Content {
  from: Person
  to: Person[]
  cc: Person[]
  subject: string
  body_text: string
  body_text_truncated: boolean
  codes: string[]
  links: string[]
  attachment_count: number
  /** Bytes of the raw message. */
  size: number
}

/** An email as lists, latest, wait and stream events carry it (contract: Email object). */
export interface Email extends Content {
  id: string
  /** The envelope recipient in canonical form. */
  address: string
  /** RFC 3339 in UTC with milliseconds: the time inside the id. */
  received_at: string
  expires_at: string
  read: boolean
}

/** RFC 8601 results as SES reports them; null where nobody checked. */
export type Verdict = 'pass' | 'fail' | 'gray' | 'processing_failed' | null

export interface Verdicts {
  spam: Verdict
  virus: Verdict
  spf: Verdict
  dkim: Verdict
  dmarc: Verdict
}

export const NO_VERDICTS: Verdicts = { spam: null, virus: null, spf: null, dkim: null, dmarc: null }

export interface Attachment {
  /** Its position in the message, from "0". */
  id: string
  filename: string | null
  content_type: string
  size: number
  inline: boolean
  /** Without angle brackets. */
  content_id: string | null
  /** Hex. */
  sha256: string
}

/** What only the single-email endpoint tells, without the two bodies, which may be large. */
export interface Detail {
  headers: { name: string; value: string }[]
  message_id: string | null
  date: string | null
  attachments: Attachment[]
  verdicts: Verdicts
  mail_from: string | null
  /** Present only when the message could not be parsed as a whole. */
  parse_error?: string
}

/** Both bodies whole. */
export interface Bodies {
  body_text: string
  body_html: string | null
}

/** The domain of a canonical address. */
export function domainPart(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}

/** One copy of a message: its content, for one recipient, under the id that it was stored with. */
export function emailOf(content: Content, address: string, id: string, retentionMs: number): Email {
  const time = ulidTime(id)
  return {
    id,
    address,
    ...content,
    received_at: new Date(time).toISOString(),
    expires_at: new Date(time + retentionMs).toISOString(),
    read: false,
  }
}

/** What a caller looks for. All that is given must hold. */
export interface EmailFilter {
  /** A part of the sender's name or address, in any case. */
  from?: string
  /** A part of the subject, in any case. */
  subject?: string
  has?: 'code' | 'link' | 'attachment'
}

/** The texts that `from` and `subject` are looked for in: stores keep them so, beside the email. */
export function searchable(email: Pick<Content, 'from' | 'subject'>): { sender: string; subject: string } {
  return {
    sender: fold(`${email.from.name ?? ''} ${email.from.address ?? ''}`),
    subject: fold(email.subject),
  }
}

/** Case folded as filters compare it. */
export function fold(text: string): string {
  return text.toLowerCase()
}

/** Whether the email is one that the filter asks for. */
export function matches(email: Content, filter: EmailFilter): boolean {
  const { sender, subject } = searchable(email)
  if (filter.from !== undefined && !sender.includes(fold(filter.from))) return false
  if (filter.subject !== undefined && !subject.includes(fold(filter.subject))) return false
  if (filter.has === 'code') return email.codes.length > 0
  if (filter.has === 'link') return email.links.length > 0
  if (filter.has === 'attachment') return email.attachment_count > 0
  return true
}
