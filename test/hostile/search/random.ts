/** Repeatable random numbers: the same seed makes the same search. */
export class Random {
  #state: number

  constructor(seed: string) {
    this.#state = 2_166_136_261
    for (const character of seed) this.#state = Math.imul(this.#state ^ character.charCodeAt(0), 16_777_619)
  }

  /** At least 0, below 1. The generator is mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  /** An integer below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }
}
