import { Quota } from './quota.ts'

/** One client's claim on a place of a FairQueue. */
export interface Place {
  /**
   * Resolves when the work may begin, and also after `leave`; undefined if the work may begin at
   * once.
   */
  readonly ready: Promise<void> | undefined
  /** Gives the place back, or stops waiting for it. May be called more than once. */
  leave(): void
}

/**
 * Limits how much work runs at once and shares the places fairly: each client has a queue of its
 * own, and the clients take turns. A client that asks for a thousand places delays another client
 * by at most one piece of work per place.
 *
 * Used for requests, replays of streams, expensive mail and webhooks. To bound the work of one turn
 * of the event loop, give the place back from `setImmediate`.
 */
export class FairQueue {
  readonly #quota: Quota
  /** By client, in the order of the turns. */
  readonly #waiting = new Map<string, Set<() => void>>()

  /**
   * @param places how many pieces of work run at once. One client may have half of them, a second
   *   client a quarter, and so on, so that a client that has none always finds a place (see Quota).
   */
  constructor(places: number) {
    this.#quota = new Quota(places)
  }

  /** Pieces of work that run. */
  get running(): number {
    return this.#quota.taken
  }

  /**
   * Takes a place for the client, or queues for one. The caller must call `leave` when its work has
   * ended.
   */
  enter(client: string): Place {
    // A client whose own work waits has no place, so this cannot overtake it.
    if (this.#quota.has(client)) {
      this.#quota.enter(client)
      return { ready: undefined, leave: once(() => this.#leave(client)) }
    }
    const { promise: ready, resolve } = Promise.withResolvers<void>()
    let entered = false
    const begin = () => {
      entered = true
      resolve()
    }
    const queue = this.#waiting.get(client) ?? new Set()
    this.#waiting.set(client, queue.add(begin))
    const abandon = () => {
      queue.delete(begin)
      if (queue.size === 0) this.#waiting.delete(client)
      resolve()
    }
    return { ready, leave: once(() => (entered ? this.#leave(client) : abandon())) }
  }

  /** Runs the work when it is the client's turn. Returns or throws what the work does. */
  async run<T>(client: string, work: () => T | Promise<T>): Promise<T> {
    const place = this.enter(client)
    try {
      if (place.ready !== undefined) await place.ready
      return await work()
    } finally {
      place.leave()
    }
  }

  #leave(client: string): void {
    this.#quota.leave(client)
    for (let begin = this.#next(); begin !== undefined; begin = this.#next()) begin()
  }

  /**
   * Takes a place for the first waiting client that may have one, and puts that client behind the
   * others.
   */
  #next(): (() => void) | undefined {
    for (const [client, queue] of this.#waiting) {
      if (!this.#quota.has(client)) continue
      const [begin] = queue
      if (begin === undefined) continue
      queue.delete(begin)
      this.#waiting.delete(client)
      if (queue.size > 0) this.#waiting.set(client, queue)
      this.#quota.enter(client)
      return begin
    }
    return undefined
  }
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}
