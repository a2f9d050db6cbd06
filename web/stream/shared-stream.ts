import { EVERYTHING, isDomain } from '../lib/address.ts'
import { domainOf } from '../lib/api.ts'
import type { LinkState, StreamEvent, ToPage } from './messages.ts'

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000
/** A stream that resumes after this id begins with the emails that exist. */
const FIRST_ID = '0'.repeat(26)
const EVENTS = 'new-email,email-read,email-deleted,inbox-cleared'

/** A page that shows an inbox. */
export interface Follower {
  address: string
  key: string | undefined
  visible: boolean
  send(message: ToPage): void
}

/**
 * One EventSource for several inboxes that share a key (or need none), and for every page that shows one of them; or
 * for whole domains that share a key. The stream of domains is their list, too: it begins with the emails that exist,
 * again for each page that is added.
 * It reconnects by its own timer, because a browser gives up after the first answer that is not a stream, such as
 * a proxy's 502 during a restart.
 */
export class SharedStream {
  readonly #origin: string
  readonly #key: string | undefined
  #followers: Follower[] = []
  /** The newest source, and older ones that are kept until it is open. */
  #sources: EventSource[] = []
  /** The addresses that the newest source asks for. */
  #requested = new Set<string>()
  /** The addresses that an open source covers. */
  #covered = new Set<string>()
  #state: LinkState = 'connecting'
  #lastId: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #failures = 0

  constructor(origin: string, key: string | undefined) {
    this.#origin = origin
    this.#key = key
  }

  /** Serves these pages from now on. Opens a new source only if an address is not covered yet. */
  serve(followers: Follower[]): void {
    const added = followers.filter((follower) => !this.#followers.includes(follower))
    this.#followers = followers
    if (added.some(({ address }) => isReplayed(address))) this.#lastId = FIRST_ID
    if (added.some(({ address }) => isReplayed(address) || !this.#requested.has(address))) this.#open()
    for (const follower of added) {
      const isLive = this.#covered.has(follower.address)
      const state = this.#state === 'live' && !isLive ? 'connecting' : this.#state
      follower.send({ type: 'state', state })
      if (isLive) follower.send({ type: 'opened' })
    }
  }

  /** Reconnects: the network of the browser has changed, and the old connection may be dead without an error. */
  restart(): void {
    this.#close()
    this.#setState('reconnecting')
    this.#open()
  }

  stop(): void {
    this.#close()
    this.#followers = []
  }

  /** The old source is kept until the new one is open, so that the inboxes on it miss nothing. */
  #open(): void {
    clearTimeout(this.#timer)
    const addresses = [...new Set(this.#followers.map(({ address }) => address))]
    const [first, ...others] = addresses
    if (first === undefined) return
    const source = new EventSource(this.#origin + this.#pathOf(first, others))
    this.#sources.push(source)
    this.#requested = new Set(addresses)
    source.onopen = () => this.#opened(source, addresses)
    source.onmessage = ({ data, lastEventId }) => {
      if (lastEventId) this.#lastId = lastEventId
      this.#publish(JSON.parse(data) as StreamEvent)
    }
    source.onerror = () => {
      // A broken source that is about to be replaced is not missed.
      if (this.#sources.at(-1) === source) this.#broken()
      else source.close()
    }
  }

  #opened(source: EventSource, addresses: string[]): void {
    const at = this.#sources.indexOf(source)
    for (const older of this.#sources.splice(0, at)) older.close()
    const before = this.#covered
    this.#covered = new Set(addresses)
    this.#failures = 0
    this.#state = 'live'
    for (const follower of this.#followers) {
      if (before.has(follower.address) || !this.#covered.has(follower.address)) continue
      follower.send({ type: 'state', state: 'live' })
      follower.send({ type: 'opened' })
    }
  }

  #pathOf(first: string, others: string[]): string {
    // The cookie of the session opens the stream of all mail.
    if (first === EVERYTHING) return `/api/sse?${this.#query([])}`
    return isDomain(first)
      ? `/api/user-dashboard/sse?${this.#query([])}`
      : `/api/sse/${encodeURIComponent(first)}?${this.#query(others)}`
  }

  #query(others: string[]): URLSearchParams {
    const query = new URLSearchParams({ events: EVENTS })
    for (const address of others) query.append('also', address)
    if (this.#key !== undefined) query.set('key', this.#key)
    if (this.#lastId !== undefined) query.set('last_event_id', this.#lastId)
    return query
  }

  #broken(): void {
    this.#close()
    this.#setState(navigator.onLine ? 'reconnecting' : 'offline')
    for (const follower of this.#followers) follower.send({ type: 'broken' })
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures++)
    // Random, so that the pages of a restarted service do not all come back at the same moment.
    this.#timer = setTimeout(() => this.#open(), longest / 2 + (Math.random() * longest) / 2)
  }

  #close(): void {
    for (const source of this.#sources.splice(0)) source.close()
    this.#requested = new Set()
    this.#covered = new Set()
  }

  #publish(event: StreamEvent): void {
    const address = event.email?.address ?? event.address
    for (const follower of this.#followers) {
      if (address === undefined || concerns(address, follower)) follower.send({ type: 'event', event })
    }
  }

  #setState(state: LinkState): void {
    this.#state = state
    for (const follower of this.#followers) follower.send({ type: 'state', state })
  }
}

/** The list of a whole domain is what its stream has sent; everything else has a list of its own. */
function isReplayed(address: string): boolean {
  return isDomain(address) && address !== EVERYTHING
}

function concerns(address: string, follower: Follower): boolean {
  if (follower.address === EVERYTHING) return true
  return isDomain(follower.address)
    ? domainOf(address) === domainOf(follower.address)
    : address === follower.address
}
