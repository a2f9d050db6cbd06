/**
 * Units that the searches of a mail have. Of 7,781 mails, 8 (newsletters with dozens of links) need more, and none with
 * a code or an action: those with the most words about codes have few links, and those with the most links few such
 * words.
 */
const UNITS = 18_000

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
