/**
 * The time for requests in one turn of the event loop. Further requests wait, because Node accepts
 * one new connection per turn.
 */
const SLICE_MS = 10
/** The most requests that start in one slice. */
const BATCH_MAX = 64

/**
 * Starts requests, and the parts of long work: at once under low load, round robin over the clients
 * under high load. A client that requests a thousand long lists delays another client by one list.
 * Waiting connections are accepted first, because the kernel holds those of all clients in a single
 * queue.
 */
export class RequestScheduler {
  /** Waiting work by client. The first client is served next. */
  readonly #waiting = new Map<string, (() => void)[]>()
  /** When the first request of this turn of the event loop started. */
  #began: number | undefined
  /** Whether a connection was accepted since the last check, so that more may be waiting. */
  #hasAccepted = false
  /** Whether the requests of a turn of the event loop took longer than SLICE_MS. */
  #isCrowded = false
  /** Whether waiting requests are being started. */
  #isRunning = false
  /** How many requests start together. The measured time of each batch adjusts the next one. */
  #batch = 1

  /** Must be called for each accepted connection. */
  connectionAccepted(): void {
    this.#hasAccepted = true
  }

  run(client: string, work: () => void): void {
    if (!this.#isRunning) {
      if (!this.#isCrowded && !this.#isBusy()) {
        work()
        return
      }
      this.#isRunning = true
      setImmediate(() => this.#begin())
    }
    const own = this.#waiting.get(client)
    if (own === undefined) this.#waiting.set(client, [work])
    else own.push(work)
  }

  /**
   * Resolves in a later turn of the event loop, when it is the client's turn. Long work awaits this
   * between two parts.
   */
  next(client: string): Promise<void> {
    return new Promise((resolve) => setImmediate(() => this.run(client, resolve)))
  }

  #isBusy(): boolean {
    const now = performance.now()
    if (this.#began === undefined) {
      this.#began = now
      setImmediate(() => {
        this.#isCrowded ||= this.#hasAccepted && performance.now() - this.#began! > SLICE_MS
        this.#hasAccepted = false
        this.#began = undefined
      })
    }
    return now - this.#began > SLICE_MS
  }

  /** Lets Node accept waiting connections for at most SLICE_MS, and then starts a batch. */
  #begin(since = performance.now()): void {
    if (this.#hasAccepted && performance.now() - since < SLICE_MS) {
      this.#hasAccepted = false
      setImmediate(() => this.#begin(since))
      return
    }
    let began = 0
    setImmediate(() => {
      began = performance.now()
      for (let n = 0; n < this.#batch && this.#waiting.size > 0; n++) this.#startOne()
    })
    // Runs in the same turn of the event loop, right after the synchronous part of the batch.
    setImmediate(() => this.#done(performance.now() - began))
  }

  /** Starts the next request of the client whose turn it is. */
  #startOne(): void {
    const [next] = this.#waiting
    if (next === undefined) return
    const [client, own] = next
    const start = own.shift()
    this.#waiting.delete(client)
    if (own.length > 0) this.#waiting.set(client, own)
    start?.()
  }

  #done(ms: number): void {
    if (ms > SLICE_MS) this.#batch = Math.max(1, this.#batch >> 1)
    else if (ms < SLICE_MS / 2) this.#batch = Math.min(BATCH_MAX, this.#batch << 1)
    this.#isRunning = this.#waiting.size > 0
    if (this.#isRunning) this.#begin()
    else this.#isCrowded = false
  }
}
