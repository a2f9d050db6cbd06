import { INTERNATIONAL, type Meaning, WORD_KINDS, type WordKind } from './language.ts'
import { isBoundary, isSpacedLetter, LAST_ASCII, wordEnd } from './letters.ts'
import {
  bitsOf,
  classOf,
  firstStep,
  HAS_MEANING,
  HAS_REST,
  INSIDE,
  meaningOf,
  nextTriple,
  restOf,
  rootsOf,
  STARTING,
  step,
  thirdStep,
} from './tree.ts'

/** A set of kinds as bits. */
export function bits(...kinds: WordKind[]): number {
  return kinds.reduce((set, kind) => set | (1 << WORD_KINDS.indexOf(kind)), 0)
}

/** The kinds of the words that may name a code or a password. */
export const NOUN_KINDS = bits('code', 'password', 'key', 'verificationCode')

/** A word of the lexicon in a text. */
export interface Word {
  start: number
  /** Past its last letter, endings included. */
  end: number
  /** Its meanings in all languages, as `bits`. */
  kinds: number
  meanings: Meaning[]
}

/**
 * More words than any real mail of that size has. It bounds the cost of a mail that consists of
 * such words.
 */
const WORDS_MAX = 160

const SPACE = 0x20
const FULL_STOP = 0x2e
const SMALL_A = 0x61
const ANY_ROOT = (1 << STARTING) | (1 << INSIDE)

/**
 * The words of all languages in a text, by their start. `lower` is `text` made `comparable`. The
 * cost is linear: a place costs at most the length of the longest phrase, however many languages
 * there are.
 */
export function wordsIn(text: string, lower: string): Word[] {
  const search = new Search(text, lower, lower.length)
  let code = codeAt(lower, 0)
  let next = codeAt(lower, 1)
  let triple = nextTriple(classOf(code), classOf(next))
  let allowed = ANY_ROOT
  const { found } = search
  for (let at = 0; at < lower.length; at++) {
    const third = codeAt(lower, at + 2)
    triple = nextTriple(triple, classOf(third))
    const roots = rootsOf(triple) & allowed
    if (roots !== 0) {
      if (found.length >= WORDS_MAX) break
      if ((roots & (1 << STARTING)) !== 0) search.fromTriple(STARTING, triple, at)
      if ((roots & (1 << INSIDE)) !== 0) search.fromTriple(INSIDE, triple, at)
    }
    // "Nordwind認証コード": letters of a script without spaces begin a word behind any others.
    allowed = isSpacedLetter(code) && (next <= LAST_ASCII || isSpacedLetter(next)) ? 1 << INSIDE : ANY_ROOT
    code = next
    next = third
  }
  return found
}

/** The character at a place; a blank past the end, because NaN would make each look-up one with fractions. */
function codeAt(lower: string, at: number): number {
  return at < lower.length ? lower.charCodeAt(at) : SPACE
}

/** The words that a compound begins with: "wachtwoord" and "herstel" in "wachtwoordherstelcode". */
export function partsOf(text: string, lower: string, from: number, to: number): Word[] {
  const search = new Search(text, lower, to)
  for (let at = from; at < to; at++) {
    search.from(STARTING, at)
    search.from(INSIDE, at)
  }
  return search.found
}

/** Names of companies are no words: "Booking.com" is no booking. */
const DOMAIN_ENDING = /^\.(?:com|net|org|io|app)(?![a-z])/

/** Whether such an ending is at a place. Behind most full stops is no letter. */
function isName(text: string, end: number): boolean {
  if (text.charCodeAt(end) !== FULL_STOP || !(text.charCodeAt(end + 1) >= SMALL_A)) return false
  return DOMAIN_ENDING.test(text.slice(end, end + 5))
}

class Search {
  readonly found: Word[] = []
  private readonly text: string
  private readonly lower: string
  /** No word ends after this position. */
  private readonly limit: number

  constructor(text: string, lower: string, limit: number) {
    this.text = text
    this.lower = lower
    this.limit = limit
  }

  /** Finds the words that begin at a place with a triple of characters. */
  fromTriple(root: typeof STARTING | typeof INSIDE, triple: number, start: number): void {
    const node = thirdStep(root, triple)
    // A blank past the end does not belong to the text.
    if (node !== 0 && start + 3 <= this.limit) this.follow(node, start, start + 3)
    else this.from(root, start)
  }

  /** Finds the words that begin at a place. */
  from(root: typeof STARTING | typeof INSIDE, start: number): void {
    const node = firstStep(root, this.lower.charCodeAt(start))
    if (node !== 0) this.follow(node, start, start + 1)
  }

  /** Follows the tree from a node that the letters from `start` up to `place` lead to. */
  private follow(from: number, start: number, place: number): void {
    const lower = this.lower
    const limit = this.limit
    for (let node = from, at = place; node !== 0; node = step(node, lower.charCodeAt(at)), at++) {
      const has = bitsOf(node)
      if ((has & HAS_REST) !== 0) {
        const rest = restOf(node)
        const end = Math.min(wordEnd(lower, at), limit)
        this.add(rest, start, end)
        const phrase = end < limit ? step(rest, lower.charCodeAt(end)) : 0
        if (phrase !== 0) this.follow(phrase, start, end + 1)
      }
      if ((has & HAS_MEANING) !== 0 && (at === limit || isBoundary(lower, at))) this.add(node, start, at)
      if (at >= limit) return
    }
  }

  private add(node: number, start: number, end: number): void {
    if ((bitsOf(node) & HAS_MEANING) === 0) return
    const { text } = this
    let { meanings, kinds, hasExact } = meaningOf(node)
    if (hasExact) {
      const shown = text.slice(start, end)
      meanings = meanings.filter(({ exactly }) => exactly === null || isWritten(shown, exactly))
      kinds = meanings.reduce((all, one) => all | one.kinds, 0)
    }
    if (kinds === 0 || isName(text, end)) return
    // The same word may be found from both roots: "code" and "*code".
    for (let index = this.found.length - 1; index >= 0; index--) {
      const same = this.found[index]
      if (same === undefined || same.start !== start) break
      if (same.end !== end) continue
      same.kinds |= kinds
      same.meanings = [...same.meanings, ...meanings]
      return
    }
    this.found.push({ start, end, kinds, meanings })
  }
}

function isWritten(shown: string, exactly: string): boolean {
  return shown === exactly || shown.toLowerCase() === exactly
}

/**
 * Whether two words have a language in common for these kinds of theirs. International words are of
 * every one.
 */
export function shareLanguage(a: Word, kindsOfA: number, b: Word, kindsOfB: number): boolean {
  return a.meanings.some(
    (one) =>
      (one.kinds & kindsOfA) !== 0 &&
      b.meanings.some((other) => (other.kinds & kindsOfB) !== 0 && haveLanguageInCommon(one, other)),
  )
}

function haveLanguageInCommon(a: Meaning, b: Meaning): boolean {
  return a.language === b.language || a.language === INTERNATIONAL || b.language === INTERNATIONAL
}

/** The words that begin in `[from, to)`. */
export function wordsFrom(words: Word[], from: number, to: number): Word[] {
  const first = firstFrom(words, from)
  let last = first
  while ((words[last]?.start ?? to) < to) last++
  return words.slice(first, last)
}

/** Whether a word of one of these kinds begins in `[from, to)`. */
export function hasWord(words: Word[], kinds: number, from: number, to: number): boolean {
  for (let at = firstFrom(words, from); (words[at]?.start ?? to) < to; at++)
    if ((words[at]!.kinds & kinds) !== 0) return true
  return false
}

/** Index of the first of some sorted items that starts at a position or after it. */
export function firstFrom(things: ReadonlyArray<{ start: number }>, place: number): number {
  let low = 0
  let high = things.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((things[middle]?.start ?? place) < place) low = middle + 1
    else high = middle
  }
  return low
}
