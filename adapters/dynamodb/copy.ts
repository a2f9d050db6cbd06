import { type Email, emailOf } from '../../core/inbox/email.ts'
import type { NewMessage } from '../../core/inbox/ports.ts'
import type { Copies } from './message-records.ts'

/**
 * Copies in one transaction. Each takes at most four of the 100 writes that DynamoDB allows: the
 * item of its message, the head, the email, and the log entry.
 */
export const COPIES_PER_TRANSACTION = 24

/** The domain's key; null for a public domain, undefined if the domain was not looked up. */
export type KeyHash = string | null | undefined

/** What an email records of its domain. */
export interface OfDomain {
  keyHash: KeyHash
  /** See Domain in core/access/ports.ts. */
  logParts?: number | undefined
}

/** One message and the known state of its copies. */
export interface MessageState {
  mail: NewMessage
  /** The recipients whose domains were open when the message was first handled. */
  recipients: string[]
  known: Copies | undefined
}

/** One recipient's copy that has to be stored. */
export interface Copy {
  state: MessageState
  address: string
  /** Undefined if a new id must be created. */
  minted: ({ id: string } & OfDomain) | undefined
}

/** The id that the copy will have; empty until one is created. */
export function idOf({ minted }: Copy): string {
  return minted?.id ?? ''
}

/** The email that the copy will be. */
export function emailOfCopy(copy: Copy): Email {
  const { summary, retentionMs } = copy.state.mail
  return emailOf(summary, copy.address, idOf(copy), retentionMs)
}

/** Returns the known state of a message after these copies were stored. */
export function knownAfter({ recipients, known }: MessageState, copies: Copy[]): Copies {
  const before = known ?? new Map(recipients.map((address) => [address, { state: 'pending' as const }]))
  const stored = copies.map((copy) => [copy.address, { state: 'stored' as const, id: idOf(copy) }] as const)
  return new Map([...before, ...stored])
}
