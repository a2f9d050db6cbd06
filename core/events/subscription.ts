import { domainPart } from '../address.ts'
import type { FairQueue, Place } from '../fair-queue.ts'
import type { ReplayBatch } from '../inbox/ports.ts'
import { CHANGE_FEED_LAG_MS } from '../limits.ts'
import { lastUlidOf, ulidTime } from '../ulid.ts'
import type { NewEmail, Sink } from './sink.ts'

/** A client that takes no email of its replay for this time loses its place. */
export const REPLAY_PATIENCE_MS = 500
/**
 * Published emails that are held for a stream during its replay. Later ones are read from the
 * store.
 */
export const HELD_MAX = 16

export interface CatchUp {
  /** Reads the emails after this id from the store. */
  read: (after: string) => AsyncIterable<ReplayBatch>
  /** Bounds the replays that run at once. */
  replays: FairQueue
  /**
   * Called between two batches: a store may answer without giving other work a turn of the event
   * loop.
   */
  pause: (client: string) => Promise<void>
  client: string
  /** False for an email that is older than its domain's registration. */
  isVisible: (event: NewEmail) => boolean
  /** Rejects if the stream may not receive what the store has just returned. */
  checkStillOpen: () => Promise<void>
  /** The replay begins after this id. */
  after: string
  /** Called if the store does not answer. */
  failed: () => void
}

/**
 * The emails of one stream: first those that the client missed, then live ones, without a gap or a
 * repeat.
 *
 * A subscription receives changes from the beginning. While it replays, it holds a few of
 * them; if there are more, it reads those from the store. An email from the store may be published
 * later. The emails of an address are published in the order of their ids, so the newest id that was
 * sent of each address is kept, and changes up to it are skipped.
 */
export class Subscription {
  readonly sink: Sink
  #open = true
  /** The client has every email up to this id. */
  #after = ''
  /** Emails that were published during the replay; undefined when the stream is live. */
  #held: NewEmail[] | undefined
  /**
   * The least id that was published and not held. From then on no email is held, to keep the order.
   */
  #skippedFrom: string | undefined
  /** By address, the newest id that was sent during the replay: those up to it may still be published. */
  #sentUpTo: Map<string, string> | undefined
  #place: Place | undefined
  #expiry: NodeJS.Timeout | undefined

  constructor(sink: Sink) {
    this.sink = sink
  }

  get isOpen(): boolean {
    return this.#open
  }

  /** Receives a published email. */
  offer(event: NewEmail): void {
    const { id } = event.email
    // The client had it before it reconnected.
    if (id <= this.#after) return
    if (this.#held === undefined) this.#send(event)
    else if (this.#skippedFrom !== undefined)
      this.#skippedFrom = id < this.#skippedFrom ? id : this.#skippedFrom
    else if (this.#held.length < HELD_MAX) this.#held.push(event)
    else this.#skippedFrom = id
  }

  close(): void {
    this.#open = false
    this.#held = undefined
    this.#sentUpTo = undefined
    this.#place?.leave()
    clearTimeout(this.#expiry)
  }

  /** Replays. Must be called before the first published change. Never rejects. */
  async catchUp(from: CatchUp): Promise<void> {
    this.#after = from.after
    this.#held = []
    this.#sentUpTo = new Map()
    try {
      for (let after: string | undefined = from.after; after !== undefined; after = this.#goBackTo()) {
        await this.#replay(from, after)
        await this.#sendHeld()
        if (!this.#open) return
      }
      this.#held = undefined
      this.#forgetSentLater()
    } catch {
      if (this.#open) from.failed()
    }
  }

  /** Sends every email that the store has after this id, at the pace of the client. */
  async #replay(from: CatchUp, after: string): Promise<void> {
    for (let last: string | undefined = after; last !== undefined && this.#open; ) {
      this.#place = from.replays.enter(from.client)
      try {
        if (this.#place.ready !== undefined) {
          await this.#place.ready
          await from.pause(from.client)
        }
        if (this.#open) last = await this.#replayBatches(from, last)
      } finally {
        this.#place.leave()
      }
      // A client that does not read has no place meanwhile.
      await this.sink.ready()
    }
  }

  /**
   * Returns the id to continue after if the client does not read; undefined if everything was sent.
   */
  async #replayBatches(from: CatchUp, after: string): Promise<string | undefined> {
    let last = after
    for await (const { missedBefore, emails } of from.read(after)) {
      await from.checkStillOpen()
      if (!this.#open) return undefined
      if (missedBefore !== undefined) this.sink.gap(missedBefore)
      for (const email of emails) {
        const taken = this.sink.ready()
        if (taken !== undefined && !(await isWithin(taken, REPLAY_PATIENCE_MS))) return last
        if (!this.#open) return undefined
        const event = { domain: domainPart(email.address), email }
        if (from.isVisible(event)) this.#send(event)
        last = email.id
      }
      await from.pause(from.client)
      if (!this.#open) return undefined
    }
    return undefined
  }

  async #sendHeld(): Promise<void> {
    for (let event = this.#held?.shift(); event !== undefined; event = this.#held?.shift()) {
      this.#send(event)
      await this.sink.ready()
    }
  }

  /**
   * The id before the first email that was not held, and before others of its millisecond;
   * undefined if all were held.
   */
  #goBackTo(): string | undefined {
    const first = this.#skippedFrom
    this.#skippedFrom = undefined
    return first && lastUlidOf(ulidTime(first) - 1)
  }

  #send(event: NewEmail): void {
    const { id, address } = event.email
    if (this.#sentUpTo !== undefined) {
      if (id <= (this.#sentUpTo.get(address) ?? '')) return
      if (this.#held !== undefined) this.#sentUpTo.set(address, id)
    }
    this.sink.email(event)
  }

  /** That of a single address, which most streams follow, is kept: the feed may lag more than it should. */
  #forgetSentLater(): void {
    const addresses = this.#sentUpTo!.size
    if (addresses === 0) this.#sentUpTo = undefined
    if (addresses > 1)
      this.#expiry = setTimeout(() => (this.#sentUpTo = undefined), CHANGE_FEED_LAG_MS).unref()
  }
}

async function isWithin(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
