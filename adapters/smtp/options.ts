import type { Domains } from '../../core/access/ports.ts'
import type { NewEnvelope } from '../../core/inbox/receive.ts'
import type { RefusedMail } from '../../core/inbox/refusals.ts'
import type { SmtpAuth } from './credentials.ts'
import type { SmtpLimits } from './limits.ts'
import type { Message } from './message.ts'

/** The client that hands a message over. */
export interface Client {
  /** IP address. */
  address: string
  /** The name in its EHLO or HELO. */
  helo: string
}

export interface SmtpOptions {
  /** The host name in the greeting: the one that MX records name. */
  name?: string
  /** One that this machine does not have is left out. */
  hosts: string[]
  /** 0 selects a port that is free on all of them. */
  port: number
  domains: Pick<Domains, 'find'>
  /** What the reply to a recipient on an unknown domain adds, such as the setting that accepts it. */
  unknownDomainHint?: string
  /** The domain of the recipient `<postmaster>` (RFC 5321, section 4.5.1). */
  postmasterDomain?: () => Promise<string | undefined>
  maxBytes: number
  /** PEM. Without it STARTTLS is not offered. */
  tls?: { cert: string; key: string }
  /** `off` by default. */
  auth?: SmtpAuth
  /** Whether addresses may request faults (core/inbox/faults.ts). */
  faults?: boolean
  /** Whether the store has room for a message of this size; 0 if the size is not known. */
  hasRoom?: (bytes: number, from: { sender: string; client: string }) => boolean
  /**
   * Stores a message durably and returns the ids of its emails; [] if the domain of no recipient is
   * registered any more. If the stream fails, the message is incomplete and must not be kept.
   * Rejects with a Refusal to choose the reply; any other error becomes a 451.
   */
  deliver: (envelope: NewEnvelope, message: Message, client: Client) => Promise<string[]>
  /** Receives events for the operator. They contain no email address and no text of a message. */
  log: (event: SmtpEvent) => void
  /** Receives every sender, recipient and message that was refused, for the operator. */
  refused?: (refusal: RefusedMail) => void
  limits?: Partial<SmtpLimits>
}

export type SmtpEvent =
  | { type: 'delivered'; ids: string[]; bytes: number; client: string; ms: number }
  | { type: 'refused'; reply: number; client: string }
  /** The client disconnected within a message. */
  | { type: 'disconnected'; client: string }
  | { type: 'failed'; client: string; error: unknown }
