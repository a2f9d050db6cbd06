import { createHmac } from 'node:crypto'
import type { Limits } from './ports.ts'
import { ADJECTIVES, NOUNS } from './words.ts'

const NUMBERS = 1_000_000
/** At 5,000 a second, 64 billion names last for 148 days, much longer than mail is kept. */
const NAMES = ADJECTIVES.length * NOUNS.length * NUMBERS
/** The smallest even power of two above NAMES, because the permutation works on two halves. */
const HALF_BITS = 18
const HALF = 2 ** HALF_BITS
const ROUNDS = 6
/** Names that a process leases at once, so that most names need no write. */
const BLOCK = 1000

interface Block {
  next: number
  end: number
  secret: string
}

/**
 * Issues unique usernames. All processes lease blocks of one sequence of numbers, and a permutation
 * with a secret turns a number into words, so that a user cannot derive the names of others from
 * their own.
 */
export class Usernames {
  readonly #limits: Pick<Limits, 'lease'>
  readonly #random: (size: number) => Uint8Array
  #block: Block | undefined
  #leasing: Promise<void> | undefined

  /** @param random returns n random bytes */
  constructor(limits: Pick<Limits, 'lease'>, random: (size: number) => Uint8Array) {
    this.#limits = limits
    this.#random = random
  }

  /** Returns adjective, noun and number as one word, such as `braveotter482155`. */
  async take(): Promise<string> {
    while (this.#block === undefined || this.#block.next === this.#block.end) {
      this.#leasing ??= this.#lease().finally(() => {
        this.#leasing = undefined
      })
      await this.#leasing
    }
    return nameOf(permuted(this.#block.next++ % NAMES, this.#block.secret))
  }

  async #lease(): Promise<void> {
    const proposed = Buffer.from(this.#random(32)).toString('hex')
    const { first, secret } = await this.#limits.lease('usernames', BLOCK, proposed)
    this.#block = { next: first, end: first + BLOCK, secret }
  }
}

function nameOf(index: number): string {
  const number = index % NUMBERS
  const pair = Math.floor(index / NUMBERS)
  return ADJECTIVES[pair % ADJECTIVES.length]! + NOUNS[Math.floor(pair / ADJECTIVES.length)]! + number
}

/**
 * Maps the numbers below NAMES to each other: a Feistel network that is repeated until the result
 * is in the range (Black and Rogaway, Ciphers with Arbitrary Finite Domains, 2002).
 */
export function permuted(index: number, secret: string): number {
  let value = index
  do {
    let left = Math.floor(value / HALF)
    let right = value % HALF
    for (let round = 0; round < ROUNDS; round++) {
      const digest = createHmac('sha256', secret).update(`${round} ${right}`).digest()
      ;[left, right] = [right, left ^ (digest.readUInt32BE() % HALF)]
    }
    value = left * HALF + right
  } while (value >= NAMES)
  return value
}
