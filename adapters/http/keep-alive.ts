interface Idle {
  comment(): void
}

/**
 * Sends every stream a comment once in a period. One timer serves a slice of the streams at each
 * tick: 10,000 timers would cost memory, and 10,000 writes at once would delay new events.
 */
export class KeepAlive {
  readonly #slots: Set<Idle>[]
  #next = 0

  constructor(periodMs: number, slots: number) {
    this.#slots = Array.from({ length: slots }, () => new Set())
    setInterval(() => this.#tick(), periodMs / slots).unref()
  }

  /** Returns the slot of the stream, for `remove`. */
  add(stream: Idle): number {
    const slot = (this.#next + this.#slots.length - 1) % this.#slots.length
    // The slot that was served last is due after a whole period; streams spread over the slots as
    // they connect.
    this.#slots[slot]!.add(stream)
    return slot
  }

  remove(stream: Idle, slot: number): void {
    this.#slots[slot]?.delete(stream)
  }

  #tick(): void {
    for (const stream of this.#slots[this.#next]!) stream.comment()
    this.#next = (this.#next + 1) % this.#slots.length
  }
}
