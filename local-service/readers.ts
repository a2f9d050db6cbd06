import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { FairQueue } from '../core/fair-queue.ts'
import type { Envelope } from '../core/inbox/receive.ts'
import { SECOND_MS } from '../core/limits.ts'

/** One message for a reader thread. */
export interface ReadJob {
  envelope: Envelope
  /** The raw message; undefined if the store has it already. */
  bytes?: Uint8Array
}

/** A thread that reads messages, one at a time. */
export interface Reader {
  /** Resolves when the thread has loaded its code, which takes longer than most messages. */
  ready: Promise<void>
  /**
   * Reads and stores a message; the ids of its emails. Rejects with ReaderFailure when the thread
   * has ended.
   */
  receive(job: ReadJob): Promise<string[]>
  /** CPU time of the thread in ms; where that is unknown, the time of day. */
  usedMs(): number
  /** Lets other threads go first, until this reader ends. */
  yieldToOthers(): void
  end(reason: string): Promise<unknown>
}

/** The thread died or hung while it read. The message was not stored. */
export class ReaderFailure extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'ReaderFailure'
  }
}

export interface ReadersOptions {
  start: () => Reader
  /** Stores a message that two readers have failed to read. */
  storeUnread: (job: ReadJob, reason: string) => Promise<string[]>
  /** Messages that are read at once. At least two, so that one client never has all places. */
  places?: number
  /** A reader that takes longer is ended. */
  hangMs?: number
  /** A reader without work is ended after this time, because it takes memory. */
  idleMs?: number
}

/** Attempts to read a message before it is stored unread. */
const ATTEMPTS = 2
const HANG_MS = 60 * SECOND_MS
const IDLE_MS = 30 * SECOND_MS
/** CPU time in which a message should be read: several times what plain text takes. */
const NORMAL_MS = 60
const NORMAL_MS_PER_MB = 40
/**
 * Slow readers that do not count against the places. Each is a thread and the memory of its
 * message.
 */
const SLOW_MAX = 2
/** The service has 10 s to stop, of which connections take 5. */
const CLOSE_GRACE_MS = 2 * SECOND_MS

/**
 * Reader threads, which read messages whose cost is not bounded beforehand. Clients take turns. A
 * message that takes much longer than plain text of its size gives its place to the next one and
 * continues with lower priority, so that an expensive message delays others by a bounded time.
 */
export class Readers {
  readonly #options: Required<ReadersOptions>
  readonly #queue: FairQueue
  readonly #idle: { reader: Reader; timer: NodeJS.Timeout }[] = []
  readonly #running = new Set<Reader>()
  readonly #pending = new Set<Promise<unknown>>()
  #slow = 0
  #isClosed = false

  constructor(options: ReadersOptions) {
    this.#options = {
      places: Math.max(2, availableParallelism()),
      hangMs: HANG_MS,
      idleMs: IDLE_MS,
      ...options,
    }
    this.#queue = new FairQueue(this.#options.places)
  }

  /** Reads and stores a message when it is the client's turn; the ids of its emails. */
  receive(client: string, job: ReadJob, size: number): Promise<string[]> {
    const received = this.#receive(client, job, size)
    const settled = received.then(
      () => {},
      () => {},
    )
    this.#pending.add(settled)
    void settled.then(() => this.#pending.delete(settled))
    return received
  }

  /**
   * Waits some seconds for the messages under way. The clients of the others got no 250 and send
   * them again.
   */
  async close(): Promise<void> {
    await Promise.race([Promise.all(this.#pending), sleep(CLOSE_GRACE_MS, undefined, { ref: false })])
    this.#isClosed = true
    for (const { timer } of this.#idle) clearTimeout(timer)
    const readers = [...this.#idle.splice(0).map(({ reader }) => reader), ...this.#running]
    await Promise.all(readers.map((reader) => reader.end('the service is stopping')))
  }

  async #receive(client: string, job: ReadJob, size: number): Promise<string[]> {
    for (let attempt = 1; ; attempt++) {
      const place = this.#queue.enter(client)
      try {
        await place.ready
        return await this.#read(job, size, () => place.leave())
      } catch (error) {
        if (!(error instanceof ReaderFailure) || this.#isClosed) throw error
        if (attempt === ATTEMPTS) return await this.#options.storeUnread(job, error.message)
      } finally {
        place.leave()
      }
    }
  }

  async #read(job: ReadJob, size: number, leavePlace: () => void): Promise<string[]> {
    const reader = this.#take()
    const normalMs = NORMAL_MS + (size / 2 ** 20) * NORMAL_MS_PER_MB
    let isSlow = false
    const stopLooking = whenUsed(reader, normalMs, () => {
      if (this.#slow >= SLOW_MAX) return
      isSlow = true
      this.#slow++
      reader.yieldToOthers()
      leavePlace()
    })
    const hangTimer = setTimeout(
      () => void reader.end(`reading took longer than ${this.#options.hangMs} ms`),
      this.#options.hangMs,
    )
    let isUsable = true
    try {
      return await reader.receive(job)
    } catch (error) {
      isUsable = !(error instanceof ReaderFailure)
      throw error
    } finally {
      stopLooking()
      clearTimeout(hangTimer)
      this.#running.delete(reader)
      if (isSlow) this.#slow--
      // The priority of a thread cannot be raised again without a privilege.
      if (isSlow) void reader.end('it has a low priority')
      else if (isUsable) this.#rest(reader)
    }
  }

  #take(): Reader {
    const rested = this.#idle.pop()
    clearTimeout(rested?.timer)
    const reader = rested?.reader ?? this.#options.start()
    this.#running.add(reader)
    return reader
  }

  #rest(reader: Reader): void {
    const entry = {
      reader,
      timer: setTimeout(() => {
        this.#idle.splice(this.#idle.indexOf(entry), 1)
        void reader.end('it had nothing to do')
      }, this.#options.idleMs).unref(),
    }
    this.#idle.push(entry)
  }
}

/**
 * Calls back when a reader that is ready has used this much CPU time: on a busy machine, a cheap message takes long as
 * well. Returns a function that stops that.
 */
function whenUsed(reader: Reader, ms: number, callback: () => void): () => void {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  void reader.ready.then(() => {
    if (isStopped) return
    const begunMs = reader.usedMs()
    const look = () => {
      const leftMs = ms - (reader.usedMs() - begunMs)
      if (leftMs < 1) callback()
      else timer = setTimeout(look, leftMs)
    }
    timer = setTimeout(look, ms)
  })
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
