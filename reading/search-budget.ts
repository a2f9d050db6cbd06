/**
 * Units that the searches of a mail have. Of 7,781 mails none needs more, and of those with a code or an action none
 * 18,000: those with the most words about codes have few links, and those with the most links few such words.
 */
const UNITS = 24_000

/** What the searches for codes and links of one mail cost together. Each alone is bounded, but not their sum. */
export class SearchBudget {
  #left = UNITS

  /** Units that are left. */
  get left(): number {
    return Math.max(0, this.#left)
  }

  spend(units: number): void {
    this.#left -= units
  }
}
