import { setTimeout as sleep } from 'node:timers/promises'
import type { SMTPServerAddress, SMTPServerDataStream } from 'smtp-server'
import { acceptedRecipient } from '../../core/access/accepted-address.ts'
import type { Domain } from '../../core/access/ports.ts'
import {
  canonicalDomain,
  domainFault,
  domainPart,
  localPartFault,
  needsSmtpUtf8,
} from '../../core/address.ts'
import { type Fault, FaultAttempts, faultOf, UnknownFaultError } from '../../core/inbox/faults.ts'
import type { NewEnvelope } from '../../core/inbox/receive.ts'
import { NO_VERDICTS } from '../../reading/message.ts'
import { drain, messageOf } from './message.ts'
import type { SmtpOptions } from './options.ts'
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
        ids,
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

  async #deliver(
    session: SmtpSession,
    envelope: NewEnvelope,
    stream: SMTPServerDataStream,
  ): Promise<string[]> {
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

  #envelopeOf({ session, transaction }: SmtpSession): NewEnvelope {
    const { mailFrom, rcptTo } = session.envelope
    return {
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

type RecipientOptions = Pick<SmtpOptions, 'domains' | 'postmasterDomain' | 'unknownDomainHint'>

/** An address that accepts mail, in its canonical form, with its domain. */
interface Recipient {
  address: string
  domain: Domain
}

/**
 * Returns the recipient that an address of RCPT names.
 * @param isUtf8 whether MAIL announced SMTPUTF8
 * @throws Refusal for an address that does not accept mail
 */
async function acceptRecipient(
  { domains, postmasterDomain, unknownDomainHint }: RecipientOptions,
  text: string,
  isUtf8: boolean,
): Promise<Recipient> {
  checkSmtpUtf8(text, isUtf8)
  const isPostmaster = text.toLowerCase() === 'postmaster'
  const own = isPostmaster ? await lookUp(async () => postmasterDomain?.()) : undefined
  const whole = own === undefined ? text : `${text}@${own}`
  const found = await lookUp(() => acceptedRecipient(domains, whole))
  const name = found?.domain ?? canonicalDomain(domainPart(whole))
  if (name === undefined) {
    throw new Refusal(553, `5.1.3 The domain of the address ${domainFault(whole)}`)
  }
  const domain = await lookUp(() => domains.find(name))
  if (domain === undefined) {
    const refusal = '5.1.2 This service does not accept mail for that domain'
    throw new Refusal(550, unknownDomainHint === undefined ? refusal : `${refusal}. ${unknownDomainHint}`)
  }
  if (found === undefined) {
    throw new Refusal(553, `5.1.3 The local part of the address ${localPartFault(whole)}`)
  }
  return { address: found.address, domain }
}

/** @throws Refusal for an address of MAIL or RCPT that needs SMTPUTF8, if MAIL has not announced it (RFC 6531) */
function checkSmtpUtf8(address: string, isUtf8: boolean): void {
  if (isUtf8 || !needsSmtpUtf8(address)) return
  throw new Refusal(553, '5.6.7 The address is not ASCII, so MAIL FROM needs the parameter SMTPUTF8')
}

/**
 * The fault that a recipient requests, undefined if it requests none.
 * @throws Refusal 553 for an unknown fault
 */
function recipientFault(address: string): Fault | undefined {
  try {
    return faultOf(address)
  } catch (error) {
    if (error instanceof UnknownFaultError) throw new Refusal(553, `5.1.3 ${error.message}`)
    throw error
  }
}

async function lookUp<T>(find: () => Promise<T>): Promise<T> {
  try {
    return await find()
  } catch {
    throw new Refusal(451, '4.3.0 The domain could not be looked up, try again')
  }
}
