import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Answer {
  status: number
  /** Head and body as received; valid until the next request. */
  text(): string
}

const HEAD_END = '\r\n\r\n'
const LAST_CHUNK = '0\r\n\r\n'

/**
 * A kept-alive HTTP connection that costs its process as little as possible: one request at a time.
 */
export class HttpConnection {
  readonly #socket: Socket
  readonly #host: string
  #received: Buffer[] = []
  #size = 0
  /**
   * Bytes of the whole answer; unknown until its head has arrived, and while it arrives in chunks.
   */
  #expected: number | undefined
  #chunked = false
  #done: (answer: Answer) => void = () => {}
  #failed: (error: Error) => void = () => {}

  private constructor(target: { host: string; port: number; localAddress?: string }) {
    this.#host = `${target.host}:${target.port}`
    this.#socket = connect({ ...target, noDelay: true })
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#socket.on('error', (error) => this.#failed(error))
    this.#socket.on('close', () => this.#failed(new Error('the connection was closed')))
  }

  static async open(target: { host: string; port: number; localAddress?: string }): Promise<HttpConnection> {
    const connection = new HttpConnection(target)
    await once(connection.#socket, 'connect')
    return connection
  }

  get(
    path: string,
    headers: Record<string, string>,
    done: (answer: Answer) => void,
    failed: (error: Error) => void,
  ): void {
    this.#done = done
    this.#failed = failed
    let head = `GET ${path} HTTP/1.1\r\nHost: ${this.#host}\r\n`
    for (const name in headers) head += `${name}: ${headers[name]}\r\n`
    this.#socket.write(`${head}\r\n`)
  }

  close(): void {
    this.#failed = () => {}
    this.#socket.resetAndDestroy()
  }

  #read(chunk: Buffer): void {
    if (this.#size === 0) this.#readHead(chunk)
    this.#received.push(chunk)
    this.#size += chunk.length
    const whole = this.#chunked
      ? chunk.toString('latin1', Math.max(0, chunk.length - LAST_CHUNK.length)) === LAST_CHUNK
      : this.#size === this.#expected
    if (!whole) return
    const received = this.#received
    this.#received = []
    this.#size = 0
    const status = Number(received[0]!.toString('latin1', 9, 12))
    this.#done({ status, text: () => Buffer.concat(received).toString() })
  }

  /** The service sends its headers in one piece. */
  #readHead(chunk: Buffer): void {
    const end = chunk.indexOf(HEAD_END)
    const head = chunk.toString('latin1', 0, end)
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    this.#chunked = length === undefined
    this.#expected = length === undefined ? undefined : end + HEAD_END.length + Number(length)
  }
}
