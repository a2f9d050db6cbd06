/**
 * Time for requests in one turn of the event loop; further requests wait, so that Node can accept
 * new connections, one in each turn.
 */
const SLICE_MS = 10
/** The most requests that begin in one slice. */
const BATCH_MAX = 64

/**
 * Begins requests, and the parts of long work: at once while there are few, and in turns of the
 * clients while there are many. A client that requests a thousand long lists delays another client
 * by one of them. New connections must be accepted first for that, because they wait in one queue
 * for all clients.
 */
export class ByTurns {
  /** By client, in the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>()
  /** When the first request of this turn of the event loop began. */
  #began: number | undefined
  /** Whether a connection was accepted since the last look: then more may wait. */
  #taken = false
  /** Whether a turn of the event loop had more requests than time for them. */
  #isCrowded = false
  /** Whether waiting requests are being begun. */
  #isRunning = false
  /**
   * How many requests begin together. The time that they take is measured afterwards, and adjusts
   * this number.
   */
  #batch = 1

  /** To be called for each connection that is accepted. */
  taken(): void {
    this.#taken = true
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
   * Between two parts of long work: resolves in a later turn of the event loop, when it is the
   * client's turn.
   */
  next(client: string): Promise<void> {
    return new Promise((resolve) => setImmediate(() => this.run(client, resolve)))
  }

  #isBusy(): boolean {
    const now = performance.now()
    if (this.#began === undefined) {
      this.#began = now
      setImmediate(() => {
        this.#isCrowded ||= this.#taken && performance.now() - this.#began! > SLICE_MS
        this.#taken = false
        this.#began = undefined
      })
    }
    return now - this.#began > SLICE_MS
  }

  /** Lets Node accept waiting connections for a while, and then begins a batch. */
  #begin(since = performance.now()): void {
    if (this.#taken && performance.now() - since < SLICE_MS) {
      this.#taken = false
      setImmediate(() => this.#begin(since))
      return
    }
    let began = 0
    setImmediate(() => {
      began = performance.now()
      for (let n = 0; n < this.#batch && this.#waiting.size > 0; n++) this.#takeOne()()
    })
    // Runs in the same turn of the event loop, right after the synchronous part of the batch.
    setImmediate(() => this.#done(performance.now() - began))
  }

  /** The next request of the client whose turn it is. */
  #takeOne(): () => void {
    const [[client, own]] = this.#waiting as unknown as [[string, (() => void)[]]]
    const work = own.shift()!
    this.#waiting.delete(client)
    if (own.length > 0) this.#waiting.set(client, own)
    return work
  }

  #done(ms: number): void {
    if (ms > SLICE_MS) this.#batch = Math.max(1, this.#batch >> 1)
    else if (ms < SLICE_MS / 2) this.#batch = Math.min(BATCH_MAX, this.#batch << 1)
    this.#isRunning = this.#waiting.size > 0
    if (this.#isRunning) this.#begin()
    else this.#isCrowded = false
  }
}
