import { type Genome, mutated, randomGenome, textOf } from './genome.ts'
import { confirmedRatio, cpuOf, leastCpu, type Work } from './measure.ts'
import type { Random } from './random.ts'
import type { Target } from './target.ts'

/** The most expensive texts that are kept, to be changed. */
const POOL = 16
/** The texts that are measured again at the end, because the first one may only look the most expensive. */
const CONFIRMED_MAX = 3
const WARM_UPS = 10

interface Candidate {
  genome: Genome
  cpu: number
}

/** What a search found: the text, and its cost as a multiple of that of the plain text. */
export interface Finding {
  text: string
  genome: Genome
  ratio: number
}

/** The search for the most expensive text of one target at one size. */
export class Climb {
  readonly name: string
  readonly size: number
  readonly most: number
  readonly #target: Target
  readonly #plain: Work
  readonly #random: Random
  readonly #pieces: string[][]
  readonly #pool: Candidate[] = []
  #plainCpu = Infinity
  tried = 0

  /** @param parts.plain the ordinary work that the cost is compared with */
  constructor(
    name: string,
    size: number,
    parts: {
      target: Target
      plain: Work
      random: Random
      pieces: string[][]
    },
  ) {
    this.name = name
    this.size = size
    this.most = parts.target.most
    this.#target = parts.target
    this.#plain = parts.plain
    this.#random = parts.random
    this.#pieces = parts.pieces
  }

  async warmUp(): Promise<void> {
    for (let n = 0; n < WARM_UPS; n++) await this.#plain.run(this.#plain.text)
  }

  /** How near to the bound the most expensive text is that has been seen: 1 is the bound. */
  get nearness(): number {
    return (this.#pool[0]?.cpu ?? 0) / this.#plainCpu / this.most
  }

  /** Tries texts for a while. */
  async run(ms: number): Promise<void> {
    const end = performance.now() + ms
    this.#plainCpu = Math.min(this.#plainCpu, await leastCpu(this.#plain, 3))
    await this.#measureAgain()
    for (; performance.now() < end; this.tried++) await this.#try(this.#next())
  }

  /** A text that was measured while the machine was busy must not hide other ones. */
  async #measureAgain(): Promise<void> {
    const [first] = this.#pool
    if (first === undefined) return
    first.cpu = Math.min(first.cpu, await leastCpu(this.#work(first.genome), 3))
    this.#sort()
  }

  /** The most expensive text, measured again beside plain text. */
  async finding(): Promise<Finding | undefined> {
    let found: Finding | undefined
    for (const { genome } of this.#pool.slice(0, CONFIRMED_MAX)) {
      const work = this.#work(genome)
      const ratio = await confirmedRatio(work, this.#plain, this.most)
      if (found === undefined || ratio > found.ratio) found = { text: work.text, genome, ratio }
    }
    return found
  }

  #next(): Genome {
    const random = this.#random
    const frames = this.#target.frames.length
    if (this.#pool.length < POOL || random.next() < 0.1) return randomGenome(random, this.#pieces, frames)
    // The better half is chosen more often.
    const chosen = this.#pool[Math.floor(random.next() ** 2 * this.#pool.length)]!
    const options = { random, alphabet: this.#pieces, frames }
    return mutated(chosen.genome, random.pick(this.#pool).genome, options)
  }

  async #try(genome: Genome): Promise<void> {
    const work = this.#work(genome)
    const least = this.#pool.length < POOL ? 0 : this.#pool.at(-1)!.cpu
    if ((await cpuOf(work)) <= least) return
    // A busy machine makes cheap texts look expensive.
    const cpu = await leastCpu(work, 3)
    if (cpu <= least) return
    this.#pool.push({ genome, cpu })
    this.#sort()
    this.#pool.length = Math.min(this.#pool.length, POOL)
  }

  #sort(): void {
    this.#pool.sort((a, b) => b.cpu - a.cpu)
  }

  #work(genome: Genome): Work {
    const frame = this.#target.frames[genome.frame] ?? String
    return { run: this.#target.run, text: frame(textOf(genome, this.size)) }
  }
}
