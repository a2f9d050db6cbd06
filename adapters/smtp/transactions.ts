import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SMTPServerAddress, SMTPServerDataStream } from 'smtp-server'
import { type Fault, FaultAttempts } from '../../core/inbox/faults.ts'
import type { Envelope } from '../../core/inbox/receive.ts'
import { ulidSource } from '../../core/ulid.ts'
import { NO_VERDICTS } from '../../reading/message.ts'
import { drain, messageOf } from './message.ts'
import type { SmtpOptions } from './options.ts'
import { acceptRecipient, checkSmtpUtf8, recipientFault } from './recipient.ts'
import { Refusal, refusalOnDemand } from './refusal.ts'
import type { SmtpSession } from './session.ts'

const FULL = '4.3.1 The store is full, try again when mail has expired'

/**
 * Implements MAIL FROM, RCPT TO and DATA: checks the sender, the recipients and the size, and
 * stores the message.
 */
export class Transactions {
  readonly #options: SmtpOptions
  readonly #attempts = new FaultAttempts()
  /** Unique to this process, so that this and a counter form a unique messageId. */
  readonly #prefix = ulidSource(Date.now, randomBytes)()
  #messages = 0

  constructor(options: SmtpOptions) {
    this.#options = options
  }

  /** @throws Refusal if the address needs SMTPUTF8, or if there is no room for the message */
  acceptSender(session: SmtpSession, sender: SMTPServerAddress): void {
    checkSmtpUtf8(sender.address, session.isUtf8)
    const { SIZE: size } = (sender.args || {}) as { SIZE?: string }
    this.#checkRoom(Number(size ?? 0), sender.address, session)
    session.beginTransaction()
  }

  /**
   * Returns the recipient's canonical address.
   * @throws Refusal for an address that does not accept mail, or for a fault that it requests
   */
  async acceptRecipient(session: SmtpSession, text: string): Promise<string> {
    const { transaction } = session
    const { address, domain } = await acceptRecipient(this.#options, text, session.isUtf8)
    const fault = this.#options.faults === true ? recipientFault(address) : undefined
    if (fault !== undefined) {
      session.requestedFault = true
      if (fault.at === 'data') transaction.faults.push({ address, fault })
      else if (this.#attempts.isDue(address, fault)) await apply(fault, session)
    }
    transaction.visibleAfter[domain.name] = domain.visibleAfter
    return address
  }

  /**
   * Receives and delivers the message. Returns the ids of its emails.
   * @throws Refusal if the message was not stored
   */
  async acceptMessage(session: SmtpSession, stream: SMTPServerDataStream): Promise<string[]> {
    const began = performance.now()
    const client = session.remoteAddress
    const envelope = this.#envelopeOf(session)
    try {
      const ids = await this.#deliver(session, envelope, stream)
      this.#options.log({
        type: 'delivered',
        messageId: envelope.messageId,
        recipients: ids.length,
        bytes: stream.byteLength,
        client,
        ms: performance.now() - began,
      })
      return ids
    } catch (error) {
      throw this.#refusalOf(error, stream, client)
    } finally {
      session.endTransaction()
      await drain(stream)
    }
  }

  async #deliver(session: SmtpSession, envelope: Envelope, stream: SMTPServerDataStream): Promise<string[]> {
    const { faults } = session.transaction
    const message = await messageOf(stream, this.#options.maxBytes)
    const due = faults.filter(({ address, fault }) => this.#attempts.isDue(address, fault))
    if (due.length > 0) await drain(stream)
    for (const { fault } of due) await apply(fault, session)
    if ('bytes' in message) this.#checkRoom(message.bytes.length, envelope.mailFrom ?? '', session)
    const client = { address: session.remoteAddress, helo: session.hostNameAppearsAs || '' }
    const ids = await this.#options.deliver(envelope, message, client)
    if (ids.length === 0) throw new Refusal(550, '5.1.2 This service no longer accepts mail for that domain')
    return ids
  }

  #checkRoom(bytes: number, sender: string, session: SmtpSession): void {
    const { hasRoom = () => true } = this.#options
    if (!hasRoom(bytes, { sender, client: session.remoteAddress })) throw new Refusal(452, FULL)
  }

  #envelopeOf({ session, transaction }: SmtpSession): Envelope {
    const { mailFrom, rcptTo } = session.envelope
    return {
      messageId: `${this.#prefix}-${++this.#messages}`,
      mailFrom: mailFrom === false ? null : mailFrom.address || null,
      recipients: rcptTo.map((recipient: SMTPServerAddress) => recipient.address),
      visibleAfter: transaction.visibleAfter,
      verdicts: NO_VERDICTS,
    }
  }

  /** Logs why the message was not stored. Returns the reply that the client gets. */
  #refusalOf(error: unknown, stream: SMTPServerDataStream, client: string): Refusal {
    const { log } = this.#options
    if (error instanceof Refusal) {
      log({ type: 'refused', reply: error.responseCode, client })
      return error
    }
    const hasLeft = stream.destroyed && !stream.readableEnded
    log(hasLeft ? { type: 'disconnected', client } : { type: 'failed', client, error })
    return new Refusal(451, '4.3.0 The message could not be stored, try again')
  }
}

/** Does what the fault says. @throws Refusal, unless the fault is a delay */
async function apply({ does }: Fault, session: SmtpSession): Promise<void> {
  if (does === 'drop') {
    session.drop()
    throw refusalOnDemand(421)
  }
  if ('reply' in does) throw refusalOnDemand(does.reply)
  await sleep(does.delayMs, undefined, { ref: false })
}
