import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import { MINUTE_MS } from '../../core/limits.ts'

/** Where the secret is kept. */
export interface Kept {
  current(): Promise<string>
  /** All that are right: the current one, and the one before. */
  values(): Promise<string[]>
}

export interface OriginSecretOptions {
  kept: Kept
  clock: Clock
  /** Told why `values` failed; what was read before stays right then. */
  report: (error: unknown) => void
}

/** Between two reads: whoever passes CloudFront by sends values that are unknown, too. */
const READ_AGAIN_MS = MINUTE_MS

/**
 * The secret that CloudFront sends to the origins. It may be rotated at any time: the value before stays right, and
 * one that is not known here is looked for.
 */
export class OriginSecret {
  readonly #options: OriginSecretOptions
  #values: Buffer[]
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined

  /** @throws what `current` throws */
  static async open(options: OriginSecretOptions): Promise<OriginSecret> {
    return new OriginSecret(options, [await options.kept.current()])
  }

  private constructor(options: OriginSecretOptions, values: string[]) {
    this.#options = options
    this.#values = values.map((value) => Buffer.from(value))
  }

  /** In a time that does not depend on where they differ. */
  isKnown(sent: string | undefined): boolean {
    const given = Buffer.from(sent ?? '')
    return this.#values.some((value) => value.length === given.length && timingSafeEqual(value, given))
  }

  async accepts(sent: string | undefined): Promise<boolean> {
    if (this.isKnown(sent)) return true
    if (sent === undefined) return false
    await this.#readAgain()
    return this.isKnown(sent)
  }

  #readAgain(): Promise<void> | undefined {
    const { clock, kept, report } = this.#options
    if (this.#reading !== undefined || clock() < this.#readAt + READ_AGAIN_MS) return this.#reading
    this.#readAt = clock()
    this.#reading = kept
      .values()
      .then((values) => {
        this.#values = values.map((value) => Buffer.from(value))
      }, report)
      .finally(() => {
        this.#reading = undefined
      })
    return this.#reading
  }
}
