import { setImmediate } from 'node:timers/promises'
import type { Domain } from '../access/ports.ts'
import { domainPart } from '../address.ts'
import type { Clock } from '../clock.ts'
import { Problem } from '../errors.ts'
import type { MessageStore, Scope } from '../inbox/ports.ts'
import {
  RECONNECT_MIN_MS,
  RECONNECTS_PER_SECOND,
  REPLAYS_MAX,
  SECOND_MS,
  STREAMS_MAX,
  STREAMS_PER_CLIENT,
  STREAMS_RESERVED,
} from '../limits.ts'
import { lastUlidOf } from '../ulid.ts'
import type { Change, ChangeFeed } from './ports.ts'
import { Room } from './room.ts'
import type { EndReason, InboxChange, NewEmail, Sink } from './sink.ts'
import { Subscription } from './subscription.ts'
import { Topics } from './topics.ts'
import { Turns } from './turns.ts'

/**
 * What to follow: some addresses, or every domain of a key. `domains` are those that were opened for it, each
 * once and as they were then.
 */
export type Topic =
  | { addresses: readonly string[]; domains: readonly Domain[] }
  | { keyHash: string; domains: readonly Domain[] }

export type EventType = 'new-email' | InboxChange['type']

export interface Follow {
  topic: Topic
  /** Replay what is newer than this id first. */
  after: string | undefined
  /** The id that the client comes back with when it got none before. */
  startId?: string
  /**
   * For a replay: rejects when access is not any more what it was when the topic was opened. Asked after each
   * read of the store, which may have seen mail from after a change that is not announced here yet.
   */
  checkStillOpen?: () => Promise<void>
  /** New emails unless given. */
  events?: ReadonlySet<EventType>
  /** The client's network: no one client may hold all streams. */
  client: string
}

interface Follower {
  subscription: Subscription
  events: ReadonlySet<EventType>
  /**
   * The domains as they were opened for the stream, which ends when the key of one changes: by name, or a single
   * one by itself, since most streams follow one address and a Map would be most of their memory.
   */
  opened: Domain | Map<string, Domain>
  close: () => void
}

const NEW_EMAILS: ReadonlySet<EventType> = new Set(['new-email'])

export interface LiveOptions {
  /** How many streams can be opened, for the clients of those that end together. */
  reconnectsPerSecond?: number
  /** Between two pieces of a client's replay: resolves in a later turn of the event loop. */
  pause?: (client: string) => Promise<void>
}

/** Live delivery: who follows what, and how many may. Each stream is a Subscription. */
export class Live {
  readonly #store: MessageStore
  readonly #clock: Clock
  readonly #addresses = new Topics<Follower>()
  readonly #domains = new Topics<Follower>()
  readonly #keys = new Topics<Follower>()
  readonly #room = new Room(STREAMS_MAX, { usual: STREAMS_PER_CLIENT, reserved: STREAMS_RESERVED })
  readonly #turns = new Turns(REPLAYS_MAX)
  readonly #reconnectsPerSecond: number
  readonly #pause: (client: string) => Promise<void>
  readonly #changeFeed: ChangeFeed
  /** While anybody follows anything: telling nobody costs as well. */
  #unsubscribe: (() => void) | undefined
  #stopped = false

  constructor(
    changeFeed: ChangeFeed,
    store: MessageStore,
    clock: Clock,
    { reconnectsPerSecond = RECONNECTS_PER_SECOND, pause = () => setImmediate() }: LiveOptions = {},
  ) {
    this.#store = store
    this.#clock = clock
    this.#reconnectsPerSecond = reconnectsPerSecond
    this.#pause = pause
    this.#changeFeed = changeFeed
  }

  /** Open streams and waits. */
  get count(): number {
    return this.#room.taken
  }

  /**
   * An id that stands for "now": whoever starts to follow here and comes back with it misses nothing, even if
   * no email came in between.
   */
  now(): string {
    return lastUlidOf(this.#clock() - 1)
  }

  /**
   * Subscribes, and returns the end of the subscription, which the caller must call; it may be called again.
   * @throws Problem `too_many_streams`, or `unavailable` after `stop`
   */
  follow(
    { topic, after, startId, checkStillOpen = async () => {}, events = NEW_EMAILS, client }: Follow,
    sink: Sink,
  ): () => void {
    if (this.#stopped) throw new Problem('unavailable', 'The service is about to restart.', { retryAfter: 2 })
    if (!this.#room.has(client)) {
      throw new Problem(
        'too_many_streams',
        'Close streams that you no longer need; one stream for all domains of a key serves instead of many.',
        { retryAfter: 5 },
      )
    }
    const follower: Follower = {
      subscription: new Subscription(sink),
      events,
      opened: openedOf(topic),
      close: () => {},
    }
    this.#unsubscribe ??= this.#changeFeed.subscribe((change) => this.#announced(change))
    const leave = this.#join(follower, topic)
    this.#room.enter(client)
    let open = true
    follower.close = () => {
      if (!open) return
      open = false
      follower.subscription.close()
      leave()
      this.#room.leave(client)
      if (this.count > 0) return
      this.#unsubscribe?.()
      this.#unsubscribe = undefined
    }
    if (after !== undefined && events.has('new-email')) {
      void follower.subscription.catchUp({
        store: this.#store,
        turns: this.#turns,
        pause: this.#pause,
        client,
        clock: this.#clock,
        scope: () => scopeOf(topic, follower),
        isVisible: (event) => isVisible(follower, event),
        checkStillOpen,
        after,
        failed: () => end(follower, 'failed'),
      })
    }
    if (startId !== undefined) {
      this.#store.settle(scopeOf(topic, follower), startId).catch(() => {
        if (open) end(follower, 'failed')
      })
    }
    return () => follower.close()
  }

  /** Whether a stream over domains has this one. */
  follows(domain: string): boolean {
    return this.#domains.has(domain)
  }

  /** Every domain of which somebody follows something. */
  followed(): Set<string> {
    return new Set([...this.#domains.names(), ...Array.from(this.#addresses.names(), domainPart)])
  }

  /** Ends every subscription: clients come back to another process, or to this one after its restart. */
  stop(): void {
    this.#stopped = true
    this.endAll()
  }

  /** Ends every subscription, where announcements may have been missed: clients come back and read the store first. */
  endAll(): void {
    const withinMs = Math.max(RECONNECT_MIN_MS, (this.count / this.#reconnectsPerSecond) * SECOND_MS)
    for (const topics of [this.#addresses, this.#domains]) {
      for (const [, followers] of topics.all()) {
        for (const follower of followers) end(follower, 'stopping', withinMs)
      }
    }
  }

  #join(follower: Follower, topic: Topic): () => void {
    const leaves =
      'addresses' in topic
        ? topic.addresses.map((address) => this.#addresses.enter(address, follower))
        : [
            this.#keys.enter(topic.keyHash, follower),
            ...topic.domains.map(({ name }) => this.#domains.enter(name, follower)),
          ]
    const [only, ...more] = leaves
    if (only !== undefined && more.length === 0) return only
    return () => {
      for (const leave of leaves) leave()
    }
  }

  #announced(change: Change): void {
    if (change.type === 'domain') {
      this.#endWhereAccessChanged(change.name, change.domain)
      if (change.domain?.keyPresented) this.#joinStreamsOf(change.domain)
      return
    }
    for (const followers of [this.#addresses.of(change.address), this.#domains.of(change.domain)]) {
      for (const follower of followers) {
        const { subscription, events } = follower
        if (change.type === 'email') {
          // Its domain has another key by now, which is yet to be announced.
          if (change.keyHash && change.keyHash !== openedAs(follower, change.domain)?.keyHash)
            end(follower, 'access changed')
          else if (events.has('new-email') && isVisible(follower, change)) subscription.offer(change)
        } else if (events.has(change.type) && isVisibleChange(follower, change)) {
          subscription.sink.change?.(change)
        }
      }
    }
  }

  /**
   * Streams that a domain's change takes access from end; their clients come back through the front door, where
   * the key is checked anew, and lose nothing. That is one rule for a key that changes and for a domain that
   * becomes public, private or leaves.
   */
  #endWhereAccessChanged(name: string, domain: Domain | undefined): void {
    const addresses = [...this.#addresses.all()].filter(([address]) => domainPart(address) === name)
    // A stream may follow several addresses of the domain.
    const followers = new Set([...this.#domains.of(name), ...addresses.flatMap(([, some]) => some)])
    for (const follower of followers) {
      const before = openedAs(follower, name)
      const isSame = before?.keyHash === domain?.keyHash && before?.visibleAfter === domain?.visibleAfter
      if (!isSame) end(follower, 'access changed')
    }
  }

  /** A domain for which its key was shown is in the open streams of that key from now on. */
  #joinStreamsOf(domain: Domain): void {
    const { name, keyHash } = domain
    for (const follower of this.#keys.of(keyHash ?? '')) {
      const domains = follower.opened
      if (!(domains instanceof Map) || domains.has(name)) continue
      domains.set(name, domain)
      // What the stream tells from now on is in the order of all its domains.
      this.#store.settle({ domains: [...domains.keys()] }, this.now()).catch(() => end(follower, 'failed'))
      const leave = this.#domains.enter(name, follower)
      const { close } = follower
      follower.close = () => {
        leave()
        close()
      }
    }
  }
}

/** An announcement may come later than that of a domain which begins anew. */
function isVisible(follower: Follower, { domain, email }: NewEmail): boolean {
  return email.id > (openedAs(follower, domain)?.visibleAfter ?? '')
}

/** What is cleared away behind a domain that begins anew is nobody's to hear of. */
function isVisibleChange(follower: Follower, change: InboxChange): boolean {
  return (
    change.type === 'inbox-cleared' || change.id > (openedAs(follower, change.domain)?.visibleAfter ?? '')
  )
}

function openedOf(topic: Topic): Follower['opened'] {
  const [first, ...others] = topic.domains
  return 'addresses' in topic && first !== undefined && others.length === 0
    ? first
    : new Map(topic.domains.map((domain) => [domain.name, domain]))
}

/** A domain as it was when it was opened for the stream. */
function openedAs({ opened }: Follower, domain: string): Domain | undefined {
  return opened instanceof Map ? opened.get(domain) : opened
}

function end({ subscription, close }: Follower, reason: EndReason, withinMs?: number): void {
  close()
  subscription.sink.end(reason, withinMs)
}

function scopeOf(topic: Topic, { opened }: Follower): Scope {
  if ('addresses' in topic) return { addresses: [...topic.addresses] }
  return { domains: opened instanceof Map ? [...opened.keys()] : [] }
}
