import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Domains } from '../../core/access/ports.ts'
import { parseAddress } from '../../core/address.ts'
import { Problem } from '../../core/errors.ts'
import { type Fault, FaultAttempts, faultOf, UnknownFaultError } from '../../core/inbox/faults.ts'
import type { Envelope } from '../../core/inbox/receive.ts'
import { RECIPIENTS_MAX } from '../../core/limits.ts'
import { NO_VERDICTS } from '../../reading/message.ts'
import type { PreparedMessage } from './message.ts'
import { DropConnection, SendError } from './send-error.ts'

export interface OutboxOptions {
  domains: Pick<Domains, 'find'>
  /**
   * Stores a message durably, as if it had arrived by SMTP, and returns the ids of its emails; []
   * if no recipient's domain is registered any more. Rejects with Problem `unavailable` if the
   * store is full.
   * @param client IP address
   */
  deliver: (envelope: Envelope, raw: Uint8Array, client: string) => Promise<string[]>
  /** Whether addresses may request faults. */
  faults: boolean
  maxMessageBytes: number
}

/**
 * Hands the messages of the send APIs over to the service that receives mail. Nothing is sent
 * anywhere.
 */
export class Outbox {
  readonly #options: OutboxOptions
  readonly #attempts = new FaultAttempts()

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  /**
   * Delivers one message to its recipients here. When it resolves the message is stored durably.
   * @param client IP address of the sender
   * @throws SendError; DropConnection if a recipient requests it
   */
  async send(message: PreparedMessage, client: string): Promise<void> {
    const { maxMessageBytes } = this.#options
    const visibleAfter = await this.#accept(message.recipients)
    await this.#applyFaults(message.recipients)
    const raw = await message.raw()
    if (raw.length > maxMessageBytes) {
      throw new SendError(
        'too_large',
        `Message length is more than ${maxMessageBytes} bytes long: ${raw.length}.`,
      )
    }
    const envelope: Envelope = {
      messageId: `send-${randomUUID()}`,
      mailFrom: message.mailFrom || null,
      recipients: message.recipients,
      visibleAfter,
      verdicts: NO_VERDICTS,
    }
    const ids = await this.#options.deliver(envelope, raw, client).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'unavailable') {
        throw new SendError('unavailable', 'The message could not be stored. Try again later.')
      }
      throw error
    })
    if (ids.length === 0) throw refused(message.recipients)
  }

  /**
   * The `visibleAfter` of the recipients' domains.
   * @throws SendError if an address or its domain is unknown
   */
  async #accept(recipients: string[]): Promise<Record<string, string>> {
    if (recipients.length === 0) throw new SendError('invalid', 'The message has no recipient.')
    if (recipients.length > RECIPIENTS_MAX) {
      throw new SendError('invalid', `Recipient count exceeds ${RECIPIENTS_MAX}.`)
    }
    const visibleAfter: Record<string, string> = {}
    const unknown: string[] = []
    for (const recipient of recipients) {
      const domain = await this.#options.domains.find(domainOf(recipient))
      if (domain === undefined) unknown.push(recipient)
      else visibleAfter[domain.name] = domain.visibleAfter
    }
    if (unknown.length > 0) throw refused(unknown)
    return visibleAfter
  }

  async #applyFaults(recipients: string[]): Promise<void> {
    if (!this.#options.faults) return
    for (const recipient of recipients) {
      const fault = requestedFault(recipient)
      if (fault !== undefined && this.#attempts.isDue(recipient, fault)) await apply(fault, recipient)
    }
  }
}

/** @throws SendError `invalid` */
function domainOf(recipient: string): string {
  try {
    return parseAddress(recipient).domain
  } catch {
    throw new SendError('invalid', `Invalid email address: ${JSON.stringify(recipient.slice(0, 200))}`, [
      recipient,
    ])
  }
}

function refused(recipients: string[]): SendError {
  return new SendError(
    'rejected',
    `This service does not accept mail for: ${recipients.join(', ')}. Add the domain to MAYFLY_DOMAINS or set MAYFLY_CATCH_ALL=on.`,
    recipients,
  )
}

/** @throws SendError `invalid` for an unknown fault */
function requestedFault(recipient: string): Fault | undefined {
  try {
    return faultOf(recipient)
  } catch (error) {
    if (error instanceof UnknownFaultError) throw new SendError('invalid', `${error.message}.`, [recipient])
    throw error
  }
}

async function apply({ does }: Fault, recipient: string): Promise<void> {
  if (does === 'drop') throw new DropConnection()
  if ('delayMs' in does) {
    await sleep(does.delayMs, undefined, { ref: false })
    return
  }
  const message = `A fault, as ${recipient} requests.`
  throw new SendError(does.reply < 500 ? 'throttled' : 'rejected', message, [recipient])
}
