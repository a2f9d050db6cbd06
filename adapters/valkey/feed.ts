import { Valkey } from 'iovalkey'
import type { Clock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import type { Change } from '../../core/events/ports.ts'
import { SECOND_MS } from '../../core/limits.ts'
import { ulidTime } from '../../core/ulid.ts'
import { channelOf, DOMAINS_CHANNEL } from './channels.ts'

/** Silence for so long is a dead connection: it is asked for a sign of life each time. */
const HEARTBEAT_MS = 3 * SECOND_MS
/** How long whoever opens a stream waits for a connection that is being made anew. */
const PATIENCE_MS = 8 * SECOND_MS
/** A domain that nobody follows, and that nobody asked for so long, is not heard any more. */
const UNHEARD_MS = 120 * SECOND_MS
/** Emails of which a second announcement may come, since the publisher tries again. */
const REMEMBERED = 20_000

export interface ValkeyFeedOptions {
  /** `redis://host:port`, `rediss://` for TLS. */
  url: string
  clock: Clock
  /** Told of every change, each email once. It must not throw. */
  announce: (change: Change) => void
  /** Told that announcements may have been missed, so that nobody may go on who listened until now. */
  broken: () => void
  heartbeatMs?: number
  patienceMs?: number
  /** Told what an operator should know. */
  report: (event: { type: 'disconnected' | 'connected' | 'not understood'; error?: unknown }) => void
}

/**
 * Hears what is published of those domains that somebody asked to hear. Pub/sub keeps nothing, so that with a
 * connection that breaks everything may have been missed: `broken` says so, and whoever comes back reads the store
 * first.
 */
export class ValkeyFeed {
  readonly #options: Required<ValkeyFeedOptions>
  readonly #client: Valkey
  /** Domains that are heard, or are about to be, and when they were last asked for. */
  readonly #domains = new Map<string, { heard: Promise<unknown>; askedAt: number }>()
  readonly #emails = new Set<string>()
  #connected = Promise.withResolvers<void>()
  #isConnected = false
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
    this.#client.on('message', (_channel: string, message: string) => this.#take(message))
    this.#heartbeat = setInterval(() => void this.#beat(), heartbeatMs).unref()
  }

  /** Resolves when changes of domains are heard. */
  async start(): Promise<void> {
    // It goes on trying by itself.
    this.#client.connect().catch(() => {})
    await this.#connected.promise
  }

  async stop(): Promise<void> {
    clearInterval(this.#heartbeat)
    this.#client.removeAllListeners('close')
    this.#client.disconnect()
  }

  /**
   * Resolves when whatever is published of the domain from now on is heard.
   * @throws Problem `unavailable` when Valkey does not answer
   */
  async hear(domain: string): Promise<void> {
    await this.#within(this.#connected.promise, this.#options.patienceMs)
    const askedAt = this.#options.clock()
    const known = this.#domains.get(domain)
    const entry = known ?? { heard: this.#client.subscribe(channelOf(domain)), askedAt }
    entry.askedAt = askedAt
    this.#domains.set(domain, entry)
    try {
      await this.#within(entry.heard, this.#options.heartbeatMs)
    } catch (error) {
      if (this.#domains.get(domain) === entry) this.#domains.delete(domain)
      throw error
    }
  }

  /** Stops hearing of domains that nobody follows; to be called now and then. */
  async forget(isFollowed: (domain: string) => boolean): Promise<void> {
    const before = this.#options.clock() - UNHEARD_MS
    const idle = [...this.#domains].filter(([name, { askedAt }]) => askedAt < before && !isFollowed(name))
    for (const [name] of idle) this.#domains.delete(name)
    if (idle.length > 0)
      await this.#client.unsubscribe(...idle.map(([name]) => channelOf(name))).catch(() => {})
  }

  /** How many domains are heard. */
  get domains(): number {
    return this.#domains.size
  }

  /** The worst since it was last asked: from an email's id to its announcement, and how long there is no connection. */
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
    this.#domains.clear()
    if (!this.#isConnected) return
    this.#isConnected = false
    this.#disconnectedAt = this.#options.clock()
    this.#connected = Promise.withResolvers<void>()
    this.#options.report({ type: 'disconnected', error })
    this.#options.broken()
  }

  /** A Valkey that hangs keeps its connection open. */
  async #beat(): Promise<void> {
    if (!this.#isConnected) return
    try {
      await this.#within(this.#client.ping(), this.#options.heartbeatMs)
    } catch {
      this.#client.disconnect(true)
    }
  }

  #take(message: string): void {
    let change: Change
    try {
      change = JSON.parse(message) as Change
    } catch (error) {
      this.#options.report({ type: 'not understood', error })
      return
    }
    if (change.type === 'email') {
      const { id } = change.email
      if (this.#emails.has(id)) return
      this.#emails.add(id)
      if (this.#emails.size > REMEMBERED) this.#emails.delete(this.#emails.values().next().value!)
      this.#lag = Math.max(this.#lag, this.#options.clock() - ulidTime(id))
    }
    // A domain that joins the streams of its key is heard before its streams are told so.
    if (change.type === 'domain' && change.domain?.keyPresented) {
      const tell = () => this.#options.announce(change)
      this.hear(change.name).then(tell, tell)
    } else this.#options.announce(change)
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
