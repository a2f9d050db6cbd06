import type { Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { SMTPConnection, type SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js'
import { SmtpStream } from './data.ts'

/** RFC 5321, section 4.5.3.1.4, and room for the parameters of its extensions. */
const COMMAND_BYTES = 4096
/** A text that says its own status code (RFC 3463), which is the truth then, and not what is usual. */
const CODED = /^[245]\.\d{1,3}\.\d{1,3} /
const STOPPING = '4.3.2 The service is stopping, try again soon'

/** All in ms. */
export interface SmtpTimeouts {
  /** Silence where a command is due. */
  command: number
  /** Silence within the data of a message. */
  data: number
}

export interface SmtpServerOptions extends SMTPServerOptions {
  timeouts: SmtpTimeouts
  connectionsMax: number
}

/**
 * smtp-server, where it does otherwise than we must:
 * - it has one time-out for all; data have another one here (RFC 5321, section 4.5.3.2);
 * - it waits 100 ms before it greets, to catch clients that speak first;
 * - it knows one status code for each reply code, so that ours stand in the text;
 * - when it stops it says so only to those that send a command, and ends messages that are under way.
 */
export class SmtpServer extends SMTPServer {
  readonly timeouts: SmtpTimeouts
  readonly connectionsMax: number
  stopping = false

  constructor({ timeouts, connectionsMax, ...options }: SmtpServerOptions) {
    super({ ...options, socketTimeout: timeouts.command })
    this.timeouts = timeouts
    this.connectionsMax = connectionsMax
  }

  override connect(socket: Socket, options?: SMTPConnectionOptions | null): void {
    const session = new SmtpSession(this, socket, options)
    this.connections.add(session)
    session.on('error', (error) => this._onError(error))
    session.init()
  }

  /** Says good-bye to all clients but those in the middle of a message, to whom it is said after their reply. */
  dismiss(): void {
    this.stopping = true
    for (const session of this.connections) (session as SmtpSession).dismiss()
  }
}

class SmtpSession extends SMTPConnection {
  get #server(): SmtpServer {
    return this._server as SmtpServer
  }

  override init(): void {
    this._setListeners(() => {
      if (this._server.connections.size > this.#server.connectionsMax) {
        this.send(421, '4.3.2 Too many connections, try again soon')
        return
      }
      this.connectionReady()
    })
  }

  /** Ends the session, unless a message is coming in or being stored. */
  dismiss(): void {
    if (!this._dataStream) this.send(421, STOPPING)
  }

  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    super.send(code, data, typeof data === 'string' && CODED.test(data) ? false : context)
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
    if (this._dataStream) this._socket.setTimeout(this.#server.timeouts.data)
  }

  /** Called when a session is ready for its next message, so also after each. */
  override _resetSession(): void {
    super._resetSession()
    this._socket.setTimeout(this.#server.timeouts.command)
    if (this.#server.stopping) setImmediate(() => this.dismiss())
  }
}
