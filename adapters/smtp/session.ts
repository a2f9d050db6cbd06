import type { Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { SMTPConnection, type SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js'
import { clientNetwork } from '../../core/access/client.ts'
import { SECOND_MS } from '../../core/limits.ts'
import { Tally } from '../../core/tally.ts'
import { SmtpStream } from './data.ts'

/** RFC 5321, section 4.5.3.1.4, and room for the parameters of its extensions. */
const COMMAND_BYTES = 4096
/** A text that says its own status code (RFC 3463), which is the truth then, and not what is usual. */
const CODED = /^[245]\.\d{1,3}\.\d{1,3} /
const STOPPING = '4.3.2 The service is stopping, try again soon'
const TOO_MANY_OF_YOURS = '4.7.0 Too many connections of yours, use those that you have'
/** A client greets twice where it turns on TLS. */
const GREETINGS = 2
/** Who came with no mail for so long may have to leave for others; in the middle of a message it may take longer. */
const IDLE_MS = SECOND_MS
const SLOW_MS = 30 * SECOND_MS

export interface SmtpLimits {
  connections: number
  /** Of one client, an IPv6 /64 being one. */
  connectionsPerClient: number
  /** Clients that `connectionsPerClient` does not bind. */
  isTrusted: (client: string) => boolean
  /** Commands that are not part of a mail, such as NOOP, since the last mail. */
  commandsWithoutMail: number
  /** ms of silence where a command is due. */
  commandMs: number
  /** ms of silence within the data of a message (RFC 5321, section 4.5.3.2). */
  dataMs: number
  /** ms from the beginning, or from the last mail, until the next one is there. */
  mailMs: number
}

export interface SmtpServerOptions extends SMTPServerOptions {
  limits: SmtpLimits
}

/**
 * smtp-server, where it does otherwise than we must:
 * - it has one time-out for all, that any byte prolongs; here data have another one, and a mail has one as a whole;
 * - it waits 100 ms before it greets, to catch clients that speak first;
 * - it knows one status code for each reply code, so that ours stand in the text;
 * - it lets every client have all connections, and keep them without sending mail;
 * - when it stops it says so only to those that send a command, and ends messages that are under way.
 */
export class SmtpServer extends SMTPServer {
  readonly limits: SmtpLimits
  /** Sessions whose sender is known and whose message is not answered yet. */
  readonly underWay = new Set<SMTPServerSession>()
  /** Sessions that asked for a fault: their refused commands are not counted. */
  readonly excused = new WeakSet<SMTPServerSession>()
  stopping = false
  /** How many connections each client has. */
  readonly #clients = new Tally()

  constructor({ limits, ...options }: SmtpServerOptions) {
    super({ ...options, socketTimeout: limits.commandMs })
    this.limits = limits
  }

  override connect(socket: Socket, options?: SMTPConnectionOptions | null): void {
    if (!this.#hasPlaceFor(socket)) {
      // Before there is a session: thousands of them, one after the other, must not keep others waiting.
      socket.on('error', () => {}).write(`421 ${TOO_MANY_OF_YOURS}\r\n`)
      socket.destroySoon()
      return
    }
    const session = new SmtpSession(this, socket, options)
    this.connections.add(session)
    session.on('error', (error) => this._onError(error))
    session.init()
  }

  /** Says good-bye to all clients but those in the middle of a message, to whom it is said after their reply. */
  dismiss(): void {
    this.stopping = true
    for (const session of this.#sessions) session.dismiss()
  }

  /** Ends a session without a word. */
  drop(session: SMTPServerSession): void {
    for (const one of this.#sessions) if (one.session === session) one._socket.destroy()
  }

  /** Whether its client may have one more; it is counted then. */
  #hasPlaceFor(socket: Socket): boolean {
    const address = socket.remoteAddress ?? ''
    if (this.limits.isTrusted(address)) return true
    const client = clientNetwork(address)
    if (this.#clients.of(client) >= this.limits.connectionsPerClient) return false
    this.#clients.add(client)
    let isCounted = true
    const uncount = () => {
      if (isCounted) this.#clients.remove(client)
      isCounted = false
    }
    // Whoever is told good-bye may come back at once, before its old connection is closed here.
    socket.once('finish', uncount).once('close', uncount)
    return true
  }

  /** Why no session can be added; undefined when one can, if need be since another one has to leave. */
  refusal(): string | undefined {
    if (this.connections.size <= this.limits.connections || this.#dismissSlowest()) return undefined
    return '4.3.2 Too many connections, try again soon'
  }

  #dismissSlowest(): boolean {
    let slowest: SmtpSession | undefined
    for (const session of this.#sessions) {
      if (session.overdueMs > (slowest?.overdueMs ?? 0)) slowest = session
    }
    slowest?.send(421, '4.7.0 Others wait for your place, come back when you have mail')
    return slowest !== undefined
  }

  get #sessions(): Iterable<SmtpSession> {
    return this.connections as Iterable<unknown> as Iterable<SmtpSession>
  }
}

class SmtpSession extends SMTPConnection {
  /** When it began, or its last mail was taken. */
  #since = performance.now()
  #greetings = 0
  #commandsWithoutMail = 0
  #mailTimer: NodeJS.Timeout | undefined

  get #server(): SmtpServer {
    return this._server as SmtpServer
  }

  override init(): void {
    this._setListeners(() => {
      const refusal = this.#server.refusal()
      if (refusal !== undefined) {
        this.send(421, refusal)
        return
      }
      this.#mailTimer = setTimeout(() => this.#mailIsLate(), this.#server.limits.mailMs).unref()
      this._socket.once('close', () => clearTimeout(this.#mailTimer))
      this.connectionReady()
    })
  }

  /** How much longer than it may it has been without a mail; at most 0 where it may stay. */
  get overdueMs(): number {
    if (this.#isStoring) return 0
    return performance.now() - this.#since - (this._dataStream ? SLOW_MS : IDLE_MS)
  }

  /** Whether the message is in and its client waits for us. */
  get #isStoring(): boolean {
    return Boolean(this._dataStream) && (this._dataStream as { writableEnded: boolean }).writableEnded
  }

  #mailIsLate(): void {
    if (this.#isStoring) this.#mailTimer!.refresh()
    else this.send(421, '4.4.2 Too long without a mail')
  }

  /** Ends the session, unless a message is coming in or being stored. */
  dismiss(): void {
    if (!this._dataStream) this.send(421, STOPPING)
  }

  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    super.send(code, data, typeof data === 'string' && CODED.test(data) ? false : context)
    if (context === 'DATA_OK') {
      this.#since = performance.now()
      this.#commandsWithoutMail = 0
      this.#mailTimer?.refresh()
    } else if (!isPartOfMail(code, context) && !this.#isGreeting(data)) this.#countCommand()
  }

  #isGreeting(data: unknown): boolean {
    return Array.isArray(data) && this.#greetings++ < GREETINGS
  }

  #countCommand(): void {
    if (this.#server.excused.has(this.session)) return
    if (++this.#commandsWithoutMail <= this.#server.limits.commandsWithoutMail) return
    this.send(421, '4.7.0 Too many commands without a mail')
  }

  override _createParser(): SmtpStream {
    const parser = new SmtpStream({ maxCommandLength: COMMAND_BYTES })
    parser.oncommand = (command, callback) => this._onCommand(command, callback)
    // The only error it has is a command that is too long.
    parser.on('error', () => {
      this.send(500, '5.5.2 The line is too long')
      this.close()
    })
    return parser
  }

  override handler_DATA(command: Buffer, callback: () => void): void {
    super.handler_DATA(command, callback)
    if (this._dataStream) this._socket.setTimeout(this.#server.limits.dataMs)
  }

  /** Called when a session is ready for its next message, so also after each. */
  override _resetSession(): void {
    super._resetSession()
    this.#server.underWay.delete(this.session)
    this._socket.setTimeout(this.#server.limits.commandMs)
    if (this.#server.stopping) setImmediate(() => this.dismiss())
  }
}

/** Whether a reply belongs to a mail, or is none to a command, or a refusal for now, which is none of the client's fault. */
function isPartOfMail(code: number, context: string | false | undefined): boolean {
  return code < 250 || (code >= 300 && code < 500) || context === 'MAIL_FROM_OK' || context === 'RCPT_TO_OK'
}
