import type { Clock } from '../clock.ts'
import { Problem } from '../errors.ts'
import { MINUTE_MS, SECOND_MS, WRONG_DOMAIN_KEYS_PER_MINUTE } from '../limits.ts'
import { Quota } from '../quota.ts'
import type { Limits } from './ports.ts'

/**
 * Bounds how many domain keys a client can guess. A process has one instance for all comparisons.
 */
export class WrongKeys {
  readonly #limits: Limits
  readonly #clock: Clock
  /** Wrong keys that are being recorded, by client. */
  readonly #counting = new Quota(Number.POSITIVE_INFINITY)

  constructor(limits: Limits, clock: Clock) {
    this.#limits = limits
    this.#clock = clock
  }

  /**
   * Counts a wrong key, and refuses every key of a client that had too many wrong ones. Must be
   * called with each key before the client learns whether it is right.
   * @param client the client's network (core/access/client.ts)
   * @throws Problem `rate_limited`
   */
  async admit(client: string, isRight: boolean): Promise<void> {
    const now = this.#clock()
    const { remaining } = await this.#limits.peek(...quota(client, now), now)
    // Nothing is awaited from here until the key is counted, so that simultaneous requests see each
    // other.
    if (remaining <= this.#counting.heldBy(client)) {
      throw new Problem(
        'rate_limited',
        `A client address may send ${WRONG_DOMAIN_KEYS_PER_MINUTE} wrong domain keys a minute. Wait, then send the right one.`,
        { retryAfter: Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / SECOND_MS) },
      )
    }
    if (isRight) return
    this.#counting.enter(client)
    try {
      await this.#limits.take(...quota(client, now), now)
    } finally {
      this.#counting.leave(client)
    }
  }
}

/**
 * Counts per clock minute. With a sliding window, the uses would expire one by one. At each expiry,
 * a client could send many keys to many processes before any of them is counted, so twenty times a
 * minute instead of once.
 */
function quota(
  client: string,
  now: number,
): [name: string, subject: string, limit: number, windowMs: number] {
  const minute = Math.floor(now / MINUTE_MS)
  return ['wrong-domain-keys', `${client}#${minute}`, WRONG_DOMAIN_KEYS_PER_MINUTE, MINUTE_MS]
}
