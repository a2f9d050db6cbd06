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
