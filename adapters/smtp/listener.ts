import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SMTPServerAddress, SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import { isLoopback } from '../../core/access/client.ts'
import type { Domains } from '../../core/access/ports.ts'
import { type Fault, FaultAttempts } from '../../core/inbox/faults.ts'
import type { Envelope } from '../../core/inbox/receive.ts'
import {
  LISTEN_BACKLOG,
  MINUTE_MS,
  RECIPIENTS_MAX,
  SECOND_MS,
  SMTP_COMMANDS_WITHOUT_MAIL,
  SMTP_CONNECTIONS_MAX,
  SMTP_CONNECTIONS_PER_CLIENT,
} from '../../core/limits.ts'
import { ulidSource } from '../../core/ulid.ts'
import { NO_VERDICTS } from '../../reading/message.ts'
import { recipientFault, refusalOnDemand } from './faults.ts'
import { drain, type Message, messageOf } from './message.ts'
import { acceptRecipient } from './recipient.ts'
import { Refusal } from './refusal.ts'
import { type SmtpLimits, SmtpServer } from './session.ts'

/** A reply line has at most 512 bytes (RFC 5321, section 4.5.3.1.5), an id 26. */
const IDS_SAID = 16

export type { Message }
export { Refusal }

/** Who hands a message over. */
export interface Client {
  /** IP address. */
  address: string
  /** What it called itself. */
  helo: string
}

export interface SmtpOptions {
  /** How the greeting names this service: the name that MX records give. */
  name?: string
  host: string
  /** 0 takes a free port. */
  port: number
  domains: Domains
  maxBytes: number
  /** PEM. Without it STARTTLS is not offered. */
  tls?: { cert: string; key: string }
  /** Whether addresses may ask for faults (faults.ts). */
  faults?: boolean
  /** Whether there is room for a message of so many bytes, 0 where its size is not known. */
  hasRoom?: (bytes: number) => boolean
  /**
   * Stores a message durably and returns the ids of its emails, [] when no recipient's domain is registered
   * any more. Where the stream fails the message did not come in whole, and nothing of it may be kept. May reject
   * with a Refusal that the client is to get; any other error is a 451.
   */
  deliver: (envelope: Envelope, message: Message, client: Client) => Promise<string[]>
  /** Called for what an operator may want to know. No address, no text of a message is in it. */
  log: (event: SmtpEvent) => void
  limits?: Partial<SmtpLimits>
}

export type SmtpEvent =
  | { type: 'delivered'; envelope: string; recipients: number; bytes: number; client: string; ms: number }
  | { type: 'refused'; reply: number; client: string }
  /** The client left in the middle of a message. */
  | { type: 'broken off'; client: string }
  | { type: 'failed'; client: string; error: unknown }

export interface SmtpListener {
  host: string
  port: number
  /** Messages that were begun and are not answered yet. */
  underWay(): number
  /**
   * Takes no new connections, says 421 to those that are idle, and lets messages that are under way finish,
   * for at most `graceMs`. Resolves when all connections are closed.
   */
  stop(graceMs: number): Promise<void>
}

const LIMITS: SmtpLimits = {
  connections: SMTP_CONNECTIONS_MAX,
  connectionsPerClient: SMTP_CONNECTIONS_PER_CLIENT,
  isTrusted: isLoopback,
  commandsWithoutMail: SMTP_COMMANDS_WITHOUT_MAIL,
  commandMs: MINUTE_MS,
  dataMs: 2 * MINUTE_MS,
  mailMs: 10 * MINUTE_MS,
}
const FULL = '4.3.1 The store is full, try again when mail has expired'
/** How long a client may take to close its side after the last 421. */
const LINGER_MS = SECOND_MS

/**
 * Listens for mail to the registered domains (contract: Receiving). Whoever gets a 250 for a message knows that
 * it is stored. Resolves when it listens; rejects when the port cannot be had.
 */
export async function createSmtpListener(options: SmtpOptions): Promise<SmtpListener> {
  const { domains, log, tls, hasRoom = () => true } = options
  const attempts = new FaultAttempts()
  // Of one process at one time, so that a number makes each key new.
  const process = ulidSource(Date.now, randomBytes)()
  let messages = 0
  /** What is known of the recipients of the next message. */
  const expected = new WeakMap<SMTPServerSession, Expected>()
  const server = new SmtpServer({
    ...tls,
    ...(options.name === undefined ? {} : { name: options.name }),
    size: options.maxBytes,
    rejectOversized: true,
    maxRecipients: RECIPIENTS_MAX,
    disabledCommands: ['AUTH', 'WIZ', 'SHELL', 'KILL', 'XCLIENT', 'XFORWARD', ...(tls ? [] : ['STARTTLS'])],
    hideENHANCEDSTATUSCODES: false,
    disableReverseLookup: true,
    // Its own syntax check refuses with a 501 what our addresses refuse with the contract's 553.
    lenientAddressParsing: true,
    heloResponse: '%s',
    logger: false,
    limits: { ...LIMITS, ...options.limits },
    onConnect: (_session, done) => done(),
    onMailFrom: (address, session, done) => {
      const { SIZE: size } = (address.args || {}) as { SIZE?: string }
      if (!hasRoom(Number(size ?? 0))) return done(new Refusal(452, FULL))
      expected.set(session, { registrations: {}, faults: [] })
      server.underWay.add(session)
      done()
    },
    onRcptTo: (address, session, done) => {
      expectRecipient(address.address, session).then(() => done(), done)
    },
    onData: (stream, session, done) => {
      take(stream, session).then((ids) => done(null, accepted(ids)), done)
    },
    onClose: (session) => server.underWay.delete(session),
  })

  async function expectRecipient(address: string, session: SMTPServerSession): Promise<void> {
    const domain = await acceptRecipient(domains, address)
    const { registrations, faults } = expected.get(session)!
    const fault = options.faults === true ? recipientFault(address) : undefined
    if (fault !== undefined) {
      server.excused.add(session)
      if (fault.at === 'data') faults.push({ address, fault })
      else if (attempts.isDue(address, fault)) await happen(fault, session)
    }
    registrations[domain.name] = domain.visible_after
  }

  async function happen({ does }: Fault, session: SMTPServerSession): Promise<void> {
    if (does === 'drop') {
      server.drop(session)
      throw refusalOnDemand(421)
    }
    if ('reply' in does) throw refusalOnDemand(does.reply)
    await sleep(does.delayMs, undefined, { ref: false })
  }

  async function take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string[]> {
    const began = performance.now()
    const client = session.remoteAddress
    const { registrations, faults } = expected.get(session)!
    const envelope = envelopeOf(`${process}-${++messages}`, session, registrations)
    try {
      const message = await messageOf(stream, options.maxBytes)
      const due = faults.filter(({ address, fault }) => attempts.isDue(address, fault))
      if (due.length > 0) await drain(stream)
      for (const { fault } of due) await happen(fault, session)
      if ('bytes' in message && !hasRoom(message.bytes.length)) throw new Refusal(452, FULL)
      const helo = session.hostNameAppearsAs || ''
      const ids = await options.deliver(envelope, message, { address: client, helo })
      if (ids.length === 0) throw new Refusal(550, '5.1.2 No mail is taken for this domain any more')
      log({
        type: 'delivered',
        envelope: envelope.message_key,
        recipients: ids.length,
        bytes: stream.byteLength,
        client,
        ms: performance.now() - began,
      })
      return ids
    } catch (error) {
      if (error instanceof Refusal) {
        log({ type: 'refused', reply: error.responseCode, client })
        throw error
      }
      const gone = stream.destroyed && !stream.readableEnded
      log(gone ? { type: 'broken off', client } : { type: 'failed', client, error })
      throw new Refusal(451, '4.3.0 The message could not be stored, try again')
    } finally {
      server.underWay.delete(session)
      await drain(stream)
    }
  }

  const sockets = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // A client that breaks off is none of our errors; one in the middle of a message fails its envelope.
  server.on('error', () => {})
  server.listen({ host: options.host, port: options.port, backlog: LISTEN_BACKLOG })
  await once(server.server, 'listening')
  const { address, port } = server.server.address() as AddressInfo

  return {
    host: address,
    port,
    underWay: () => server.underWay.size,
    async stop(graceMs) {
      const closed = once(server.server, 'close')
      server.server.close()
      server.dismiss()
      const cutOff = setTimeout(() => destroy(sockets), graceMs)
      const lingering = setInterval(() => {
        if (server.connections.size === 0) destroy(sockets)
      }, LINGER_MS)
      await closed
      clearTimeout(cutOff)
      clearInterval(lingering)
    },
  }
}

function destroy(sockets: Set<Socket>): void {
  for (const socket of sockets) socket.destroy()
}

interface Expected {
  /** The recipients' domains as they were registered when RCPT was answered. */
  registrations: Record<string, string>
  /** What is to happen after the message. */
  faults: { address: string; fault: Fault }[]
}

function envelopeOf(
  message_key: string,
  session: SMTPServerSession,
  registrations: Record<string, string>,
): Envelope {
  const { mailFrom, rcptTo } = session.envelope
  return {
    message_key,
    mail_from: mailFrom === false ? null : mailFrom.address || null,
    recipients: rcptTo.map((recipient: SMTPServerAddress) => recipient.address),
    registrations,
    verdicts: NO_VERDICTS,
  }
}

function accepted(ids: string[]): string {
  const more = ids.length > IDS_SAID ? ` and ${ids.length - IDS_SAID} more` : ''
  return `2.0.0 Ok: ${ids.slice(0, IDS_SAID).join(' ')}${more}`
}
