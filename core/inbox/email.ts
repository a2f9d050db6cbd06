import type { EmailSummary } from '../../reading/message.ts'
import { ulidTime } from '../ulid.ts'

/** One recipient's copy of a message, as lists, latest, wait and stream events contain it. */
export interface Email extends EmailSummary {
  id: string
  /** The envelope recipient in canonical form. */
  address: string
  /** Unix ms; the time of the id. */
  receivedAt: number
  /** Unix ms. */
  expiresAt: number
  read: boolean
}

/** Returns the unread email of one recipient with the id that it was stored with. */
export function emailOf(summary: EmailSummary, address: string, id: string, retentionMs: number): Email {
  const receivedAt = ulidTime(id)
  return { id, address, ...summary, receivedAt, expiresAt: receivedAt + retentionMs, read: false }
}

/** A filter for emails. All given fields must match. */
export interface EmailFilter {
  /** A substring of the sender's name or address, case-insensitive. */
  from?: string
  /** A substring of the subject, case-insensitive. */
  subject?: string
  /**
   * A substring of the sender's name or address, the subject, the text of the summary or a code,
   * case-insensitive.
   */
  q?: string
  has?: 'code' | 'link' | 'action_link' | 'attachment'
}

/**
 * Returns the texts that `from` and `subject` are compared with. Stores keep them beside the email.
 */
export function searchable(email: Pick<EmailSummary, 'from' | 'subject'>): {
  sender: string
  subject: string
} {
  return {
    sender: fold(`${email.from.name ?? ''} ${email.from.address ?? ''}`),
    subject: fold(email.subject),
  }
}

/** Folds the case as filters compare it. */
export function fold(text: string): string {
  return text.toLowerCase()
}

/** Whether the email matches the filter. */
export function matches(email: EmailSummary, filter: EmailFilter): boolean {
  const { sender, subject } = searchable(email)
  if (filter.from !== undefined && !sender.includes(fold(filter.from))) return false
  if (filter.subject !== undefined && !subject.includes(fold(filter.subject))) return false
  if (filter.q !== undefined) {
    const part = fold(filter.q)
    const texts = [sender, subject, fold(email.bodyText), ...email.codes.map(fold)]
    if (!texts.some((text) => text.includes(part))) return false
  }
  if (filter.has === 'code') return email.codes.length > 0
  if (filter.has === 'link') return email.links.length > 0
  if (filter.has === 'action_link') return email.actionLink !== null
  if (filter.has === 'attachment') return email.attachmentCount > 0
  return true
}
