import { type ClientRequest, request } from 'node:http'

/** Where a stream is opened, chosen again at each reconnect. */
export interface Door {
  port: number
  headers: Record<string, string>
}

/**
 * An event stream client that behaves like the SDK: it reconnects after `retry` with the last event
 * id, also when the service is unavailable for a moment (503), and gives up after any other status
 * but 200. It is light enough for ten thousand in one process.
 */
export class LightStream {
  /** Ids of the new emails, in the order of their events. */
  readonly ids: string[] = []
  /** How often it was opened. */
  opened = 0
  isOpen = false
  /** The status after which it gave up. */
  refused: number | undefined
  readonly #path: string
  readonly #door: () => Door
  #request: ClientRequest | undefined
  #lastId = ''
  #retryMs = 1000
  #closed = false

  constructor(path: string, door: () => Door) {
    this.#path = path
    this.#door = door
  }

  /** Resolves when it is open or refused. */
  open(): Promise<void> {
    return new Promise((resolve) => this.#open(resolve))
  }

  close(): void {
    this.#closed = true
    this.#request?.destroy()
  }

  #open(settled?: () => void): void {
    if (this.#closed) return
    const { port, headers } = this.#door()
    const again = () => void setTimeout(() => this.#open(settled), this.#retryMs).unref()
    const last = this.#lastId === '' ? {} : { 'last-event-id': this.#lastId }
    // A separate connection.
    this.#request = request({
      host: '127.0.0.1',
      port,
      path: this.#path,
      headers: { ...headers, ...last },
      agent: false,
    })
    this.#request.once('error', again)
    this.#request.once('response', (answer) => {
      this.#request!.off('error', again).on('error', () => {})
      if (answer.statusCode === 503) {
        answer.resume()
        again()
        return
      }
      settled?.()
      if (answer.statusCode !== 200) {
        this.refused = answer.statusCode
        answer.resume()
        return
      }
      this.opened++
      this.isOpen = true
      settled = undefined
      let rest = ''
      answer.setEncoding('utf8')
      answer.on('data', (text: string) => {
        const blocks = (rest + text).split('\n\n')
        rest = blocks.pop()!
        for (const block of blocks) this.#take(block)
      })
      answer.on('error', () => {})
      answer.once('close', () => {
        this.isOpen = false
        again()
      })
    })
    this.#request.end()
  }

  /** An unfinished event at the end of a connection is discarded. */
  #take(block: string): void {
    for (const line of block.split('\n')) {
      const [, field, value = ''] = /^(id|retry|data): ?(.*)$/.exec(line) ?? []
      if (field === 'id') this.#lastId = value
      else if (field === 'retry') this.#retryMs = Number(value)
      else if (field === 'data') {
        const { type, email } = JSON.parse(value)
        if (type === 'new-email') this.ids.push(email.id)
      }
    }
  }
}
