import type { Domain } from '../access/ports.ts'
import type { Clock } from '../clock.ts'
import { Problem } from '../errors.ts'
import { type Email, type EmailFilter, matches } from '../inbox/email.ts'
import type { MessageStore, Scope } from '../inbox/ports.ts'
import { REPLAY_MAX, STREAMS_MAX, STREAMS_PER_CLIENT, STREAMS_PER_TOPIC } from '../limits.ts'
import { domainPart } from '../mail/address.ts'
import { lastUlidOf } from '../ulid.ts'
import type { Change, ChangeFeed } from './ports.ts'

export interface NewEmail {
  domain: string
  email: Email
}

/** Where a subscription's emails go. None of these may throw. */
export interface Sink {
  email(event: NewEmail): void
  /** Emails before this id were left out of the replay, for there are too many. */
  gap(missedBefore: string): void
  /** Set while more should not be sent just now; it resolves when it may, or when nobody reads any more. */
  ready?(): Promise<void> | undefined
  /** The subscription has ended by itself, and why. */
  end(reason: 'access changed' | 'failed' | 'stopping'): void
}

/** What to follow: one address, or every domain of a key; and what opened it. */
export type Topic = { address: string; domain: Domain } | { keyHash: string; domains: Domain[] }

export interface Follow {
  topic: Topic
  /** Replay what is newer than this id first. */
  after: string | undefined
  /** The client's network: no one client may hold all streams. */
  client: string
}

interface Subscription {
  sink: Sink
  /** The key (or its absence) that opened the stream: when a domain's key changes, the stream ends. */
  keyHash: string | null
  /** The domains that it follows, each with the id up to which its mail is from before it was registered so. */
  visibleAfter: Map<string, string>
  /** Emails that arrived while the replay runs; undefined once it is done. */
  held: NewEmail[] | undefined
  /** Ids that the replay brought: they may be announced a little later too. */
  replayed: Set<string> | undefined
  close: () => void
}

/**
 * Live delivery: each subscription first catches up from the store and then goes on with what the stores
 * announce, none missed and none twice. It listens before it reads the store, holds what arrives meanwhile,
 * and drops of that what the store gave already.
 */
export class Live {
  readonly #emails: MessageStore
  readonly #clock: Clock
  readonly #addresses = new Map<string, Set<Subscription>>()
  readonly #domains = new Map<string, Set<Subscription>>()
  readonly #keys = new Map<string, Set<Subscription>>()
  readonly #perClient = new Map<string, number>()
  readonly #unsubscribe: () => void
  #count = 0
  #stopped = false

  constructor(changeFeed: ChangeFeed, emails: MessageStore, clock: Clock) {
    this.#emails = emails
    this.#clock = clock
    this.#unsubscribe = changeFeed.subscribe((change) => this.#announced(change))
  }

  /** Open subscriptions. */
  get count(): number {
    return this.#count
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
  follow({ topic, after, client }: Follow, sink: Sink): () => void {
    if (this.#stopped) throw new Problem('unavailable', 'The service is about to restart.', { retryAfter: 2 })
    this.#checkRoom(topic, client)
    const subscription: Subscription = {
      sink,
      keyHash: 'address' in topic ? topic.domain.key_hash : topic.keyHash,
      visibleAfter: new Map(domainsOf(topic).map(({ name, visible_after }) => [name, visible_after])),
      held: after === undefined ? undefined : [],
      replayed: undefined,
      close: () => {},
    }
    const leave = this.#join(subscription, topic)
    this.#count++
    this.#perClient.set(client, (this.#perClient.get(client) ?? 0) + 1)
    let open = true
    subscription.close = () => {
      if (!open) return
      open = false
      leave()
      this.#count--
      const others = this.#perClient.get(client)! - 1
      if (others === 0) this.#perClient.delete(client)
      else this.#perClient.set(client, others)
    }
    if (after !== undefined) {
      const scope = 'address' in topic ? { address: topic.address } : { domains: names(topic.domains) }
      void this.#replay(subscription, scope, after, () => open)
    }
    return () => subscription.close()
  }

  /**
   * The newest email that the filter asks for, or else the first such that arrives; null after `timeoutMs` or
   * when `signal` fires. @throws Problem `too_many_streams`
   */
  async wait(
    topic: { address: string; domain: Domain },
    wanted: { filter: EmailFilter; after: string | undefined },
    options: { client: string; timeoutMs: number; signal: AbortSignal },
    there: () => Promise<Email | null>,
  ): Promise<Email | null> {
    const arrival = Promise.withResolvers<Email | null>()
    const nothing = () => arrival.resolve(null)
    const close = this.follow(
      { topic, after: undefined, client: options.client },
      {
        email: ({ email }) => {
          if (wanted.after !== undefined && email.id <= wanted.after) return
          if (matches(email, wanted.filter)) arrival.resolve(email)
        },
        gap: nothing,
        end: nothing,
      },
    )
    const timer = setTimeout(nothing, options.timeoutMs)
    options.signal.addEventListener('abort', nothing, { once: true })
    try {
      return (await there()) ?? (await arrival.promise)
    } finally {
      close()
      clearTimeout(timer)
      options.signal.removeEventListener('abort', nothing)
    }
  }

  /** Ends every subscription: clients come back to another process, or to this one after its restart. */
  stop(): void {
    this.#stopped = true
    this.#unsubscribe()
    for (const topic of [this.#addresses, this.#domains]) {
      for (const subscriptions of [...topic.values()]) {
        for (const subscription of [...subscriptions]) end(subscription, 'stopping')
      }
    }
  }

  #checkRoom(topic: Topic, client: string): void {
    const same =
      'address' in topic ? this.#addresses.get(topic.address)?.size : this.#keys.get(topic.keyHash)?.size
    if (
      this.#count < STREAMS_MAX &&
      (this.#perClient.get(client) ?? 0) < STREAMS_PER_CLIENT &&
      (same ?? 0) < STREAMS_PER_TOPIC
    ) {
      return
    }
    throw new Problem(
      'too_many_streams',
      'Close streams that you no longer need; one stream for all domains of a key serves instead of many.',
      { retryAfter: 5 },
    )
  }

  #join(subscription: Subscription, topic: Topic): () => void {
    if ('address' in topic) return enter(this.#addresses, topic.address, subscription)
    const leaves = [
      enter(this.#keys, topic.keyHash, subscription),
      ...names(topic.domains).map((name) => enter(this.#domains, name, subscription)),
    ]
    return () => {
      for (const leave of leaves) leave()
    }
  }

  /**
   * At the pace of the reader: what was missed comes from the store in batches, each when the one before it is
   * taken, so that a stream which missed much neither holds it all nor is cut off for it and misses it again.
   */
  async #replay(
    subscription: Subscription,
    scope: Scope,
    after: string,
    isOpen: () => boolean,
  ): Promise<void> {
    const { sink } = subscription
    const replayed = new Set<string>()
    subscription.replayed = replayed
    try {
      for await (const { missed_before, emails } of this.#emails.replay(scope, after, REPLAY_MAX)) {
        if (!isOpen()) return
        if (missed_before !== undefined) sink.gap(missed_before)
        for (const email of emails) {
          await sink.ready?.()
          if (!isOpen()) return
          const event = { domain: domainPart(email.address), email }
          if (!isVisible(subscription, event)) continue
          replayed.add(email.id)
          sink.email(event)
        }
      }
      for (let held = subscription.held?.shift(); held !== undefined; held = subscription.held?.shift()) {
        await sink.ready?.()
        if (!isOpen()) return
        if (!replayed.has(held.email.id)) sink.email(held)
      }
      subscription.held = undefined
    } catch {
      // The store did not answer; the client comes back with the same id and tries again.
      if (isOpen()) end(subscription, 'failed')
    }
  }

  #announced(announcement: Change): void {
    if (announcement.type === 'email') {
      const { domain, email } = announcement
      for (const subscription of this.#addresses.get(email.address) ?? []) deliver(subscription, announcement)
      for (const subscription of this.#domains.get(domain) ?? []) deliver(subscription, announcement)
      return
    }
    if (announcement.type === 'domain') {
      this.#endWhereAccessChanged(announcement.name, announcement.domain)
      if (announcement.domain?.key_presented) this.#joinStreamsOf(announcement.domain)
    }
  }

  /**
   * Streams that a domain's change takes access from end; their clients come back through the front door, where
   * the key is checked anew, and lose nothing. That is one rule for a key that changes and for a domain that
   * becomes public, private or leaves.
   */
  #endWhereAccessChanged(name: string, domain: Domain | undefined): void {
    const addresses = [...this.#addresses].filter(([address]) => domainPart(address) === name)
    const subscriptions = [...(this.#domains.get(name) ?? []), ...addresses.flatMap(([, some]) => [...some])]
    for (const subscription of subscriptions) {
      const isSame =
        subscription.keyHash === domain?.key_hash &&
        subscription.visibleAfter.get(name) === domain.visible_after
      if (!isSame) end(subscription, 'access changed')
    }
  }

  /** A domain for which its key was shown is in the open streams of that key from now on. */
  #joinStreamsOf({ name, key_hash, visible_after }: Domain): void {
    for (const subscription of this.#keys.get(key_hash ?? '') ?? []) {
      if (subscription.visibleAfter.has(name)) continue
      subscription.visibleAfter.set(name, visible_after)
      const leave = enter(this.#domains, name, subscription)
      const { close } = subscription
      subscription.close = () => {
        leave()
        close()
      }
    }
  }
}

function deliver(subscription: Subscription, event: NewEmail): void {
  if (!isVisible(subscription, event)) return
  if (subscription.held !== undefined) {
    // Whoever takes the replay more slowly than mail comes in is sent away with what it got, and comes back.
    if (subscription.held.length >= REPLAY_MAX) end(subscription, 'failed')
    else subscription.held.push(event)
  } else if (!subscription.replayed?.has(event.email.id)) subscription.sink.email(event)
}

/** An announcement may come later than that of a domain which begins anew. */
function isVisible({ visibleAfter }: Subscription, { domain, email }: NewEmail): boolean {
  return email.id > (visibleAfter.get(domain) ?? '')
}

function domainsOf(topic: Topic): Domain[] {
  return 'address' in topic ? [topic.domain] : topic.domains
}

function end(subscription: Subscription, reason: Parameters<Sink['end']>[0]): void {
  subscription.close()
  subscription.sink.end(reason)
}

function enter<T>(topics: Map<string, Set<T>>, name: string, member: T): () => void {
  const members = topics.get(name) ?? new Set()
  topics.set(name, members.add(member))
  return () => {
    members.delete(member)
    if (members.size === 0 && topics.get(name) === members) topics.delete(name)
  }
}

function names(domains: Domain[]): string[] {
  return domains.map((domain) => domain.name)
}
