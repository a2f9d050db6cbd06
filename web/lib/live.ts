import type { Email } from './api.ts'

export type LinkState = 'connecting' | 'live' | 'reconnecting' | 'offline'

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000

export interface LiveHandlers {
  state(state: LinkState): void
  /** The stream is open: whatever arrives from now on is told. */
  opened(): void
  email(email: Email): void
  /** It broke or was refused. Answers whether it makes sense to come back. */
  broken(): Promise<boolean>
}

/**
 * The stream of one inbox, kept open. It reconnects by its own clock and not by the browser's, because a browser
 * gives up at the first answer that is no stream, such as a proxy's 502 while the service is restarted.
 */
export class LiveInbox {
  readonly #handlers: LiveHandlers
  readonly #path: string
  readonly #key: string | undefined
  #source: EventSource | undefined
  #lastId: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #failures = 0
  #stopped = false

  constructor(address: string, key: string | undefined, handlers: LiveHandlers) {
    this.#path = `/api/sse/${encodeURIComponent(address)}`
    this.#key = key
    this.#handlers = handlers
    addEventListener('online', this.#retryNow)
    addEventListener('offline', this.#check)
    handlers.state('connecting')
    this.#open()
  }

  stop(): void {
    this.#stopped = true
    this.#source?.close()
    clearTimeout(this.#timer)
    removeEventListener('online', this.#retryNow)
    removeEventListener('offline', this.#check)
  }

  #open(): void {
    const query = new URLSearchParams()
    if (this.#key !== undefined) query.set('key', this.#key)
    if (this.#lastId !== undefined) query.set('last_event_id', this.#lastId)
    const source = new EventSource(query.size > 0 ? `${this.#path}?${query}` : this.#path)
    this.#source = source
    source.onopen = () => {
      this.#failures = 0
      this.#handlers.state('live')
      this.#handlers.opened()
    }
    source.onmessage = ({ data, lastEventId }) => {
      if (lastEventId) this.#lastId = lastEventId
      const event = JSON.parse(data)
      // A gap needs no care of its own: the list was asked for when the stream opened.
      if (event.type === 'new-email') this.#handlers.email(event.email)
    }
    source.onerror = () => {
      source.close()
      this.#broke()
    }
  }

  async #broke(): Promise<void> {
    this.#source = undefined
    this.#handlers.state(navigator.onLine ? 'reconnecting' : 'offline')
    const again = await this.#handlers.broken()
    if (this.#stopped || !again || this.#source !== undefined) return
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures++)
    // Spread, so that the readers of a restarted service do not all come back at once.
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#open(), longest / 2 + (Math.random() * longest) / 2)
  }

  #retryNow = () => {
    if (this.#source !== undefined) return
    clearTimeout(this.#timer)
    this.#handlers.state('reconnecting')
    this.#open()
  }

  /**
   * Offline is what the browser says of the network. A stream from this very machine goes on without one, so
   * that it is asked again rather than given up; where there is a network between, the new one fails and tells.
   */
  #check = () => {
    this.#source?.close()
    this.#source = undefined
    clearTimeout(this.#timer)
    this.#open()
  }
}
