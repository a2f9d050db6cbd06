import type { Clock } from '../clock.ts'
import { DAY_MS } from '../limits.ts'
import type { Limits } from './ports.ts'
import { ADJECTIVES, NOUNS } from './words.ts'

/** How long a username stays its taker's own, beside the retention of mail: as long as an API key is valid. */
const RESERVED_MS = 30 * DAY_MS
const NUMBERS = 10_000

/** Gives usernames, each to one caller only while mail for it can still be there. */
export class Usernames {
  readonly #limits: Limits
  readonly #clock: Clock
  readonly #randomInt: (below: number) => number
  readonly #retentionMs: number

  /** @param randomInt gives a uniform integer from 0 to below `below` */
  constructor(limits: Limits, clock: Clock, randomInt: (below: number) => number, retentionMs: number) {
    this.#limits = limits
    this.#clock = clock
    this.#randomInt = randomInt
    this.#retentionMs = retentionMs
  }

  /** Adjective, noun and number in one word, such as `braveotter4821`: hundreds of millions of them. */
  async take(): Promise<string> {
    const now = this.#clock()
    for (;;) {
      const adjective = ADJECTIVES[this.#randomInt(ADJECTIVES.length)]!
      const noun = NOUNS[this.#randomInt(NOUNS.length)]!
      const name = `${adjective}${noun}${this.#randomInt(NUMBERS)}`
      if (await this.#limits.reserve(`username:${name}`, now + RESERVED_MS + this.#retentionMs, now))
        return name
    }
  }
}
