/**
 * Work of one turn of the event loop; more of it waits, so that whoever comes meanwhile is heard: for as long, Node takes
 * one connection in each turn.
 */
const SLICE_MS = 10
/** Requests that are begun in one slice at most. */
const BATCH_MAX = 64

/**
 * Begins what clients ask for, and goes on with what is long: at once while there is little, and by turns of the clients
 * while there is much. A list of 100 large emails takes 17 ms: whoever asks for a thousand of them waits for his own, and
 * the others wait for one of his. For that they must be taken first: connections that came wait in one queue, whosever
 * they are.
 */
export class ByTurns {
  /** By client, in the order in which it is their turn. */
  readonly #waiting = new Map<string, (() => void)[]>()
  /** When the first request of this turn of the event loop began. */
  #began: number | undefined
  /** Whether a connection was taken since this was last asked: then there may be more. */
  #taken = false
  /** More came in a turn of the event loop than it had time for. */
  #isCrowded = false
  /** Whether those that wait are being begun. */
  #isRunning = false
  /** How many are begun at once: what they do goes on after that, so it is known afterwards what they took. */
  #batch = 1

  /** To be called for each connection that is taken. */
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

  /** For work in pieces, between two of them: resolves in a later turn of the event loop, when it is the client's. */
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

  /** Takes the connections that came, for a while, and then begins a batch. */
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
    // In the same turn of the event loop: after what they do without waiting, and before anything else.
    setImmediate(() => this.#done(performance.now() - began))
  }

  /** Of the client whose turn it is. */
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
