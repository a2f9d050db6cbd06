import type { Content } from '../../reading/message.ts'
import { ulidTime } from '../ulid.ts'

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

/** Content as a store has it: rows that versions before 0.3 wrote have no `action_link`. */
export type StoredContent = Omit<Content, 'action_link'> & Partial<Pick<Content, 'action_link'>>

/** One copy of a message: its content, for one recipient, under the id that it was stored with. */
export function emailOf(content: StoredContent, address: string, id: string, retentionMs: number): Email {
  const time = ulidTime(id)
  return {
    id,
    address,
    ...content,
    action_link: content.action_link ?? null,
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
  /** A part of the sender's name or address, the subject, the text as lists carry it, or a code, in any case. */
  q?: string
  has?: 'code' | 'link' | 'action_link' | 'attachment'
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
export function matches(email: StoredContent, filter: EmailFilter): boolean {
  const { sender, subject } = searchable(email)
  if (filter.from !== undefined && !sender.includes(fold(filter.from))) return false
  if (filter.subject !== undefined && !subject.includes(fold(filter.subject))) return false
  if (filter.q !== undefined) {
    const part = fold(filter.q)
    const texts = [sender, subject, fold(email.body_text), ...email.codes.map(fold)]
    if (!texts.some((text) => text.includes(part))) return false
  }
  if (filter.has === 'code') return email.codes.length > 0
  if (filter.has === 'link') return email.links.length > 0
  if (filter.has === 'action_link') return email.action_link != null
  if (filter.has === 'attachment') return email.attachment_count > 0
  return true
}
