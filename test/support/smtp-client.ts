import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/**
 * A plain SMTP client that sends one command at a time and sets TCP_NODELAY. A client without it
 * (nodemailer, for example) takes 44 ms for a mail with any server, because of Nagle's algorithm
 * and delayed acknowledgement.
 */
export class SmtpClient {
  readonly #socket: Socket
  #buffer = ''
  #waiting: { resolve: (reply: string) => void; reject: (error: Error) => void } | undefined
  #closed: Error | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      this.#buffer += chunk
      this.#answer()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#closed = new Error('the connection is closed')
      this.#waiting?.reject(this.#closed)
    })
  }

  static async open(smtp: { host: string; port: number }): Promise<SmtpClient> {
    const socket = connect(smtp)
    const client = new SmtpClient(socket)
    await once(socket, 'connect')
    await client.reply()
    await client.say('EHLO client.example')
    return client
  }

  /** Sends one message; resolves with the reply to it, or to the first command that was refused. */
  async send(from: string, recipients: string[], message: string | Buffer): Promise<string> {
    const commands = [`MAIL FROM:<${from}>`, ...recipients.map((to) => `RCPT TO:<${to}>`)]
    for (const command of commands) {
      const reply = await this.say(command)
      if (!reply.startsWith('2')) return reply
    }
    const go = await this.say('DATA')
    if (!go.startsWith('354')) return go
    this.#socket.write(message)
    return this.say('\r\n.')
  }

  say(command: string): Promise<string> {
    this.#socket.write(`${command}\r\n`)
    return this.reply()
  }

  /** The next whole reply, its lines joined. */
  reply(): Promise<string> {
    if (this.#closed) return Promise.reject(this.#closed)
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#answer()
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #answer(): void {
    const match = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(this.#buffer)
    if (match === null || this.#waiting === undefined) return
    const { resolve } = this.#waiting
    this.#waiting = undefined
    this.#buffer = this.#buffer.slice(match[0].length)
    resolve(match[0].trimEnd())
  }
}
