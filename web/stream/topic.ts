import type { LinkState, StreamEvent, ToPage } from './messages.ts'

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000
const EVENTS = 'new-email,email-read,email-deleted,inbox-cleared'

/** A page that follows a topic. */
export interface Follower {
  visible: boolean
  tell(message: ToPage): void
}

/**
 * The stream of one inbox, for all pages that show it. It reconnects by its own clock and not by the browser's,
 * because a browser gives up at the first answer that is no stream, such as a proxy's 502 during a restart.
 */
export class Topic {
  readonly followers = new Set<Follower>()
  /** When a page that shows it was last in front; ms. */
  usedAt = 0
  readonly #url: string
  readonly #key: string | undefined
  #source: EventSource | undefined
  #state: LinkState = 'connecting'
  #lastId: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #failures = 0

  constructor(origin: string, address: string, key: string | undefined) {
    this.#url = `${origin}/api/sse/${encodeURIComponent(address)}`
    this.#key = key
  }

  get open(): boolean {
    return this.#source !== undefined
  }

  get seen(): boolean {
    return [...this.followers].some(({ visible }) => visible)
  }

  join(follower: Follower): void {
    this.followers.add(follower)
    follower.tell({ type: 'state', state: this.#state })
    if (this.#state === 'live') follower.tell({ type: 'opened' })
  }

  /** Opens the stream, if it is not open. */
  start(): void {
    if (this.#source !== undefined) return
    clearTimeout(this.#timer)
    const query = new URLSearchParams({ events: EVENTS })
    if (this.#key !== undefined) query.set('key', this.#key)
    if (this.#lastId !== undefined) query.set('last_event_id', this.#lastId)
    const source = new EventSource(`${this.#url}?${query}`)
    this.#source = source
    source.onopen = () => {
      this.#failures = 0
      this.#become('live')
      this.#tell({ type: 'opened' })
    }
    source.onmessage = ({ data, lastEventId }) => {
      if (lastEventId) this.#lastId = lastEventId
      this.#tell({ type: 'event', event: JSON.parse(data) as StreamEvent })
    }
    source.onerror = () => {
      this.stop()
      this.#become(navigator.onLine ? 'reconnecting' : 'offline')
      this.#tell({ type: 'broken' })
    }
  }

  /** Closes the stream; what is missed meanwhile is replayed when it is opened again. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#source?.close()
    this.#source = undefined
  }

  /** A page has found out whether coming back makes sense. */
  answered(again: boolean): void {
    if (!again || this.#source !== undefined) return
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures++)
    // Spread, so that the readers of a restarted service do not all come back at once.
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.start(), longest / 2 + (Math.random() * longest) / 2)
  }

  /** The browser's network has changed: a stream of before may be dead without saying so. */
  again(): void {
    this.stop()
    this.#become('reconnecting')
    this.start()
  }

  #become(state: LinkState): void {
    this.#state = state
    this.#tell({ type: 'state', state })
  }

  #tell(message: ToPage): void {
    for (const follower of this.followers) follower.tell(message)
  }
}
