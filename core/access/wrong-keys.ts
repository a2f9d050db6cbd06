import type { Clock } from '../clock.ts'
import { Problem } from '../errors.ts'
import { MINUTE_MS, SECOND_MS, WRONG_DOMAIN_KEYS_PER_MINUTE } from '../limits.ts'
import { Tally } from '../tally.ts'
import type { Limits } from './ports.ts'

/** Bounds how many domain keys a client can guess; one for all who compare keys in a process. */
export class WrongKeys {
  readonly #limits: Limits
  readonly #clock: Clock
  /** Those that are being counted, by client. */
  readonly #counting = new Tally()

  constructor(limits: Limits, clock: Clock) {
    this.#limits = limits
    this.#clock = clock
  }

  /**
   * To be called with every key before its client is told whether it is right: counts the wrong ones, and refuses all
   * when they were too many.
   * @param client the client's network (core/access/client.ts)
   * @throws Problem `rate_limited`
   */
  async admit(client: string, isRight: boolean): Promise<void> {
    const now = this.#clock()
    const { remaining } = await this.#limits.peek(...quota(client, now), now)
    // From here to the tally nothing is awaited: of many that come in one turn each sees those before it.
    if (remaining <= this.#counting.of(client)) {
      throw new Problem(
        'rate_limited',
        `A client address has ${WRONG_DOMAIN_KEYS_PER_MINUTE} wrong domain keys a minute. Wait, then send the right one.`,
        { retryAfter: Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / SECOND_MS) },
      )
    }
    if (isRight) return
    this.#counting.add(client)
    try {
      await this.#limits.take(...quota(client, now), now)
    } finally {
      this.#counting.remove(client)
    }
  }
}

/**
 * That of a clock minute. Were each use free again a minute after it, whoever sends many keys in the same moment to
 * many processes, before one of them is counted, could do so at each of the twenty.
 */
function quota(
  client: string,
  now: number,
): [name: string, subject: string, limit: number, windowMs: number] {
  const minute = Math.floor(now / MINUTE_MS)
  return ['wrong-domain-keys', `${client}#${minute}`, WRONG_DOMAIN_KEYS_PER_MINUTE, MINUTE_MS]
}
