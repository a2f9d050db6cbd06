import type { Clock } from '../clock.ts'
import { Problem } from '../errors.ts'
import { MINUTE_MS, SECOND_MS } from '../limits.ts'
import { networksOf } from '../network.ts'
import { clientNetwork, isLoopback } from './client.ts'

/**
 * The most clients that are counted in one minute. Further clients are admitted uncounted, because
 * at that number the requests of all clients together are the limit.
 */
const CLIENTS_MAX = 100_000
/** The network of `::1`. */
const LOOPBACK_NETWORK = clientNetwork('::1')

/**
 * Requests of each client address in a clock minute, counted in the memory of one process. For
 * requests without an API key, which a store could not count more cheaply than it answers them.
 */
export class ClientRate {
  readonly #limit: number
  readonly #clock: Clock
  #minute = 0
  #counts = new Map<string, number>()

  constructor(limit: number, clock: Clock) {
    this.#limit = limit
    this.#clock = clock
  }

  /**
   * Counts a request, unless its client is on this machine.
   * @param client the client's network (core/access/client.ts)
   * @throws Problem `rate_limited`
   */
  admit(client: string): void {
    if (client === LOOPBACK_NETWORK || isLoopback(client)) return
    const now = this.#clock()
    const minute = Math.floor(now / MINUTE_MS)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#counts = new Map()
    }
    const counted = networksOf(client).map(([network, factor]) => {
      const count = this.#counts.get(network) ?? 0
      return { network, count, isOver: count >= factor * this.#limit }
    })
    if (counted.some(({ isOver }) => isOver)) {
      throw new Problem(
        'rate_limited',
        `A client address has ${this.#limit} requests without an API key a minute. Wait for the next minute.`,
        { retryAfter: Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / SECOND_MS) },
      )
    }
    for (const { network, count } of counted) {
      if (count > 0 || this.#counts.size < CLIENTS_MAX) this.#counts.set(network, count + 1)
    }
  }
}
