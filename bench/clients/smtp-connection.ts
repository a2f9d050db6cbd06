import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const LF = 10
const DASH = 45
const END = '\r\n.\r\n'

/** The result of one mail. Times are those of performance.now(), in ms. */
export interface Sent {
  /** When the last byte of the message was written. */
  wrote: number
  /** When the reply to it had arrived. */
  answered: number
  /** The reply; its ids identify the mail. */
  reply: string
}

/**
 * An SMTP connection that costs its process as little as possible: it parses only reply codes, has
 * one read buffer, and sets TCP_NODELAY (without it, Nagle's algorithm and delayed acknowledgement
 * add 44 ms to every mail).
 */
export class SmtpConnection {
  readonly #socket: Socket
  readonly #message: Buffer
  readonly #pipelining: boolean
  /** Commands of the current mail that are not sent yet; the message is last. */
  #commands: (string | Buffer)[] = []
  /** Replies that must arrive before the next command is sent. */
  #due = 1
  #line = ''
  #wrote = 0
  #done: (sent: Sent) => void = () => {}
  #failed: (error: Error) => void = () => {}

  private constructor(
    target: { host: string; port: number },
    options: { message: Buffer; pipelining: boolean },
  ) {
    this.#message = Buffer.concat([options.message, Buffer.from(END)])
    this.#pipelining = options.pipelining
    this.#socket = connect({
      ...target,
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(4096),
        callback: (size, buffer) => {
          this.#read(buffer as Buffer, size)
          return true
        },
      },
    })
    this.#socket.on('error', (error) => this.#failed(error))
    this.#socket.on('close', () => this.#failed(new Error('the connection was closed')))
  }

  /**
   * @param options.message is sent each time; `pipelining`: MAIL, RCPT and DATA in one write (RFC
   * 2920)
   */
  static async open(
    target: { host: string; port: number },
    options: { message: Buffer; pipelining: boolean },
  ): Promise<SmtpConnection> {
    const connection = new SmtpConnection(target, options)
    await once(connection.#socket, 'connect')
    await new Promise<Sent>((resolve, reject) => {
      connection.#done = resolve
      connection.#failed = reject
      connection.#commands = ['EHLO client.example\r\n']
    })
    return connection
  }

  /** Sends the message. @throws Error if the server refuses it */
  send(recipients: string[], done: (sent: Sent) => void, failed: (error: Error) => void): void {
    this.#done = done
    this.#failed = failed
    const commands = ['MAIL FROM:<sender@shop.example>\r\n', ...recipients.map((to) => `RCPT TO:<${to}>\r\n`)]
    commands.push('DATA\r\n')
    this.#commands = this.#pipelining ? [commands.join(''), this.#message] : [...commands, this.#message]
    this.#say(this.#pipelining ? commands.length : 1)
  }

  close(): void {
    this.#failed = () => {}
    // A reset avoids TIME_WAIT, because the number of ports is limited.
    this.#socket.resetAndDestroy()
  }

  #say(due: number): void {
    this.#due = due
    this.#socket.write(this.#commands.shift()!)
    if (this.#commands.length === 0) this.#wrote = performance.now()
  }

  #read(buffer: Buffer, size: number): void {
    let start = 0
    for (let end = buffer.indexOf(LF); end !== -1 && end < size; end = buffer.indexOf(LF, start)) {
      this.#line += buffer.toString('latin1', start, end)
      start = end + 1
      const last = this.#line.charCodeAt(3) !== DASH
      if (last) this.#reply(this.#line)
      this.#line = ''
    }
    this.#line += buffer.toString('latin1', start, size)
  }

  #reply(line: string): void {
    if (line[0] !== '2' && line[0] !== '3') {
      this.#failed(new Error(`the server said: ${line}`))
      return
    }
    if (--this.#due > 0) return
    if (this.#commands.length > 0) this.#say(1)
    else this.#done({ wrote: this.#wrote, answered: performance.now(), reply: line })
  }
}
