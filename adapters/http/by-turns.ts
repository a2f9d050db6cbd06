/** Work of one turn of the event loop; more of it waits, so that whoever comes meanwhile is heard. */
const SLICE_MS = 10
/** Connections that are taken between two requests while there is much to do: Node takes one in each turn. */
const TAKEN_BETWEEN = 256

/**
 * Begins what clients ask for: at once while there is little, and by turns of the clients while there is much. A list of
 * 100 large emails takes 17 ms: whoever asks for a thousand of them waits for his own, and the others wait for one of
 * his. For that they must be taken first: connections that came wait in one queue, whosever they are.
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

  /** To be called for each connection that is taken. */
  taken(): void {
    this.#taken = true
  }

  run(client: string, work: () => void): void {
    if (this.#waiting.size === 0) {
      if (!this.#isCrowded && !this.#isBusy()) {
        work()
        return
      }
      setImmediate(() => this.#next(0))
    }
    const own = this.#waiting.get(client)
    if (own === undefined) this.#waiting.set(client, [work])
    else own.push(work)
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

  #next(turns: number): void {
    if (this.#taken && turns < TAKEN_BETWEEN) {
      this.#taken = false
      setImmediate(() => this.#next(turns + 1))
      return
    }
    const [[client, own] = ['', []]] = this.#waiting
    const work = own.shift()
    this.#waiting.delete(client)
    if (own.length > 0) this.#waiting.set(client, own)
    // What it does goes on after this function: the next one begins in another turn of the event loop.
    if (this.#waiting.size > 0) setImmediate(() => this.#next(0))
    else this.#isCrowded = false
    work?.()
  }
}
