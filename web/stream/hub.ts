import type { ToHub, ToPage } from './messages.ts'
import { type Follower, Topic } from './topic.ts'

/**
 * A browser keeps six connections to a host that speaks HTTP/1.1, for all its tabs together, and a stream holds
 * one for good: with six streams no page loads any more.
 */
const STREAMS_MAX = 3
/** How often an inbox without a stream is read while nobody looks at it. */
const POLL_MS = 15_000

/**
 * The streams of all pages of this browser: one for each inbox that is shown, however many tabs show it, and
 * three at most. Inboxes beyond that, which are those longest out of sight, are read from time to time instead.
 */
export class StreamHub {
  readonly #origin: string
  readonly #topics = new Map<string, Topic>()

  constructor(origin: string) {
    this.#origin = origin
    addEventListener('online', () => this.#restart())
    addEventListener('offline', () => this.#restart())
    setInterval(() => this.#poll(), POLL_MS)
  }

  /** Serves one page. Returns what it says, to be called with each message of it. */
  serve(tell: (message: ToPage) => void): (message: ToHub) => void {
    const follower: Follower = { visible: false, tell }
    let topic: Topic | undefined
    return (message) => {
      if (message.type === 'follow') {
        this.#leave(topic, follower)
        follower.visible = message.visible
        topic = this.#topicOf(message.address, message.key)
        topic.join(follower)
      } else if (message.type === 'visible') follower.visible = message.visible
      else if (message.type === 'answer') topic?.answered(message.again)
      else {
        this.#leave(topic, follower)
        topic = undefined
      }
      if (topic !== undefined && follower.visible) topic.usedAt = Date.now()
      if (message.type !== 'answer') this.#share()
    }
  }

  #topicOf(address: string, key: string | undefined): Topic {
    const name = JSON.stringify([address, key])
    let topic = this.#topics.get(name)
    if (topic === undefined) {
      topic = new Topic(this.#origin, address, key)
      this.#topics.set(name, topic)
    }
    return topic
  }

  #leave(topic: Topic | undefined, follower: Follower): void {
    if (topic === undefined) return
    topic.followers.delete(follower)
    if (topic.followers.size > 0) return
    topic.stop()
    for (const [name, other] of this.#topics) if (other === topic) this.#topics.delete(name)
  }

  /** Streams for those in sight, then for those that were last. */
  #share(): void {
    const order = [...this.#topics.values()].sort(
      (a, b) => Number(b.seen) - Number(a.seen) || b.usedAt - a.usedAt,
    )
    for (const topic of order.slice(STREAMS_MAX)) topic.stop()
    for (const topic of order.slice(0, STREAMS_MAX)) topic.start()
  }

  #poll(): void {
    for (const topic of this.#topics.values()) {
      if (topic.open) continue
      for (const follower of topic.followers) follower.tell({ type: 'opened' })
    }
  }

  #restart(): void {
    for (const topic of this.#topics.values()) if (topic.open) topic.again()
    this.#share()
  }
}
