import { createHmac } from 'node:crypto'
import type { Limits } from './ports.ts'
import { ADJECTIVES, NOUNS } from './words.ts'

const NUMBERS = 1_000_000
/** 64 thousand million names: at 5,000 a second they last for 148 days, and mail for far less. */
const NAMES = ADJECTIVES.length * NOUNS.length * NUMBERS
/** The least even power of two above NAMES: the permutation works on two halves of as many bits. */
const HALF_BITS = 18
const HALF = 2 ** HALF_BITS
const ROUNDS = 6
/** Names that a process takes at a time, so that giving one writes nothing. */
const BLOCK = 1000

interface Block {
  next: number
  end: number
  secret: string
}

/**
 * Gives usernames, none twice. Each is a number of a sequence that all processes share, in blocks, turned into
 * words by a permutation with a secret: so that nobody who is given some can tell which the others are given.
 */
export class Usernames {
  readonly #limits: Pick<Limits, 'lease'>
  readonly #random: (size: number) => Uint8Array
  #block: Block | undefined
  #leasing: Promise<void> | undefined

  /** @param random gives n random bytes */
  constructor(limits: Pick<Limits, 'lease'>, random: (size: number) => Uint8Array) {
    this.#limits = limits
    this.#random = random
  }

  /** Adjective, noun and number in one word, such as `braveotter482155`. */
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
 * Another number below NAMES for each number below NAMES: a Feistel network, walked until it comes back into the
 * range (Black and Rogaway, Ciphers with Arbitrary Finite Domains, 2002).
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
