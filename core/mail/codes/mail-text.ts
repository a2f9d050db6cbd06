import type { Keyword } from './keywords.ts'

/** A mail made ready for the search: the subject, a blank line, the body. */
export interface SearchableText {
  text: string
  /** The text in lower case without accents; positions are the same. */
  lower: string
  subjectEnd: number
}

/** The same with the words that speak of codes, in order. */
export interface MailText extends SearchableText {
  /** Words for codes. */
  nouns: Keyword[]
  /** Words for signing in and confirming. */
  purposes: Keyword[]
}

/** Index of the last keyword that ends at or before a place; -1 when there is none. */
export function lastBefore(keywords: Keyword[], place: number): number {
  let low = 0
  let high = keywords.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (keywords[middle]!.end <= place) low = middle + 1
    else high = middle
  }
  return low - 1
}

export function firstAfter(keywords: Keyword[], place: number): number {
  let low = 0
  let high = keywords.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (keywords[middle]!.start < place) low = middle + 1
    else high = middle
  }
  return low
}
