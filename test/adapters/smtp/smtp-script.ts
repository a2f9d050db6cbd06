import net, { type Socket } from 'node:net'

/** How long a server may take for one step of a script. */
const DEADLINE_MS = 5000

/**
 * One SMTP conversation on a raw socket. Every step has a deadline, and its failure shows all that was said.
 */
export class Script {
  readonly socket: Socket
  #said = ''
  #log = ''
  #ended = false
  #changed: () => void = () => {}

  constructor(port: number, options: Omit<net.TcpNetConnectOpts, 'port'> = {}) {
    this.socket = net.connect({ host: '127.0.0.1', ...options, port })
    this.socket.setNoDelay(true)
    this.socket.on('data', (chunk) => {
      this.#said += chunk.toString('latin1')
      this.#log += chunk.toString('latin1')
      this.#changed()
    })
    this.socket.on('error', () => {})
    this.socket.on('close', () => {
      this.#ended = true
      this.#changed()
    })
  }

  send(text: string | Uint8Array): this {
    this.#log += `> ${text.slice(0, 80)}\n`
    this.socket.write(text)
    return this
  }

  /** The next reply, whole, with all its lines. */
  async reply(): Promise<string> {
    const whole = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/
    await this.#until(() => whole.test(this.#said))
    const text = whole.exec(this.#said)?.[0]
    if (text === undefined) throw new Error(`the connection ended:\n${this.#log}`)
    this.#said = this.#said.slice(text.length)
    return text.trimEnd()
  }

  /** Rows of what is sent and how the reply to it begins; null sends nothing. */
  async run(rows: readonly (readonly [string | null, string])[]): Promise<void> {
    for (const [text, expected] of rows) {
      if (text !== null) this.send(`${text}\r\n`)
      const reply = await this.reply()
      if (!reply.startsWith(expected)) throw new Error(`expected ${expected}:\n${this.#log}`)
    }
  }

  /** Resolves when the server has closed the connection. */
  async closed(): Promise<void> {
    await this.#until(() => this.#ended)
  }

  /** Whether the server has said anything that was not asked for. */
  get silent(): boolean {
    return this.#said === ''
  }

  close(): void {
    this.socket.destroy()
  }

  async #until(done: () => boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const deadline = setTimeout(() => reject(new Error(`nothing came:\n${this.#log}`)), DEADLINE_MS)
    this.#changed = () => {
      if (done() || this.#ended) resolve()
    }
    this.#changed()
    await promise.finally(() => clearTimeout(deadline))
  }
}
