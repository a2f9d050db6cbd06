import { once } from 'node:events'
import type { Server, Socket } from 'node:net'
import type { SMTPServerOptions } from 'smtp-server'
import { LISTEN_BACKLOG, RECIPIENTS_MAX, SECOND_MS } from '../../core/limits.ts'
import { listenOnAll } from '../net/listen.ts'
import { unannounced } from './arguments.ts'
import { authOptions } from './credentials.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import type { SmtpOptions } from './options.ts'
import { SmtpServer } from './server.ts'
import { Transactions } from './transactions.ts'

export type { Message } from './message.ts'
export type { Client, SmtpEvent, SmtpOptions } from './options.ts'
export { Refusal } from './refusal.ts'

/** A reply line has at most 512 bytes (RFC 5321, section 4.5.3.1.5), an id 26. */
const IDS_IN_REPLY = 16
/** How long a client may take to close its side after the last 421. */
const LINGER_MS = SECOND_MS

export interface SmtpListener {
  /** The addresses that it listens on. */
  hosts: string[]
  port: number
  /** The number of mails between MAIL FROM and the reply to their data. */
  underWay(): number
  /**
   * Accepts no new connections, replies 421 to idle ones, and lets messages that are under way
   * finish, for at most `graceMs`. Resolves when all connections are closed.
   */
  stop(graceMs: number): Promise<void>
}

/**
 * Listens for mail to the registered domains (docs/contract.md, "Receiving"). A message that was
 * answered with 250 is stored. Resolves when the listener accepts connections; rejects if the port
 * is not free.
 */
export async function createSmtpListener(options: SmtpOptions): Promise<SmtpListener> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const transactions = new Transactions(options)
  const server: SmtpServer = new SmtpServer({
    ...serverOptions(options, limits.wrongCredentialsMs),
    limits,
    ...(options.refused && { refused: options.refused }),
    ...handlers(transactions, () => server),
  })
  const sockets = new Set<Socket>()
  const create = () =>
    server.listener().on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
  // A broken connection is not an error of this service. Within a message it fails the message's
  // delivery.
  server.on('error', () => {})
  const { servers, hosts, port } = await listenOnAll(create, { ...options, backlog: LISTEN_BACKLOG })
  return {
    hosts,
    port,
    underWay: () => server.underWay.size,
    stop: (graceMs) => stop(server, servers, sockets, graceMs),
  }
}

/** The handlers of the commands of a transaction. */
function handlers(transactions: Transactions, server: () => SmtpServer) {
  return {
    onMailFrom: (sender, session, done) => {
      try {
        transactions.acceptSender(server().sessionOf(session), sender)
        done()
      } catch (refusal) {
        done(refusal as Error)
      }
    },
    onRcptTo: (recipient, session, done) => {
      const accept = async () => {
        const refusal = unannounced(recipient.args, [])
        if (refusal !== undefined) throw refusal
        recipient.address = await transactions.acceptRecipient(server().sessionOf(session), recipient.address)
      }
      accept().then(() => done(), done)
    },
    onData: (stream, session, done) => {
      const accepted = transactions.acceptMessage(server().sessionOf(session), stream)
      accepted.then((ids) => done(null, replyWith(ids)), done)
    },
    onClose: (session) => server().sessionOf(session).endTransaction(),
  } satisfies SMTPServerOptions
}

function serverOptions(options: SmtpOptions, wrongCredentialsMs: number): SMTPServerOptions {
  const { name, tls, maxBytes, auth = 'off' } = options
  const { disabledCommands = [], ...authentication } = authOptions(auth, wrongCredentialsMs)
  return {
    ...tls,
    ...(name === undefined ? {} : { name }),
    ...authentication,
    size: maxBytes,
    maxRecipients: RECIPIENTS_MAX,
    disabledCommands: [
      ...['WIZ', 'SHELL', 'KILL', 'XCLIENT', 'XFORWARD'],
      ...disabledCommands,
      ...(tls ? [] : ['STARTTLS']),
    ],
    hideENHANCEDSTATUSCODES: false,
    disableReverseLookup: true,
    // smtp-server's own syntax check replies 501 to addresses that the contract refuses with 553.
    lenientAddressParsing: true,
    heloResponse: '%s',
    logger: false,
    onConnect: (_session, done) => done(),
  }
}

async function stop(
  server: SmtpServer,
  servers: Server[],
  sockets: Set<Socket>,
  graceMs: number,
): Promise<void> {
  const closed = Promise.all(servers.map((one) => once(one, 'close')))
  for (const one of servers) one.close()
  server.dismiss()
  const deadline = setTimeout(() => destroy(sockets), graceMs)
  const lingering = setInterval(() => {
    if (server.connections.size === 0) destroy(sockets)
  }, LINGER_MS)
  await closed
  clearTimeout(deadline)
  clearInterval(lingering)
}

function destroy(sockets: Set<Socket>): void {
  for (const socket of sockets) socket.destroy()
}

function replyWith(ids: string[]): string {
  const more = ids.length > IDS_IN_REPLY ? ` and ${ids.length - IDS_IN_REPLY} more` : ''
  return `2.0.0 Ok: ${ids.slice(0, IDS_IN_REPLY).join(' ')}${more}`
}
