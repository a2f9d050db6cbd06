import { timingSafeEqual } from 'node:crypto'

/**
 * The secret that CloudFront sends to the origins. A program knows the values that the secret had
 * when it started: the current one and, while an operator replaces it (docs/runbook.md), the
 * previous one.
 */
export class OriginSecret {
  readonly #values: Buffer[]

  constructor(values: string[]) {
    this.#values = values.map((value) => Buffer.from(value))
  }

  /** Whether this is one of the values; the time does not depend on where they differ. */
  accepts(sent: string | undefined): boolean {
    const given = Buffer.from(sent ?? '')
    return this.#values.some((value) => value.length === given.length && timingSafeEqual(value, given))
  }
}
