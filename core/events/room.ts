import { Tally } from '../tally.ts'

/** Of the reserved places nobody gets who has more than this part of what is left. */
const FEW = 1 / 20

/**
 * A limited number of places. No client can have more of them than are left for the others, so that one has half
 * of them at most and a second one a quarter; but for a usual number, which each can have while there are any but
 * the reserved ones.
 */
export class Room {
  readonly #max: number
  readonly #usual: number
  readonly #reserved: number
  readonly #clients = new Tally()
  #taken = 0

  constructor(max: number, { usual = 0, reserved = 0 } = {}) {
    this.#max = max
    this.#usual = usual
    this.#reserved = reserved
  }

  get taken(): number {
    return this.#taken
  }

  has(client: string): boolean {
    const free = this.#max - this.#taken
    const own = this.#clients.of(client)
    return own < (free > this.#reserved ? Math.max(free, this.#usual) : Math.ceil(free * FEW))
  }

  enter(client: string): void {
    this.#taken++
    this.#clients.add(client)
  }

  leave(client: string): void {
    this.#taken--
    this.#clients.remove(client)
  }
}
