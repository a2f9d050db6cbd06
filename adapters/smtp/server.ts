import { createServer, type Server, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { clientNetwork } from '../../core/access/client.ts'
import type { RefusedMail } from '../../core/inbox/refusals.ts'
import { siteOf } from '../../core/network.ts'
import { Quota } from '../../core/quota.ts'
import { beginsWithTls } from './first-byte.ts'
import type { SmtpLimits } from './limits.ts'
import { type SessionOwner, SmtpSession } from './session.ts'

const TOO_MANY = '4.3.2 Too many connections, try again soon'
const NEEDED = '4.7.0 Other clients wait for this connection, come back when you have mail'
const TOO_MANY_OF_CLIENT = '4.7.0 Too many connections from your address, use those that you have'

export interface SmtpServerOptions extends SMTPServerOptions {
  limits: SmtpLimits
  /** Receives every refused sender, recipient and message. */
  refused?: (refusal: RefusedMail) => void
}

/**
 * smtp-server with the differences that this service needs:
 * - smtp-server has one time-out, which any byte prolongs; here message data have another one, and
 *   a whole mail has a third one;
 * - it waits 100 ms before the greeting to catch clients that speak first; here the greeting is
 *   sent at once;
 * - it has one status code for each reply code; here the text of a reply carries its own;
 * - it listens on one address, and a port of its own is needed for TLS from the first byte;
 * - it lets every client have all connections, and keep them without sending mail;
 * - when it stops, it says so only to clients that send a command, and ends messages that are under
 *   way.
 */
export class SmtpServer extends SMTPServer implements SessionOwner {
  readonly limits: SmtpLimits
  readonly refused: (refusal: RefusedMail) => void
  readonly underWay = new Set<SmtpSession>()
  isStopping = false
  /** Connections of clients that are not trusted. */
  readonly #quota: Quota
  readonly #sessionOf = new WeakMap<SMTPServerSession, SmtpSession>()

  constructor({ limits, refused = () => {}, ...options }: SmtpServerOptions) {
    super({ ...options, socketTimeout: limits.commandMs })
    this.limits = limits
    this.refused = refused
    const { connections, connectionsPerClient, connectionsReserved } = limits
    this.#quota = new Quota(connections, {
      perClient: connectionsPerClient,
      usual: connectionsPerClient,
      reserved: connectionsReserved,
    })
  }

  /** A server for one address, whose connections this one handles. */
  listener(): Server {
    return createServer((socket) => void this.#accept(socket))
  }

  async #accept(socket: Socket): Promise<void> {
    socket.on('error', () => {})
    const refusal = this.#enter(socket)
    if (refusal !== undefined) {
      // Without a session: thousands of refused connections must not delay other clients.
      socket.write(`421 ${refusal}\r\n`)
      socket.destroySoon()
      return
    }
    const isTls = this.options.cert !== undefined && (await beginsWithTls(socket, this.limits.firstByteMs))
    if (isTls === false) this.connect(socket)
    else if (isTls === undefined) socket.destroy()
    else this._upgrade(socket, (error, secure) => (error ? socket.destroy() : this.connect(secure!)))
  }

  override connect(socket: Socket): void {
    const session = new SmtpSession(this, socket)
    this.#sessionOf.set(session.session, session)
    this.connections.add(session)
    session.on('error', (error) => this._onError(error))
    session.init()
  }

  /** The connection that a handler of smtp-server was called for. */
  sessionOf(session: SMTPServerSession): SmtpSession {
    const found = this.#sessionOf.get(session)
    if (found === undefined) throw new Error('The session is not of this server')
    return found
  }

  /**
   * Replies 421 to all clients; those in the middle of a message get it after the reply to the
   * message.
   */
  dismiss(): void {
    this.isStopping = true
    for (const session of this.#sessions) session.dismiss()
  }

  /** Takes a place for the client's connection. Returns undefined, or the reason for a refusal. */
  #enter(socket: Socket): string | undefined {
    const address = socket.remoteAddress ?? ''
    if (this.limits.isTrusted(address)) return undefined
    const client = clientNetwork(address)
    if (!this.#quota.has(client)) {
      if (this.#quota.taken < this.limits.connections) return TOO_MANY_OF_CLIENT
      if (!this.#evictOfFullestSite(client) && !this.#evictSlowest()) return TOO_MANY
    }
    this.#quota.enter(client)
    let hasPlace = true
    const leave = () => {
      if (hasPlace) this.#quota.leave(client)
      hasPlace = false
    }
    // A client may reconnect after our 421 before its old connection is closed here.
    socket.once('finish', leave).once('close', leave)
    return undefined
  }

  refusal(): string | undefined {
    if (this.connections.size <= this.limits.connections || this.#evictSlowest()) return undefined
    return TOO_MANY
  }

  /**
   * Ends a connection of the site that holds the most, unless the newcomer's holds as many: one that
   * has sent no mail yet.
   */
  #evictOfFullestSite(newcomer: string): boolean {
    let most = this.#quota.heldBy(siteOf(newcomer)) + 1
    let evicted: SmtpSession | undefined
    for (const session of this.#sessions) {
      if (session.hasSentMail) continue
      const held = this.#quota.heldBy(siteOf(clientNetwork(session.remoteAddress)))
      if (held <= most) continue
      most = held
      evicted = session
    }
    evicted?.send(421, NEEDED)
    return evicted !== undefined
  }

  #evictSlowest(): boolean {
    let slowest: SmtpSession | undefined
    for (const session of this.#sessions) {
      if (session.overdueMs > (slowest?.overdueMs ?? 0)) slowest = session
    }
    slowest?.send(421, NEEDED)
    return slowest !== undefined
  }

  get #sessions(): Iterable<SmtpSession> {
    return this.connections as Iterable<unknown> as Iterable<SmtpSession>
  }
}
