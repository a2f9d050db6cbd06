import { EVERYTHING, isDomain } from '../lib/address.ts'
import type { ToHub, ToPage } from './messages.ts'
import { type Follower, SharedStream } from './shared-stream.ts'

/** How many addresses one stream may follow (contract, Streams). */
const ADDRESSES_MAX = 20
/**
 * A browser keeps six connections to an HTTP/1.1 host, for all of its tabs together, and each stream occupies one.
 * More than one stream is needed only for inboxes with different domain keys, or for more than 20 addresses.
 */
const STREAMS_MAX = 3
/** How often an inbox without a stream is read. */
const POLL_MS = 5000

/** The streams of all pages of this browser. */
export class StreamHub {
  readonly #origin: string
  readonly #followers = new Set<Follower>()
  /** The open streams, by the name of their group. */
  readonly #streams = new Map<string, SharedStream>()
  #polled: Follower[] = []

  constructor(origin: string) {
    this.#origin = origin
    const restart = () => {
      for (const stream of this.#streams.values()) stream.restart()
    }
    addEventListener('online', restart)
    addEventListener('offline', restart)
    setInterval(() => {
      for (const follower of this.#polled) follower.send({ type: 'opened' })
    }, POLL_MS)
  }

  /** Connects one page. Returns the function that takes its messages. */
  connect(send: (message: ToPage) => void): (message: ToHub) => void {
    let follower: Follower | undefined
    return (message) => {
      if (message.type === 'visible') {
        if (follower !== undefined) follower.visible = message.visible
      } else {
        if (follower !== undefined) this.#followers.delete(follower)
        if (message.type === 'follow') {
          const { address, key, visible } = message
          follower = { address, key, visible, send }
          this.#followers.add(follower)
        }
      }
      this.#assign()
    }
  }

  /** Gives streams to the groups with the most visible pages, and polls for the rest. */
  #assign(): void {
    const groups = groupsOf(this.#followers)
    const order = [...groups].sort(([, a], [, b]) => weightOf(b) - weightOf(a))
    const streamed = new Set(order.slice(0, STREAMS_MAX).map(([name]) => name))
    for (const [name, stream] of this.#streams) {
      if (streamed.has(name)) continue
      stream.stop()
      this.#streams.delete(name)
    }
    const polledBefore = new Set(this.#polled)
    this.#polled = []
    for (const [name, followers] of order) {
      if (streamed.has(name)) {
        const stream = this.#streams.get(name) ?? new SharedStream(this.#origin, followers[0]?.key)
        this.#streams.set(name, stream)
        stream.serve(followers)
      } else this.#polled.push(...followers)
    }
    for (const follower of this.#polled) {
      if (polledBefore.has(follower)) continue
      follower.send({ type: 'state', state: 'polling' })
      follower.send({ type: 'opened' })
    }
  }
}

/**
 * Pages that can share a stream: the same domain key, and together at most 20 addresses. Pages of whole domains have
 * their own: it covers every domain of the key.
 */
function groupsOf(followers: Iterable<Follower>): Map<string, Follower[]> {
  const groups = new Map<string, Follower[]>()
  const kinds = Map.groupBy(followers, ({ address, key }) => `${kindOf(address)} ${key ?? ''}`)
  for (const [kind, same] of kinds) {
    const addresses = [...new Set(same.map(({ address }) => address))]
    for (const follower of same) {
      const part = Math.floor(addresses.indexOf(follower.address) / ADDRESSES_MAX)
      const name = `${part}${kind}`
      groups.set(name, [...(groups.get(name) ?? []), follower])
    }
  }
  return groups
}

function kindOf(address: string): string {
  if (address === EVERYTHING) return 'all'
  return isDomain(address) ? '@' : ''
}

/** A page of a whole domain has no list that it could read instead, so it comes first. */
function weightOf(followers: Follower[]): number {
  const isWholeDomain = followers.some(({ address }) => kindOf(address) === '@')
  return visibleIn(followers) + (isWholeDomain ? 1000 : 0)
}

function visibleIn(followers: Follower[]): number {
  return followers.filter(({ visible }) => visible).length
}
