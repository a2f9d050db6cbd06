/** How many each client has of something; who has none takes no room here. */
export class Tally {
  readonly #counts = new Map<string, number>()

  of(client: string): number {
    return this.#counts.get(client) ?? 0
  }

  add(client: string): void {
    this.#counts.set(client, this.of(client) + 1)
  }

  /** One less, of one that there is. */
  remove(client: string): void {
    const left = this.of(client) - 1
    if (left === 0) this.#counts.delete(client)
    else this.#counts.set(client, left)
  }
}
