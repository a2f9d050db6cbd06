import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { finished } from 'node:stream/promises'
import type { SMTPServerAddress, SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import type { Domain, Domains } from '../../core/access/ports.ts'
import type { Envelope } from '../../core/inbox/receive.ts'
import { RECIPIENTS_MAX, SECOND_MS } from '../../core/limits.ts'
import { parseAddress, parseDomain } from '../../core/mail/address.ts'
import { NO_VERDICTS } from '../../core/mail/message.ts'
import { ulidSource } from '../../core/ulid.ts'
import { SmtpServer, type SmtpTimeouts } from './session.ts'

/** A message up to this size is handed over whole, a larger one as it comes. */
const WHOLE_BYTES = 256 * 1024
/** A reply line has at most 512 bytes (RFC 5321, section 4.5.3.1.5), an id 26. */
const IDS_SAID = 16

/** The raw message, without dot-stuffing. `bytes` has its buffer to itself. */
export type Message = { bytes: Uint8Array<ArrayBuffer> } | { stream: AsyncIterable<Uint8Array> }

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
  /**
   * Stores a message durably and returns the ids of its emails, [] when no recipient's domain is registered
   * any more. Where the stream fails the message did not come in whole, and nothing of it may be kept.
   */
  deliver: (envelope: Envelope, message: Message) => Promise<string[]>
  /** Called for what an operator may want to know. No address, no text of a message is in it. */
  log: (event: SmtpEvent) => void
  timeouts?: SmtpTimeouts
  connectionsMax?: number
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
  /**
   * Takes no new connections, says 421 to those that are idle, and lets messages that are under way finish,
   * for at most `graceMs`. Resolves when all connections are closed.
   */
  stop(graceMs: number): Promise<void>
}

const TIMEOUTS: SmtpTimeouts = { command: 60 * SECOND_MS, data: 120 * SECOND_MS }
const CONNECTIONS_MAX = 1000
/** How long a client may take to close its side after the last 421. */
const LINGER_MS = SECOND_MS

/** An SMTP reply (RFC 5321), with the status code (RFC 3463) in the message. */
class Refusal extends Error {
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}

/**
 * Listens for mail to the registered domains (contract: Receiving). Whoever gets a 250 for a message knows that
 * it is stored. Resolves when it listens; rejects when the port cannot be had.
 */
export async function createSmtpListener(options: SmtpOptions): Promise<SmtpListener> {
  const { domains, log, tls } = options
  const nextKey = ulidSource(Date.now, randomBytes)
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
    timeouts: options.timeouts ?? TIMEOUTS,
    connectionsMax: options.connectionsMax ?? CONNECTIONS_MAX,
    onConnect: (_session, done) => done(),
    onMailFrom: (_address, _session, done) => done(),
    onRcptTo: (address, session, done) => {
      accept(domains, address.address).then((domain) => {
        seen.set(session, { ...seen.get(session), [domain.name]: domain.visible_after })
        done()
      }, done)
    },
    onData: (stream, session, done) => {
      take(stream, session).then((ids) => done(null, accepted(ids)), done)
    },
  })

  /** The recipients' domains as they were registered when RCPT was answered. */
  const seen = new WeakMap<SMTPServerSession, Record<string, string>>()

  async function take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string[]> {
    const began = performance.now()
    const client = session.remoteAddress
    const envelope = { ...envelopeOf(nextKey(), session), registrations: seen.get(session) ?? {} }
    seen.delete(session)
    const chunks = stream.iterator({ destroyOnReturn: false })
    try {
      const ids = await options.deliver(envelope, await messageOf(stream, chunks, options.maxBytes))
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
      await drain(stream, chunks)
    }
  }

  const sockets = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // A client that breaks off is none of our errors; one in the middle of a message fails its envelope.
  server.on('error', () => {})
  server.listen({ host: options.host, port: options.port })
  await once(server.server, 'listening')
  const { address, port } = server.server.address() as AddressInfo

  return {
    host: address,
    port,
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

/** @throws Refusal for an address that no mail is taken for */
async function accept(domains: Domains, address: string): Promise<Domain> {
  const at = address.lastIndexOf('@')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the point is to tell ASCII from the rest
  if (!/^[\x00-\x7f]*$/.test(address.slice(0, Math.max(at, 0)))) {
    throw new Refusal(553, '5.6.7 The local part of an address must be ASCII')
  }
  const domain = await registration(domains, address.slice(at + 1))
  if (domain === undefined) throw new Refusal(550, '5.1.2 No mail is taken for this domain')
  if (!isValid(() => parseAddress(address))) {
    throw new Refusal(553, '5.1.3 The local part of the address is not valid')
  }
  return domain
}

async function registration(domains: Domains, name: string): Promise<Domain | undefined> {
  if (!isValid(() => parseDomain(name))) return undefined
  try {
    return await domains.find(parseDomain(name))
  } catch {
    throw new Refusal(451, '4.3.0 The domain could not be looked up, try again')
  }
}

function isValid(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch {
    return false
  }
}

function envelopeOf(message_key: string, session: SMTPServerSession): Envelope {
  const { mailFrom, rcptTo } = session.envelope
  return {
    message_key,
    mail_from: mailFrom === false ? null : mailFrom.address || null,
    recipients: rcptTo.map((recipient: SMTPServerAddress) => recipient.address),
    verdicts: NO_VERDICTS,
  }
}

/** @throws Refusal, at once or from the stream, for a message over the limit */
async function messageOf(
  stream: SMTPServerDataStream,
  chunks: AsyncIterator<Buffer, unknown>,
  maxBytes: number,
): Promise<Message> {
  const first: Uint8Array[] = []
  let size = 0
  while (size <= WHOLE_BYTES) {
    const next = await chunks.next()
    if (next.done === true) {
      refuseOversized(stream, maxBytes)
      return { bytes: join(first, size) }
    }
    first.push(next.value)
    size += next.value.length
  }
  async function* all(): AsyncIterable<Uint8Array> {
    yield* first.splice(0)
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value
    refuseOversized(stream, maxBytes)
  }
  return { stream: all() }
}

function refuseOversized(stream: SMTPServerDataStream, maxBytes: number): void {
  if (stream.sizeExceeded) throw new Refusal(552, `5.3.4 The message is larger than ${maxBytes} bytes`)
}

function join(chunks: Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** Reads to its end what nobody wanted, so that the reply comes after it. */
async function drain(stream: SMTPServerDataStream, chunks: AsyncIterator<Buffer, unknown>): Promise<void> {
  await chunks.return?.()
  if (stream.readableEnded || stream.destroyed) return
  stream.resume()
  await finished(stream, { writable: false }).catch(() => {})
}

function accepted(ids: string[]): string {
  const more = ids.length > IDS_SAID ? ` and ${ids.length - IDS_SAID} more` : ''
  return `2.0.0 Ok: ${ids.slice(0, IDS_SAID).join(' ')}${more}`
}
