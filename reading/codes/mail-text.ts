import { bits, firstFrom, type Word, wordsFrom, wordsIn } from '../lexicon/words.ts'
import type { Candidate } from './candidates.ts'
import { findNouns, type Noun } from './nouns.ts'

/** A mail prepared for the search: the subject, a blank line, the body. */
export interface SearchableText {
  text: string
  /** The text in lower case without accents; positions are the same. */
  lower: string
  subjectEnd: number
  /** Domain-bound codes. */
  bound: string[]
}

/** A searchable mail with its words and nouns. */
export interface MailText extends SearchableText {
  words: Word[]
  /** The words of some kinds, which `speaksOf` looks for near every candidate. */
  wordsOf: Map<number, Word[]>
  nouns: Noun[]
  /** Words for signing in and confirming. */
  purposes: Word[]
  /** The mail says how long something is valid: "10 minutes". */
  hasExpiry: boolean
  /** It hasWarning, as mails with codes do. */
  hasWarning: boolean
}

const PURPOSE = bits('verify', 'signIn', 'reset', 'purpose')
const TIME = bits('time')
const WARNS = bits('warning')

export function readWords(searched: SearchableText): MailText {
  const { text, lower } = searched
  const words = wordsIn(text, lower)
  return {
    ...searched,
    words,
    wordsOf: new Map(),
    nouns: findNouns(text, lower, words),
    purposes: words.filter((word) => (word.kinds & PURPOSE) !== 0),
    hasExpiry: words.some((word) => (word.kinds & TIME) !== 0 && counts(lower, word.start)),
    hasWarning: words.some((word) => (word.kinds & WARNS) !== 0),
  }
}

/** A number of one or two digits precedes: "10 minutes", "15-minute". */
function counts(lower: string, start: number): boolean {
  return /(?:^|[^\d.,:])\d{1,2}[ -]?$/.test(lower.slice(Math.max(0, start - 4), start))
}

/** The last item that ends at or before a position. The items are sorted and do not overlap. */
export function lastBefore<T extends { start: number; end: number }>(
  things: T[],
  place: number,
): T | undefined {
  let index = firstFrom(things, place) - 1
  while (index >= 0 && things[index]!.end > place) index--
  return things[index]
}

export function firstAfter<T extends { start: number }>(things: T[], place: number): T | undefined {
  return things[firstFrom(things, place)]
}

/** The longest word that can end at a place. */
const LONGEST = 64

/** A word of one of these kinds that ends exactly at a place. */
export function wordEndingAt({ words }: MailText, place: number, kinds: number): Word | undefined {
  for (const word of wordsFrom(words, place - LONGEST, place))
    if (word.end === place && (word.kinds & kinds) !== 0) return word
  return undefined
}

export function wordStartingAt({ words }: MailText, place: number, kinds: number): Word | undefined {
  for (const word of wordsFrom(words, place, place + 1)) if ((word.kinds & kinds) !== 0) return word
  return undefined
}

/**
 * Whether the subject, or the text within a distance of a candidate, has a word of one of these
 * kinds.
 */
export function speaksOf(mail: MailText, kinds: number, candidate: Candidate, distance: number): boolean {
  let words = mail.wordsOf.get(kinds)
  if (words === undefined) {
    words = mail.words.filter((word) => (word.kinds & kinds) !== 0)
    mail.wordsOf.set(kinds, words)
  }
  const [first] = words
  if (first === undefined) return false
  const near = firstAfter(words, candidate.start - distance)
  return first.start < mail.subjectEnd || (near !== undefined && near.start < candidate.end + distance)
}
