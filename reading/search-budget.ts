/** What the searches for the codes and links of one mail may still cost. Each has a bound; this bounds their sum. */
export interface SearchBudget {
  /** Units; below 0 if the last search needed more than there were. */
  left: number
}

/**
 * Units of a mail. Of 7,781 mails, 8 (newsletters with dozens of links) need more, and none with a code or an action:
 * those with the most words about codes have few links, and those with the most links few such words.
 */
export const SEARCH_UNITS = 18_000
