import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { SMTPServer, SMTPServerAddress } from 'smtp-server'
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js'
import type { Fault } from '../../core/inbox/faults.ts'
import type { RefusedMail } from '../../core/inbox/refusals.ts'
import { SECOND_MS } from '../../core/limits.ts'
import { AUTH_PARAMETER, MAIL_PARAMETERS, replacePath, unannounced } from './arguments.ts'
import { SmtpStream } from './data.ts'
import type { SmtpLimits } from './limits.ts'

/** RFC 5321, section 4.5.3.1.4, and room for the parameters of its extensions. */
const COMMAND_BYTES = 4096
/**
 * A reply text that begins with its own status code (RFC 3463), so that smtp-server must not add
 * one.
 */
const CODED = /^[245]\.\d{1,3}\.\d{1,3} /
/** The commands of a mail, with the address that MAIL and RCPT name. */
const MAIL_COMMAND = /^(MAIL|RCPT|DATA)\b[^<]*(?:<([^>]*)>?)?/i
const TOO_MANY = '4.7.0 Too many commands without a mail'
const STOPPING = '4.3.2 The service is stopping, try again soon'
/** The reply to HELP. */
const HELP = 214
/** The reply to DATA, which another one follows. */
const SEND_MESSAGE = 354
/** The reply to a command in the wrong order, such as DATA after the only recipient was refused. */
const WRONG_ORDER = 503
/** A client that turns on TLS sends EHLO twice. */
const GREETINGS = 2
/**
 * While other clients have no place, a client may hold one for this time without a mail, and longer
 * within a message.
 */
const IDLE_MS = SECOND_MS
const SLOW_MS = 30 * SECOND_MS

/** The mail that a session is handing over, from MAIL FROM until the reply to its data. */
export interface Transaction {
  /**
   * The recipients' domains as they were registered when RCPT was answered: name and
   * `visibleAfter`.
   */
  visibleAfter: Record<string, string>
  /** Faults that apply after the message. */
  faults: { address: string; fault: Fault }[]
}

/** The parts of the server that a session uses. */
export interface SessionOwner {
  readonly limits: SmtpLimits
  readonly isStopping: boolean
  /** Receives every refused sender, recipient and message. */
  readonly refused: (refusal: RefusedMail) => void
  /** Sessions that have a transaction. */
  readonly underWay: Set<SmtpSession>
  /** Why there is no place for one more session, undefined if there is one. */
  refusal(): string | undefined
}

/**
 * One connection of a client. The docstring of SmtpServer says where it differs from smtp-server's.
 */
export class SmtpSession extends SMTPConnection {
  /** Whether the client requested a fault. Then its refused commands are not counted. */
  requestedFault = false
  readonly #owner: SessionOwner
  #transaction: Transaction | undefined
  /** When the session began, or its last mail was accepted. */
  #since = performance.now()
  #greetings = 0
  /** Whether the client has sent a mail. */
  hasSentMail = false
  #commandsWithoutMail = 0
  #allCommandsWithoutMail = 0
  #mailTimer: NodeJS.Timeout | undefined
  /** The command that the next reply answers. */
  #command = ''

  /** @param socket one of TLS for a client that began with it */
  constructor(server: SMTPServer & SessionOwner, socket: Socket) {
    super(server, socket)
    this.#owner = server
    if (socket instanceof TLSSocket) this.session.secure = this.secure = true
  }

  override init(): void {
    this._setListeners(() => {
      const refusal = this.#owner.refusal()
      if (refusal !== undefined) {
        this.send(421, refusal)
        return
      }
      this.#mailTimer = setTimeout(() => this.#mailIsLate(), this.#owner.limits.mailMs).unref()
      this._socket.once('close', () => clearTimeout(this.#mailTimer))
      this.connectionReady()
    })
  }

  /** @throws Error before MAIL FROM, which smtp-server does not let happen */
  get transaction(): Transaction {
    if (this.#transaction === undefined) throw new Error('The session has no sender')
    return this.#transaction
  }

  beginTransaction(): void {
    this.#transaction = { visibleAfter: {}, faults: [] }
    this.#owner.underWay.add(this)
  }

  endTransaction(): void {
    this.#transaction = undefined
    this.#owner.underWay.delete(this)
  }

  /** Ends the connection without a reply. */
  drop(): void {
    this._socket.destroy()
  }

  /**
   * Returns by how many ms the session has exceeded its time without a mail; 0 or less if it may
   * stay.
   */
  get overdueMs(): number {
    if (this.#isStoring) return 0
    return performance.now() - this.#since - (this._dataStream ? SLOW_MS : IDLE_MS)
  }

  /** Whether the message is complete and its client waits for the reply. */
  get #isStoring(): boolean {
    return Boolean(this._dataStream) && (this._dataStream as { writableEnded: boolean }).writableEnded
  }

  #mailIsLate(): void {
    if (this.#isStoring) this.#mailTimer?.refresh()
    else this.send(421, '4.4.2 Too long without a mail')
  }

  /** Replies 421 and closes the connection, unless a message is being received or stored. */
  dismiss(): void {
    if (!this._dataStream) this.send(421, STOPPING)
  }

  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    super.send(code, data, typeof data === 'string' && CODED.test(data) ? false : context)
    if (code >= 400 && code !== WRONG_ORDER) this.#reportRefusal(code, String(data ?? ''))
    // A reply that is sent later, as 421 to an idle client, answers no command.
    if (code !== SEND_MESSAGE) this.#command = ''
    if (context === 'DATA_OK') {
      this.hasSentMail = true
      this.#since = performance.now()
      this.#commandsWithoutMail = 0
      this.#allCommandsWithoutMail = 0
      this.#mailTimer?.refresh()
    } else if (!isPartOfMail(code, context) && !this.#isGreeting(data)) this.#countCommand()
  }

  override _onCommand(command: Buffer, callback?: () => void): void {
    this.#command = String(command)
    if (++this.#allCommandsWithoutMail > this.#owner.limits.allCommandsWithoutMail) this.send(421, TOO_MANY)
    else super._onCommand(command, callback)
  }

  /** Reports a refusal that answers a command of a mail. */
  #reportRefusal(code: number, reply: string): void {
    const [, name = '', named] = MAIL_COMMAND.exec(this.#command) ?? []
    if (name === '') return
    const { mailFrom } = this.session.envelope
    const known = mailFrom ? mailFrom.address : undefined
    const sender = name.toUpperCase() === 'MAIL' ? named : known
    this.#owner.refused({
      at: Date.now(),
      client: this.remoteAddress,
      mailFrom: sender || null,
      recipient: name.toUpperCase() === 'RCPT' ? (named ?? null) : null,
      code,
      reply,
    })
  }

  #isGreeting(data: unknown): boolean {
    return Array.isArray(data) && this.#greetings++ < GREETINGS
  }

  #countCommand(): void {
    if (this.requestedFault) return
    if (++this.#commandsWithoutMail <= this.#owner.limits.commandsWithoutMail) return
    this.send(421, TOO_MANY)
  }

  override _createParser(): SmtpStream {
    const parser = new SmtpStream({ maxCommandLength: COMMAND_BYTES })
    parser.oncommand = (command, callback) => this._onCommand(command, callback)
    // The parser has one error: a command that is too long.
    parser.on('error', () => {
      this.send(500, '5.5.2 The line is too long')
      this.close()
    })
    return parser
  }

  /** Also parses the paths that smtp-server cannot. */
  override _parseAddressCommand(
    name: string,
    command: Buffer | string,
  ): ReturnType<SMTPConnection['_parseAddressCommand']> {
    const replaced = replacePath(command.toString())
    if (replaced === undefined) return super._parseAddressCommand(name, command)
    const parsed = super._parseAddressCommand(name, replaced.command)
    return parsed && { ...parsed, address: replaced.path }
  }

  /** Whether MAIL FROM announced addresses in UTF-8 (RFC 6531). */
  get isUtf8(): boolean {
    return Boolean(this.session.envelope.smtpUtf8)
  }

  override _validateMailParams(parsed: SMTPServerAddress): ReturnType<SMTPConnection['_validateMailParams']> {
    const announced = this._isSupported('AUTH') ? [...MAIL_PARAMETERS, AUTH_PARAMETER] : MAIL_PARAMETERS
    const refusal = unannounced(parsed.args, announced)
    if (refusal === undefined) return super._validateMailParams(parsed as never)
    return { code: refusal.responseCode, message: refusal.message, enhancedCode: '' }
  }

  override handler_DATA(command: Buffer, callback: () => void): void {
    super.handler_DATA(command, callback)
    if (this._dataStream) this._socket.setTimeout(this.#owner.limits.dataMs)
  }

  /**
   * smtp-server calls it when the session is ready for its next message, so after each message too.
   */
  override _resetSession(): void {
    super._resetSession()
    this.endTransaction()
    this._socket.setTimeout(this.#owner.limits.commandMs)
    if (this.#owner.isStopping) setImmediate(() => this.dismiss())
  }
}

/**
 * Whether a reply belongs to a mail, or answers no command, or is a temporary refusal that is not
 * the client's fault.
 */
function isPartOfMail(code: number, context: string | false | undefined): boolean {
  if (code === HELP) return false
  return code < 250 || (code >= 300 && code < 500) || context === 'MAIL_FROM_OK' || context === 'RCPT_TO_OK'
}
