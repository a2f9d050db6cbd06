import type { _Record } from '@aws-sdk/client-dynamodb-streams'
import type { Clock } from '../../core/clock.ts'
import type { Change, ChangeFeed } from '../../core/events/ports.ts'
import { MINUTE_MS, SECOND_MS } from '../../core/limits.ts'
import { ulidTime } from '../../core/ulid.ts'
import type { ChangeCache } from './change-cache.ts'
import type { DomainOrder } from './domain-order.ts'
import { LagMeter, type ReaderLag } from './reader-lag.ts'
import { ShardIterator } from './stream-iterator.ts'
import { InOrder } from './stream-order.ts'
import { StreamRecords } from './stream-records.ts'
import { Lineage, listShards, type Start, type Streams } from './stream-shards.ts'

/** Four reads per second and shard, as Lambda's own pollers do. */
export const POLL_MS = 250
/** A read that returns this number of records is repeated at once, because more are likely. */
const BUSY_RECORDS = 100
/** Shards are rotated every few hours. The end of a shard causes a read of the list at once. */
const DISCOVER_MS = 30 * SECOND_MS
/** The pause while the list does not have the children of an ended shard yet. */
const CHILDREN_MS = SECOND_MS
const CHILDREN_EXPECTED_MS = MINUTE_MS
const BACKOFF_MS = 200
const BACKOFF_MAX_MS = 10 * SECOND_MS

/** The largest difference between the clocks of writers and readers. */
const CLOCKS_MS = 5 * SECOND_MS

/** Faults that the log reports to the operator. */
export type ReaderEvent =
  /** DynamoDB did not answer, or rejected a request. The reader retries after `retry_ms`. */
  | { type: 'fault'; shard: string | undefined; error: unknown; retryMs: number }
  /** Records were removed before they were read, so streams may have missed emails. */
  | { type: 'lost'; shard: string; reason: string }
  /** A record that this version does not understand was skipped. */
  | { type: 'unknown-record'; shard: string; sequence: string | undefined; error: unknown }

export interface ReaderOptions {
  streams: Streams
  arn: string
  clock: Clock
  changeCache: ChangeCache
  order: DomainOrder
  /** Whether a stream over domains follows this domain. Without one, its changes need no order. */
  follows?: (domain: string) => boolean
  report: (event: ReaderEvent) => void
  /**
   * The pause between two reads of a shard. Called before each pause, so that an idle process reads
   * less often.
   */
  pollMs?: () => number
  discoverMs?: number
}

/**
 * Publishes the changes of the mail table from its stream. Each shard has its own read loop; new
 * shards are found when their parents end. Every fault is reported, and reading continues.
 */
export class StreamReader implements ChangeFeed {
  readonly #options: Required<ReaderOptions>
  readonly #lineage = new Lineage()
  readonly #order: InOrder
  readonly #records: StreamRecords
  readonly #listeners = new Set<(change: Change) => void>()
  readonly #stopping = new AbortController()
  readonly #loops = new Set<Promise<void>>()
  readonly #ready = Promise.withResolvers<void>()
  /** Shards that were open at the start and have not been read yet. */
  #unread: Set<string> | undefined
  /**
   * Ended shards whose children are not listed yet, with the time until which the reader waits for
   * them.
   */
  readonly #childless = new Map<string, number>()
  /** Whether a shard has ended since the list was read. */
  #changed = false
  readonly #pauses = new Set<() => void>()
  #endDiscoverPause: () => void = () => {}
  readonly #lag: LagMeter

  constructor(options: ReaderOptions) {
    this.#options = { pollMs: () => POLL_MS, follows: () => true, discoverMs: DISCOVER_MS, ...options }
    this.#records = new StreamRecords(options.clock)
    this.#lag = new LagMeter(options.clock)
    this.#order = new InOrder({
      order: options.order,
      clock: options.clock,
      follows: this.#options.follows,
      emit: (change) => this.#emit(change),
      failed: (error, faults) => this.#failed(undefined, error, faults),
    })
    // A caller may never await it.
    this.#ready.promise.catch(() => {})
  }

  /** Resolves when no later change can be missed. Rejects if the reader is stopped before. */
  start(): Promise<void> {
    if (this.#loops.size === 0) this.#run(this.#discover())
    return this.#ready.promise
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#ready.reject(new Error('the stream reader was stopped'))
    this.#order.stop()
    for (const end of [...this.#pauses]) end()
    await Promise.all(this.#loops)
  }

  subscribe(listener: (change: Change) => void): () => void {
    // A listener that subscribes twice has two subscriptions.
    const own = (change: Change) => listener(change)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  lag(): ReaderLag {
    return this.#lag.take()
  }

  #run(loop: Promise<void>): void {
    this.#loops.add(loop)
    void loop.finally(() => this.#loops.delete(loop))
  }

  /** Reads the list of shards and starts the new ones, until the reader is stopped. */
  async #discover(): Promise<void> {
    const { streams, arn, discoverMs } = this.#options
    const { signal } = this.#stopping
    for (let faults = 0; !signal.aborted; ) {
      this.#changed = false
      try {
        const starts = this.#lineage.update(await listShards(streams, arn, signal))
        faults = 0
        this.#begin(starts)
        if (this.#changed) continue
        await this.#pause(this.#expectsChildren() ? CHILDREN_MS : discoverMs, (end) => {
          this.#endDiscoverPause = end
        })
      } catch (error) {
        await this.#failed(undefined, error, faults++)
      }
    }
  }

  #begin(starts: Start[]): void {
    if (this.#unread === undefined && starts.length > 0) {
      this.#unread = new Set(starts.map(({ id }) => id))
    }
    for (const start of starts) this.#run(this.#follow(start))
  }

  #expectsChildren(): boolean {
    const now = this.#options.clock()
    for (const [id, until] of this.#childless) {
      if (now > until || !this.#lineage.isChildless(id)) this.#childless.delete(id)
    }
    return this.#childless.size > 0
  }

  /** Reads one shard to its end. */
  async #follow(start: Start): Promise<void> {
    const { streams, arn, clock, pollMs, report } = this.#options
    const { signal } = this.#stopping
    const lost = (shard: string, reason: string) => report({ type: 'lost', shard, reason })
    const iterator = new ShardIterator({ streams, arn, start, clock, signal, lost })
    this.#lag.begin(start.id)
    for (let faults = 0, end = false; !end && !signal.aborted; ) {
      const began = performance.now()
      try {
        const batch = await iterator.read()
        faults = 0
        this.#take(start.id, batch.records, iterator.since)
        end = batch.end
        if (batch.placed) this.#wasRead(start.id)
        const rest = pollMs() - (performance.now() - began)
        if (!end && rest > 0 && batch.records.length < BUSY_RECORDS) await this.#pause(rest)
      } catch (error) {
        await this.#failed(start.id, error, faults++)
      }
    }
    if (signal.aborted) return
    this.#lag.end(start.id)
    this.#lineage.ended(start.id)
    this.#childless.set(start.id, clock() + CHILDREN_EXPECTED_MS)
    this.#changed = true
    this.#endDiscoverPause()
  }

  #take(shard: string, records: _Record[], since: number | undefined): void {
    const { report } = this.#options
    for (const record of records) {
      try {
        const change = this.#records.of(record)
        if (change !== undefined) this.#publish(change, since)
      } catch (error) {
        const sequence = record.dynamodb?.SequenceNumber
        report({ type: 'unknown-record', shard, sequence, error })
      }
    }
    this.#run(this.#order.release())
  }

  #publish(change: Change, since = 0): void {
    const { changeCache } = this.#options
    if (change.type === 'email') {
      const { id } = change.email
      const stored = ulidTime(id)
      if (stored < since - CLOCKS_MS || changeCache.has(id)) return
      this.#lag.sawEmail(stored)
    }
    changeCache.add(change)
    this.#order.add(change)
  }

  #emit(change: Change): void {
    for (const listener of [...this.#listeners]) listener(change)
  }

  #wasRead(shard: string): void {
    this.#lag.wasRead(shard)
    this.#unread?.delete(shard)
    if (this.#unread?.size === 0) this.#ready.resolve()
  }

  /** Waits longer after each failure, with jitter so that processes do not retry together. */
  async #failed(shard: string | undefined, error: unknown, faults: number): Promise<void> {
    if (this.#stopping.signal.aborted) return
    const most = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** faults)
    const retryMs = Math.round(most * (0.5 + Math.random() / 2))
    this.#options.report({ type: 'fault', shard, error, retryMs })
    await this.#pause(retryMs)
  }

  /** Ends early if the reader is stopped, or through the function that `began` receives. */
  #pause(ms: number, began: (end: () => void) => void = () => {}): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.#pauses.delete(end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      this.#pauses.add(end)
      began(end)
    })
  }
}
