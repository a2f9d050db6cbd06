import { setTimeout as sleep } from 'node:timers/promises'
import { acceptedRecipient } from '../../core/access/accepted-address.ts'
import type { Domains } from '../../core/access/ports.ts'
import type { Address } from '../../core/address.ts'
import type { Clock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import { type Fault, FaultAttempts, faultOf, UnknownFaultError } from '../../core/inbox/faults.ts'
import type { NewEnvelope } from '../../core/inbox/receive.ts'
import type { RefusedMail } from '../../core/inbox/refusals.ts'
import { RECIPIENTS_MAX } from '../../core/limits.ts'
import { KeyedMutex } from '../../core/parallel.ts'
import { NO_VERDICTS } from '../../reading/message.ts'
import type { PreparedMessage } from './message.ts'
import { DropConnection, SendError, STATUSES } from './send-error.ts'

const LARGE_BYTES = 4 * 1024 * 1024

export interface OutboxOptions {
  domains: Pick<Domains, 'find'>
  /**
   * Stores a message durably, as if it had arrived by SMTP, and returns the ids of its emails; []
   * if no recipient's domain is registered any more. Rejects with Problem `unavailable` if the
   * store is full.
   * @param client IP address
   */
  deliver: (envelope: NewEnvelope, raw: Uint8Array, client: string) => Promise<string[]>
  /** Whether addresses may request faults. */
  faults: boolean
  maxMessageBytes: number
  clock: Clock
  /** Receives every recipient and message that was refused, for the operator. */
  refused: (refusal: RefusedMail) => void
}

/**
 * Hands the messages of the send APIs over to the service that receives mail. Nothing is sent
 * anywhere.
 */
export class Outbox {
  readonly #options: OutboxOptions
  readonly #attempts = new FaultAttempts()
  readonly #building = new KeyedMutex()
  readonly #reported = new WeakSet<SendError>()

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  /**
   * Delivers one message to its recipients here. When it resolves the message is stored durably.
   * @param client IP address of the sender
   * @throws SendError; DropConnection if a recipient requests it
   */
  async send(message: PreparedMessage, client: string): Promise<void> {
    try {
      await this.#send(message, client)
    } catch (error) {
      if (error instanceof SendError) this.reportRefusal(error, client, message.mailFrom || null)
      throw error
    }
  }

  /** Reports a refused message for the operator, once: each of its recipients if it names some. */
  reportRefusal(error: SendError, client: string, mailFrom: string | null): void {
    if (this.#reported.has(error)) return
    this.#reported.add(error)
    const { kind, message: reply, recipients } = error
    const { clock, refused } = this.#options
    for (const recipient of recipients.length === 0 ? [null] : recipients) {
      refused({ at: clock(), client, mailFrom, recipient, code: STATUSES[kind], reply })
    }
  }

  async #send(message: PreparedMessage, client: string): Promise<void> {
    const { recipients, visibleAfter } = await this.#accept(message.recipients)
    await this.#applyFaults(recipients)
    const envelope: NewEnvelope = {
      mailFrom: message.mailFrom || null,
      recipients,
      visibleAfter,
      verdicts: NO_VERDICTS,
    }
    // One message is built at a time, and a large one is stored before the next one is built, so
    // that memory holds one of them.
    const small = await this.#building.run(['one'], async () => {
      const raw = await message.raw(this.#options.maxMessageBytes)
      if (raw.length <= LARGE_BYTES) return raw
      await this.#deliver(envelope, raw, client)
      return undefined
    })
    if (small !== undefined) await this.#deliver(envelope, small, client)
  }

  async #deliver(envelope: NewEnvelope, raw: Uint8Array, client: string): Promise<void> {
    const ids = await this.#options.deliver(envelope, raw, client).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'unavailable') {
        throw new SendError('unavailable', 'The message could not be stored. Try again later.')
      }
      throw error
    })
    if (ids.length === 0) throw refused(envelope.recipients)
  }

  /**
   * The recipients' canonical addresses, and the `visibleAfter` of their domains.
   * @throws SendError if an address or its domain is unknown
   */
  async #accept(
    texts: string[],
  ): Promise<Pick<NewEnvelope, 'recipients'> & { visibleAfter: Record<string, string> }> {
    if (texts.length === 0) throw new SendError('invalid', 'The message has no recipient.')
    if (texts.length > RECIPIENTS_MAX) {
      throw new SendError('invalid', `Recipient count exceeds ${RECIPIENTS_MAX}.`)
    }
    const visibleAfter: Record<string, string> = {}
    const recipients: string[] = []
    const unknown: string[] = []
    for (const text of texts) {
      const { address, domain: name } = await this.#parse(text)
      const domain = await this.#options.domains.find(name)
      if (domain === undefined) unknown.push(text)
      else visibleAfter[domain.name] = domain.visibleAfter
      recipients.push(address)
    }
    if (unknown.length > 0) throw refused(unknown)
    return { recipients, visibleAfter }
  }

  /** @throws SendError `invalid` */
  async #parse(text: string): Promise<Address> {
    const address = await acceptedRecipient(this.#options.domains, text)
    if (address !== undefined) return address
    throw new SendError('invalid', `Invalid email address: ${JSON.stringify(text.slice(0, 200))}`, [text])
  }

  async #applyFaults(recipients: string[]): Promise<void> {
    if (!this.#options.faults) return
    for (const recipient of recipients) {
      const fault = requestedFault(recipient)
      if (fault !== undefined && this.#attempts.isDue(recipient, fault)) await apply(fault, recipient)
    }
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
