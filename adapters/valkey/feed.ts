import { Valkey } from 'iovalkey'
import type { Clock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import type { Change } from '../../core/events/ports.ts'
import { SECOND_MS } from '../../core/limits.ts'
import { ulidTime } from '../../core/ulid.ts'
import { channelOf, DOMAINS_CHANNEL } from './channels.ts'

/** A PING is sent this often, and a connection without an answer for this long is dead. */
const HEARTBEAT_MS = 3 * SECOND_MS
/** How long a new stream waits for a connection that is being re-established. */
const PATIENCE_MS = 8 * SECOND_MS
/** An address or domain without streams is unsubscribed this long after its last request. */
const IDLE_MS = 120 * SECOND_MS
/** How many email ids are kept to drop repeats, which the publisher sends when it retries. */
const KNOWN_EMAILS = 20_000

export interface ValkeyFeedOptions {
  /** `redis://host:port`, `rediss://` for TLS. */
  url: string
  clock: Clock
  /** Receives every change, each email once. Must not throw. */
  publish: (change: Change) => void
  /** Called when changes may have been missed: every stream that was open must end. */
  onGap: () => void
  heartbeatMs?: number
  patienceMs?: number
  /** Receives events for the operator's log. */
  report: (event: { type: 'disconnected' | 'connected' | 'not understood'; error?: unknown }) => void
}

/** The subscription to an address or a domain. */
interface Entry {
  subscribed: Promise<unknown>
  /** Whether Valkey has confirmed it. */
  isActive: boolean
  /** When a stream last asked for it. */
  askedAt: number
}

/**
 * Subscribes to the changes of the addresses and domains that streams follow. Pub/sub keeps nothing, so changes
 * may have been missed when the connection breaks: `onGap` reports that, and clients that reconnect
 * read the store first.
 */
export class ValkeyFeed {
  readonly #options: Required<ValkeyFeedOptions>
  readonly #client: Valkey
  /** By address or domain. */
  readonly #entries = new Map<string, Entry>()
  readonly #emails = new Set<string>()
  #connected = Promise.withResolvers<void>()
  #isConnected = false
  /** Whether the connection waited for its first answers at the last beat. */
  #wasUnanswered = false
  #disconnectedAt: number
  #lag = 0
  readonly #heartbeat: NodeJS.Timeout

  constructor(options: ValkeyFeedOptions) {
    this.#options = { heartbeatMs: HEARTBEAT_MS, patienceMs: PATIENCE_MS, ...options }
    const { heartbeatMs } = this.#options
    this.#disconnectedAt = options.clock()
    this.#client = new Valkey(options.url, {
      lazyConnect: true,
      connectTimeout: heartbeatMs,
      autoResubscribe: false,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (times) => Math.min(50 * times, SECOND_MS),
    })
    let fault: unknown
    this.#client.on('error', (error) => {
      fault = error
    })
    this.#client.on('ready', () => void this.#begin())
    this.#client.on('close', () => {
      this.#break(fault)
      fault = undefined
    })
    this.#client.on('message', (channel: string, message: string) => this.#take(channel, message))
    this.#heartbeat = setInterval(() => void this.#beat(), heartbeatMs).unref()
  }

  /** Resolves when changes of domains arrive. */
  async start(): Promise<void> {
    // The client retries by itself.
    this.#client.connect().catch(() => {})
    await this.#connected.promise
  }

  async stop(): Promise<void> {
    clearInterval(this.#heartbeat)
    this.#client.removeAllListeners('close')
    this.#client.disconnect()
  }

  /**
   * Resolves when every later change of these addresses and domains will arrive.
   * @throws Problem `unavailable` when Valkey does not answer
   */
  async subscribe(...names: string[]): Promise<void> {
    await this.#within(this.#connected.promise, this.#options.patienceMs)
    const askedAt = this.#options.clock()
    const entries = names.map((name) => {
      const entry = this.#entries.get(name) ?? this.#begun(name, askedAt)
      entry.askedAt = askedAt
      return [name, entry] as const
    })
    try {
      await this.#within(
        Promise.all(entries.map(([, { subscribed }]) => subscribed)),
        this.#options.heartbeatMs,
      )
    } catch (error) {
      for (const [name, entry] of entries)
        if (!entry.isActive && this.#entries.get(name) === entry) this.#entries.delete(name)
      throw error
    }
  }

  #begun(name: string, askedAt: number): Entry {
    const subscribed = this.#client.subscribe(channelOf(name))
    const entry = { subscribed, isActive: false, askedAt }
    subscribed.then(
      () => {
        entry.isActive = true
      },
      () => {},
    )
    this.#entries.set(name, entry)
    return entry
  }

  /** Unsubscribes from addresses and domains without streams. To be called periodically. */
  async unsubscribeIdle(isFollowed: (name: string) => boolean): Promise<void> {
    const before = this.#options.clock() - IDLE_MS
    const idle = [...this.#entries].filter(([name, { askedAt }]) => askedAt < before && !isFollowed(name))
    for (const [name] of idle) this.#entries.delete(name)
    if (idle.length > 0)
      await this.#client.unsubscribe(...idle.map(([name]) => channelOf(name))).catch(() => {})
  }

  /** The number of subscribed addresses and domains. */
  get subscriptions(): number {
    return this.#entries.size
  }

  /**
   * The longest time from an email's id to its change since the last call, and how long there has
   * been no connection.
   */
  lag(): { recordMs: number; readMs: number } {
    const recordMs = this.#lag
    this.#lag = 0
    return { recordMs, readMs: this.#isConnected ? 0 : this.#options.clock() - this.#disconnectedAt }
  }

  async #begin(): Promise<void> {
    try {
      await this.#client.subscribe(DOMAINS_CHANNEL)
      this.#isConnected = true
      this.#connected.resolve()
      this.#options.report({ type: 'connected' })
    } catch {
      this.#client.disconnect(true)
    }
  }

  #break(error: unknown): void {
    this.#entries.clear()
    if (!this.#isConnected) return
    this.#isConnected = false
    this.#disconnectedAt = this.#options.clock()
    this.#connected = Promise.withResolvers<void>()
    this.#options.report({ type: 'disconnected', error })
    this.#options.onGap()
  }

  /** A Valkey that hangs keeps its connection open, and accepts new ones without an answer. */
  async #beat(): Promise<void> {
    if (!this.#isConnected) {
      const isUnanswered = ['connect', 'ready'].includes(this.#client.status)
      if (isUnanswered && this.#wasUnanswered) this.#client.disconnect(true)
      this.#wasUnanswered = isUnanswered
      return
    }
    try {
      await this.#within(this.#client.ping(), this.#options.heartbeatMs)
    } catch {
      this.#client.disconnect(true)
    }
  }

  #take(channel: string, message: string): void {
    let change: Change
    try {
      change = JSON.parse(message) as Change
    } catch (error) {
      this.#options.report({ type: 'not understood', error })
      return
    }
    if (change.type !== 'domain' && this.#comesTwice(channel, change.domain)) return
    if (change.type === 'email') {
      const { id } = change.email
      if (this.#emails.has(id)) return
      this.#emails.add(id)
      if (this.#emails.size > KNOWN_EMAILS) this.#emails.delete(this.#emails.values().next().value!)
      this.#lag = Math.max(this.#lag, this.#options.clock() - ulidTime(id))
    }
    // A domain that joins the streams of its key is subscribed before these streams receive the
    // change.
    if (change.type === 'domain' && change.domain?.keyPresented) {
      const publish = () => this.#options.publish(change)
      this.subscribe(change.name).then(publish, publish)
    } else this.#options.publish(change)
  }

  /** Whether a message on the channel of an address also arrives on that of its domain. */
  #comesTwice(channel: string, domain: string): boolean {
    return this.#entries.get(domain)?.isActive === true && channel !== channelOf(domain)
  }

  async #within<T>(work: Promise<T>, ms: number): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('Valkey did not answer in time')), ms)
    })
    try {
      return await Promise.race([work, late])
    } catch (cause) {
      throw new Problem('unavailable', 'Live delivery is not ready just now. Try again in a moment.', {
        retryAfter: 2,
        cause,
      })
    } finally {
      clearTimeout(timer)
    }
  }
}
