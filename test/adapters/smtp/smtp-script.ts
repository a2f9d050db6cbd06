import net, { type Socket } from 'node:net'

/** The time in ms that a server may take for one step of a script. */
const DEADLINE_MS = 60_000

/** One step of an SMTP conversation. */
export interface Step {
  /** A line without its line end; if unset, nothing is sent. */
  send?: string
  /** The beginning of the expected reply. */
  expect: string
}

/**
 * An SMTP conversation on a raw socket. Every step has a deadline; an error contains the whole
 * conversation.
 */
export class Script {
  readonly socket: Socket
  #received = ''
  #log = ''
  #ended = false
  #changed: () => void = () => {}

  constructor(port: number, options: Omit<net.TcpNetConnectOpts, 'port'> = {}) {
    this.socket = net.connect({ host: '127.0.0.1', ...options, port })
    this.socket.setNoDelay(true)
    this.socket.on('data', (chunk) => {
      this.#received += chunk.toString('latin1')
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

  /** Returns the next reply with all its lines. */
  async reply(): Promise<string> {
    const complete = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/
    await this.#until('a reply', () => complete.test(this.#received))
    const text = complete.exec(this.#received)?.[0]
    if (text === undefined) throw new Error(`The connection ended:\n${this.#log}`)
    this.#received = this.#received.slice(text.length)
    return text.trimEnd()
  }

  /** Runs the steps in order. Rejects when a reply is not the expected one. */
  async run(steps: readonly Step[]): Promise<void> {
    for (const { send, expect } of steps) {
      if (send !== undefined) this.send(`${send}\r\n`)
      const reply = await this.reply()
      if (!reply.startsWith(expect)) throw new Error(`Expected ${expect}, conversation:\n${this.#log}`)
    }
  }

  /** Resolves when the server has closed the connection. */
  async closed(): Promise<void> {
    await this.#until('the end of the connection', () => this.#ended)
  }

  /** Whether `reply` has read every byte that the server sent. */
  get silent(): boolean {
    return this.#received === ''
  }

  close(): void {
    this.socket.destroy()
  }

  async #until(what: string, isDone: () => boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const deadline = setTimeout(() => reject(new Error(`Waited for ${what}:\n${this.#log}`)), DEADLINE_MS)
    this.#changed = () => {
      if (isDone() || this.#ended) resolve()
    }
    this.#changed()
    await promise.finally(() => clearTimeout(deadline))
  }
}
