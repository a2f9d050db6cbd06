import { setImmediate } from 'node:timers/promises'
import type { Domain } from '../access/ports.ts'
import type { Clock } from '../clock.ts'
import { Problem } from '../errors.ts'
import { FairQueue } from '../fair-queue.ts'
import type { AllMail, MessageStore, ReplayBatch } from '../inbox/ports.ts'
import {
  RECONNECT_MIN_MS,
  RECONNECTS_PER_SECOND,
  REPLAY_MAX,
  REPLAYS_MAX,
  SECOND_MS,
  STREAMS_MAX,
  STREAMS_PER_CLIENT,
  STREAMS_RESERVED,
} from '../limits.ts'
import { Quota } from '../quota.ts'
import { lastUlidOf } from '../ulid.ts'
import {
  type EventType,
  end,
  type Follower,
  isUnderOtherKey,
  isVisible,
  isVisibleChange,
  openedAs,
  openedNames,
  openedOf,
  scopeOf,
  type Topic,
} from './follower.ts'
import { Followers } from './followers.ts'
import type { Change, ChangeFeed } from './ports.ts'
import type { Sink } from './sink.ts'
import { Subscription } from './subscription.ts'

export interface Follow {
  topic: Topic
  /** Emails that are newer than this id are replayed first. */
  after: string | undefined
  /** The id with which the client reconnects if it receives no email before. */
  startId?: string
  /**
   * For a replay: rejects if access has changed since it was checked. Called after each read of the
   * store, because the read may include mail that is newer than a change of the domain which is not
   * published here yet.
   */
  checkStillOpen?: () => Promise<void>
  /** New emails by default. */
  events?: ReadonlySet<EventType>
  /** The client's network, for the quota of streams. */
  client: string
}

const NEW_EMAILS: ReadonlySet<EventType> = new Set(['new-email'])

export interface LiveOptions {
  /**
   * Streams that can be opened in a second. Clients of streams that end together spread over that
   * time.
   */
  reconnectsPerSecond?: number
  /**
   * Called between two batches of a client's replay. Resolves in a later turn of the event loop.
   */
  pause?: (client: string) => Promise<void>
  /** For streams of all mail. */
  allMail?: Pick<AllMail, 'replay'>
}

/**
 * Live delivery: which streams follow which addresses and domains. Each stream has a Subscription.
 */
export class Live {
  readonly #store: MessageStore
  readonly #allMail: Pick<AllMail, 'replay'> | undefined
  readonly #clock: Clock
  readonly #followers = new Followers()
  readonly #streams = new Quota(STREAMS_MAX, { usual: STREAMS_PER_CLIENT, reserved: STREAMS_RESERVED })
  readonly #replays = new FairQueue(REPLAYS_MAX)
  readonly #reconnectsPerSecond: number
  readonly #pause: (client: string) => Promise<void>
  readonly #changeFeed: ChangeFeed
  /** Set only while there are streams, because a subscription to the feed costs time. */
  #unsubscribe: (() => void) | undefined
  #stopped = false

  constructor(
    changeFeed: ChangeFeed,
    store: MessageStore,
    clock: Clock,
    { reconnectsPerSecond = RECONNECTS_PER_SECOND, pause = () => setImmediate(), allMail }: LiveOptions = {},
  ) {
    this.#allMail = allMail
    this.#store = store
    this.#clock = clock
    this.#reconnectsPerSecond = reconnectsPerSecond
    this.#pause = pause
    this.#changeFeed = changeFeed
  }

  /** Those of them that are waits (core/events/wait.ts). */
  waits = 0

  /** Open streams and waits. */
  get count(): number {
    return this.#streams.taken
  }

  /**
   * An id for a stream that begins now. A client that reconnects with it misses no email, even if it
   * received none in between. An email has its id some time before it is visible, so that moment
   * could be too late: a store without a barrier chooses it.
   */
  startId(topic: Topic): string {
    return this.#store.startId?.('allMail' in topic ? undefined : scopeOf(topic)) ?? this.#now()
  }

  #now(): string {
    return lastUlidOf(this.#clock() - 1)
  }

  /**
   * Subscribes. Returns a function that ends the subscription; the caller must call it, and may
   * call it again.
   * @throws Problem `too_many_streams`, or `unavailable` after `stop`
   */
  follow(
    { topic, after, startId, checkStillOpen = async () => {}, events = NEW_EMAILS, client }: Follow,
    sink: Sink,
  ): () => void {
    this.#refuseIfFull(client)
    const follower: Follower = {
      subscription: new Subscription(sink),
      events,
      opened: openedOf(topic),
      close: () => {},
    }
    this.#unsubscribe ??= this.#changeFeed.subscribe((change) => this.#publish(change))
    follower.close = this.#enter(follower, topic, client)
    if (after !== undefined && events.has('new-email')) {
      void follower.subscription.catchUp({
        read: (after) => this.#read(topic, follower, after),
        replays: this.#replays,
        pause: this.#pause,
        client,
        isVisible: (event) => isVisible(follower, event),
        checkStillOpen,
        after,
        failed: () => end(follower, 'failed'),
      })
    }
    // A store that serves all mail orders all of it.
    if (startId !== undefined && !('allMail' in topic)) {
      this.#store.barrier(scopeOf(topic, follower), startId).catch(() => end(follower, 'failed'))
    }
    return () => follower.close()
  }

  /** Whether a stream over domains includes this domain. */
  follows(domain: string): boolean {
    return this.#followers.hasDomain(domain)
  }

  /** Every address and every whole domain that a stream follows. */
  followed(): Set<string> {
    return this.#followers.names()
  }

  /**
   * Resolves when later changes of the topic arrive; undefined if they do already. Must come before
   * `follow`.
   * @throws Problem `unavailable`
   */
  cover(topic: Topic): Promise<void> | undefined {
    return 'allMail' in topic ? undefined : this.#changeFeed.cover?.(topic)
  }

  /**
   * Ends every subscription. Clients reconnect to another process, or to this one after its
   * restart.
   */
  stop(): void {
    this.#stopped = true
    this.endAll()
  }

  /**
   * Ends every subscription, because changes may have been missed. Clients reconnect and get a
   * replay.
   */
  endAll(): void {
    const withinMs = Math.max(RECONNECT_MIN_MS, (this.count / this.#reconnectsPerSecond) * SECOND_MS)
    for (const follower of this.#followers.all()) end(follower, 'stopping', withinMs)
  }

  #read(topic: Topic, follower: Follower, after: string): AsyncIterable<ReplayBatch> {
    if (!('allMail' in topic)) return this.#store.replay(scopeOf(topic, follower), after, REPLAY_MAX)
    if (this.#allMail === undefined) throw new Error('this store does not serve all mail')
    return this.#allMail.replay(after, REPLAY_MAX)
  }

  /** @throws Problem `too_many_streams`, or `unavailable` after `stop` */
  #refuseIfFull(client: string): void {
    if (this.#stopped) throw new Problem('unavailable', 'The service is about to restart.', { retryAfter: 2 })
    if (this.#streams.has(client)) return
    throw new Problem(
      'too_many_streams',
      'Close streams that you no longer need. One stream can follow many addresses, or all domains of a key.',
      { retryAfter: 5 },
    )
  }

  /** Counts and adds a stream. Returns the function that removes it, which may be called again. */
  #enter(follower: Follower, topic: Topic, client: string): () => void {
    const leave = this.#followers.add(follower, topic)
    this.#streams.enter(client)
    return () => {
      if (!follower.subscription.isOpen) return
      follower.subscription.close()
      leave()
      this.#streams.leave(client)
      if (this.count > 0) return
      this.#unsubscribe?.()
      this.#unsubscribe = undefined
    }
  }

  #publish(change: Change): void {
    if (change.type === 'domain') {
      this.#endWhereAccessChanged(change.name, change.domain)
      if (change.domain?.keyPresented) this.#addToStreams(change.domain)
      return
    }
    for (const follower of this.#followers.of(change.address, change.domain)) {
      const { subscription, events } = follower
      if (change.type === 'email') {
        // The key of the domain has changed, and that change is not published yet.
        if (isUnderOtherKey(follower, change)) end(follower, 'access changed')
        else if (events.has('new-email') && isVisible(follower, change)) subscription.offer(change)
      } else if (events.has(change.type) && isVisibleChange(follower, change)) {
        subscription.sink.change?.(change)
      }
    }
  }

  /**
   * Ends the streams that lose access through a change of the domain: its key changed, it became
   * public or private, or it was unregistered. Their clients reconnect, the key is checked again,
   * and no email is missed.
   */
  #endWhereAccessChanged(name: string, domain: Domain | undefined): void {
    for (const follower of this.#followers.within(name)) {
      const before = openedAs(follower, name)
      const isSame = before.keyHash === domain?.keyHash && before.visibleAfter === domain.visibleAfter
      if (!isSame) end(follower, 'access changed')
    }
  }

  /** Adds a domain whose key was presented to the open streams of that key. */
  #addToStreams(domain: Domain): void {
    for (const follower of this.#followers.addDomain(domain)) {
      // From now on the stream is ordered over all its domains.
      this.#store
        .barrier({ domains: openedNames(follower) }, this.#now())
        .catch(() => end(follower, 'failed'))
    }
  }
}
