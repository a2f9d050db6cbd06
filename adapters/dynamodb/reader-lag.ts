import type { Clock } from '../../core/clock.ts'

/** The highest values since the previous call, in ms. */
export interface ReaderLag {
  /** From the creation of an email's id until the email was read. */
  recordMs: number
  /** From one successful read of a shard to the next, or until now. */
  readMs: number
}

/** Measures how far a reader of the stream is behind. */
export class LagMeter {
  readonly #clock: Clock
  /** When each open shard was read last. */
  readonly #readAt = new Map<string, number>()
  #highest: ReaderLag = { recordMs: 0, readMs: 0 }

  constructor(clock: Clock) {
    this.#clock = clock
  }

  begin(shard: string): void {
    this.#readAt.set(shard, this.#clock())
  }

  wasRead(shard: string): void {
    const now = this.#clock()
    this.#noteRead(now - (this.#readAt.get(shard) ?? now))
    this.#readAt.set(shard, now)
  }

  end(shard: string): void {
    this.#readAt.delete(shard)
  }

  /** @param storedAt Unix time in ms of the email's id */
  sawEmail(storedAt: number): void {
    this.#highest.recordMs = Math.max(this.#highest.recordMs, this.#clock() - storedAt)
  }

  /** Returns the highest values and begins again. */
  take(): ReaderLag {
    const now = this.#clock()
    for (const at of this.#readAt.values()) this.#noteRead(now - at)
    const highest = this.#highest
    this.#highest = { recordMs: 0, readMs: 0 }
    return highest
  }

  #noteRead(ms: number): void {
    this.#highest.readMs = Math.max(this.#highest.readMs, ms)
  }
}
