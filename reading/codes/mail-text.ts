import { OTHER_CODE } from '../lexicon/language.ts'
import { bits, firstFrom, type Word, wordsFrom, wordsIn } from '../lexicon/words.ts'
import type { Candidate } from './candidates.ts'
import { findNouns, type Noun } from './nouns.ts'
import { hasDigitsIn } from './tokens.ts'

/** A mail prepared for the search: the subject, a blank line, the body. */
export interface SearchableText {
  text: string
  /** The text in lower case without accents; positions are the same. */
  lower: string
  subjectEnd: number
  /** Domain-bound codes. */
  bound: string[]
  /** The HTML, or the text, with its addresses. */
  written: string
}

/** What in a mail makes values old (age.ts). */
export interface Signs {
  words: Word[]
  /** Null if the mail quotes nothing; undefined before it is first asked. */
  isQuoted?: ((place: number) => boolean) | null
}

/**
 * A searchable mail with its words and nouns. What is null is found when it is first needed. It is kept here and not
 * in a WeakMap, because V8 keeps the values of one until it collects the old generation.
 */
export interface MailText extends SearchableText {
  words: Word[]
  /** The kinds of all its words: one look shows that the mail has no word of a kind. */
  kinds: number
  /** The words of some kinds, which are looked for near every candidate. */
  wordsOf: Map<number, Word[]>
  nouns: Noun[]
  /** How many candidates were found in it. */
  candidates: number
  /** Words for signing in and confirming. */
  purposes: Word[]
  /** The mail says how long something is valid: "10 minutes". */
  hasExpiry: boolean
  /** It warns the reader, as mails with codes do. */
  hasWarning: boolean
  signs: Signs | null
  /** The places of the rows of records (records.ts). */
  rows: Set<number> | null
  /** Whether it asks to enter a code (trust.ts). */
  asksToEnter: boolean | null
}

const PURPOSE = bits('verify', 'signIn', 'reset', 'purpose')
const TIME = bits('time')
const WARNS = bits('warning')

export function readWords(searched: SearchableText): MailText {
  const { text, lower } = searched
  const words = withoutNames(text, wordsIn(text, lower))
  const kinds = words.reduce((all, word) => all | word.kinds, 0)
  const some = (wanted: number) => (kinds & wanted) !== 0
  return {
    ...searched,
    words,
    kinds,
    wordsOf: new Map(),
    nouns: findNouns(text, lower, words),
    candidates: 0,
    purposes: some(PURPOSE) ? words.filter((word) => (word.kinds & PURPOSE) !== 0) : [],
    hasExpiry: some(TIME) && words.some((word) => (word.kinds & TIME) !== 0 && counts(lower, word.start)),
    hasWarning: some(WARNS),
    signs: null,
    rows: null,
    asksToEnter: null,
  }
}

/** What a word of a name would say of a code. */
const OF_NAME = bits('booking') | OTHER_CODE

/** Another word with a capital right before a place, and right behind one: "Deutsche ", " of America". */
const BEFORE = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}]{2,19} $/u
const BEHIND = /^ (?:\p{Ll}{2,3} )?\p{Lu}[\p{L}\p{M}]{2,19}/u
const BESIDE_MAX = 26
const CAPITAL = /\p{Lu}/u

/**
 * The words without those of a name, which say nothing of a code: "Your Deutsche Bank code", "Bank of America: 482913 is
 * your code". A name has a word beside it that the lexicon does not have, and the mail has both more than once.
 */
function withoutNames(text: string, words: Word[]): Word[] {
  const isPossible = words.some((word) => mayBeOfName(text, word))
  return isPossible ? words.filter((word) => !isOfName(text, words, word)) : words
}

function mayBeOfName(text: string, { kinds, start }: Word): boolean {
  return (kinds & OF_NAME) !== 0 && CAPITAL.test(text.charAt(start))
}

function isOfName(text: string, words: Word[], word: Word): boolean {
  if (!mayBeOfName(text, word)) return false
  const { start, end } = word
  const before = BEFORE.exec(text.slice(Math.max(0, start - BESIDE_MAX), start))?.[0].length ?? 0
  if (before > 0 && isTwice(text, words, start - before, end, word)) return true
  const behind = BEHIND.exec(text.slice(end, end + BESIDE_MAX))?.[0].length ?? 0
  return behind > 0 && isTwice(text, words, start, end + behind, word)
}

/** Whether the mail has a piece of text more than once, of which the lexicon has no other long word. */
function isTwice(text: string, words: Word[], from: number, to: number, word: Word): boolean {
  const isOther = (one: Word) =>
    one.end - one.start > SMALL_WORD && (one.start < word.start || one.start >= word.end)
  if (wordsFrom(words, from, to).some(isOther)) return false
  const piece = text.slice(from, to)
  return text.indexOf(piece) !== text.lastIndexOf(piece)
}

const SMALL_WORD = 3

/** A number of one or two digits precedes: "10 minutes", "15-minute"; but not the day of a date, "11月8日". */
function counts(lower: string, start: number): boolean {
  if (!hasDigitsIn(lower, start - 2, start, 1)) return false
  return /(?:^|[^\d.,:月월])(?<![月월] )\d{1,2}[ -]?$/.test(lower.slice(Math.max(0, start - 4), start))
}

/** The noun of the label right before a place: only a mark and blanks are between them, or a few words of the label. */
export function labelOf({ text, nouns }: MailText, place: { start: number } | undefined): Noun | undefined {
  if (place === undefined) return undefined
  const noun = lastBefore(nouns, place.start)
  return noun !== undefined && BEFORE_VALUE.test(text.slice(noun.end, place.start)) ? noun : undefined
}

const BEFORE_VALUE = /^[^\n:.!?]{0,40}[:\t]?\s{0,4}$/

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

/** Whether the subject has a noun of a meaning. */
export function isInSubject({ nouns, subjectEnd }: MailText, meaning: Noun['meaning']): boolean {
  return nouns.some((noun) => noun.meaning === meaning && noun.end <= subjectEnd)
}

/** The words of a mail that are of one of these kinds. */
function wordsOfKinds(mail: MailText, kinds: number): Word[] {
  let words = mail.wordsOf.get(kinds)
  if (words === undefined) {
    words = mail.words.filter((word) => (word.kinds & kinds) !== 0)
    mail.wordsOf.set(kinds, words)
  }
  return words
}

/** A longer word is not found by its end. */
const WORD_MAX = 80

/** A word of one of these kinds that ends exactly at a place. Of several the longest counts, which comes first. */
export function wordEndingAt(mail: MailText, place: number, kinds: number): Word | undefined {
  if ((mail.kinds & kinds) === 0) return undefined
  const { words } = mail
  for (let at = firstFrom(words, place - WORD_MAX); (words[at]?.start ?? place) < place; at++) {
    const word = words[at]!
    if (word.end === place && (word.kinds & kinds) !== 0) return word
  }
  return undefined
}

export function wordStartingAt(mail: MailText, place: number, kinds: number): Word | undefined {
  if ((mail.kinds & kinds) === 0) return undefined
  const { words } = mail
  for (let at = firstFrom(words, place); words[at]?.start === place; at++)
    if ((words[at]!.kinds & kinds) !== 0) return words[at]
  return undefined
}

/**
 * Whether the subject, or the text within a distance of a candidate, has a word of one of these
 * kinds.
 */
export function speaksOf(mail: MailText, kinds: number, candidate: Candidate, distance: number): boolean {
  if ((mail.kinds & kinds) === 0) return false
  const words = wordsOfKinds(mail, kinds)
  const [first] = words
  if (first === undefined) return false
  const near = firstAfter(words, candidate.start - distance)
  return first.start < mail.subjectEnd || (near !== undefined && near.start < candidate.end + distance)
}
