/**
 * A limited number of places. No client can have more of them than are left for the others, so that one has half
 * of them at most, a second one a quarter, and there is always room for who has none yet.
 */
export class Room {
  readonly #max: number
  readonly #ofClient = new Map<string, number>()
  #taken = 0

  constructor(max: number) {
    this.#max = max
  }

  get taken(): number {
    return this.#taken
  }

  has(client: string): boolean {
    return (this.#ofClient.get(client) ?? 0) < this.#max - this.#taken
  }

  enter(client: string): void {
    this.#taken++
    this.#ofClient.set(client, (this.#ofClient.get(client) ?? 0) + 1)
  }

  leave(client: string): void {
    this.#taken--
    const left = this.#ofClient.get(client)! - 1
    if (left === 0) this.#ofClient.delete(client)
    else this.#ofClient.set(client, left)
  }
}
