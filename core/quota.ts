import { networksOf } from './network.ts'

/**
 * Of the reserved places, a client gets one only while it holds less than this share of the free
 * ones.
 */
const RESERVED_SHARE = 1 / 20

export interface QuotaOptions {
  /** The most places of one client. */
  perClient?: number
  /**
   * Places that each client may hold while more than the reserved ones are free, however many
   * others hold.
   */
  usual?: number
  /** The last places, which only clients that hold few places get. */
  reserved?: number
}

/**
 * A limited number of places that clients share. A client holds at most as many places as are free,
 * so the first client gets at most half of all, a second one a quarter. With `usual` a client may
 * exceed that share, up to the usual number. The networks around a client have the same share, and
 * several times its number (core/network.ts).
 */
export class Quota {
  readonly #places: number
  readonly #perClient: number
  readonly #usual: number
  readonly #reserved: number
  readonly #held = new Map<string, number>()
  #taken = 0

  constructor(places: number, { perClient = places, usual = 0, reserved = 0 }: QuotaOptions = {}) {
    this.#places = places
    this.#perClient = perClient
    this.#usual = usual
    this.#reserved = reserved
  }

  /** The places that are held by all clients together. */
  get taken(): number {
    return this.#taken
  }

  /** The places that a client holds, or all clients of a wider network (core/network.ts). */
  heldBy(client: string): number {
    return this.#held.get(client) ?? 0
  }

  /** Whether the client may take a place now. */
  has(client: string): boolean {
    const free = this.#places - this.#taken
    if (free <= 0) return false
    const share = free > this.#reserved ? Math.max(free, this.#usual) : Math.ceil(free * RESERVED_SHARE)
    return networksOf(client).every(
      ([network, factor]) => this.heldBy(network) < Math.min(share, factor * this.#perClient),
    )
  }

  enter(client: string): void {
    this.#taken++
    for (const [network] of networksOf(client)) this.#held.set(network, this.heldBy(network) + 1)
  }

  /** Gives a place back that the client holds. */
  leave(client: string): void {
    this.#taken--
    for (const [network] of networksOf(client)) {
      const left = this.heldBy(network) - 1
      if (left > 0) this.#held.set(network, left)
      else this.#held.delete(network)
    }
  }
}
