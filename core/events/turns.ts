import { Room } from './room.ts'

export interface Turn {
  /** Resolves when there is a place, or when the turn was ended before; undefined when there is one at once. */
  readonly came: Promise<void> | undefined
  /** Gives the place back, or stops waiting for it. May be called again. */
  end(): void
}

/** Work of which only so much may be under way at once: the clients take turns, and each has its own queue. */
export class Turns {
  readonly #room: Room
  /** By client, in the order in which it is their turn. */
  readonly #waiting = new Map<string, Set<() => void>>()

  constructor(max: number) {
    this.#room = new Room(max)
  }

  take(client: string): Turn {
    if (this.#waiting.size === 0 && this.#room.has(client)) {
      this.#room.enter(client)
      return { came: undefined, end: once(() => this.#left(client)) }
    }
    const { promise: came, resolve } = Promise.withResolvers<void>()
    let entered = false
    const enter = () => {
      entered = true
      resolve()
    }
    const queue = this.#waiting.get(client) ?? new Set()
    this.#waiting.set(client, queue.add(enter))
    return {
      came,
      end: once(() => {
        if (entered) {
          this.#left(client)
          return
        }
        queue.delete(enter)
        if (queue.size === 0) this.#waiting.delete(client)
        resolve()
      }),
    }
  }

  #left(client: string): void {
    this.#room.leave(client)
    for (const [next, queue] of this.#waiting) {
      if (!this.#room.has(next)) continue
      const [enter] = queue
      queue.delete(enter!)
      // Behind the others, if it has more to do.
      this.#waiting.delete(next)
      if (queue.size > 0) this.#waiting.set(next, queue)
      this.#room.enter(next)
      enter!()
      return
    }
  }
}

function once(work: () => void): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    work()
  }
}
