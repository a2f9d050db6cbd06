import { comparable } from '../codes/plain.ts'
import * as LANGUAGES from './index.ts'
import type { Language } from './language.ts'
import { isBoundary, isSpacedLetter, wordEnd } from './letters.ts'

export type Kind = keyof Language

const KINDS: Kind[] = [
  'code',
  'password',
  'key',
  'verificationCode',
  'verify',
  'confirm',
  'signIn',
  'reset',
  'secret',
  'access',
  'purpose',
  'otherwise',
  'yours',
  'is',
  'enter',
  'enterAfter',
  'names',
  'time',
  'unit',
  'warns',
  'offer',
  'booking',
  'meeting',
  'receipt',
  'address',
  'confirmLink',
  'signInLink',
  'invite',
  'unsubscribe',
  'legal',
]

/** A set of kinds as bits. */
export function bits(...kinds: Kind[]): number {
  return kinds.reduce((set, kind) => set | (1 << KINDS.indexOf(kind)), 0)
}

/** A word of some language that stands in a text. */
export interface Word {
  start: number
  /** Past its last letter, endings included. */
  end: number
  /** What it means, in any language, as `bits`. */
  kinds: number
  meanings: Meaning[]
}

/** What a word means in one language. */
interface Meaning {
  language: number
  kinds: number
  /** How it has to be written, when that counts. */
  exactly: string | null
}

/** A node of the tree of all words, a letter an edge. */
interface Node {
  next: Map<number, Node>
  /** Any further letters, up to the end of the word. */
  rest: Node | null
  meanings: Meaning[]
  /** All kinds of `meanings` that are written as it likes. */
  kinds: number
  exact: boolean
}

const SPACE = 0x20
const DASH = 0x2d
const WHITE = new Set([SPACE, DASH, 0x0a, 0x09])

function node(): Node {
  return { next: new Map(), rest: null, meanings: [], kinds: 0, exact: false }
}

/** Words that begin where a word begins, and those that may begin inside of one: "*code". */
const [STARTING, INSIDE] = build()

function build(): [Node, Node] {
  const starting = node()
  const inside = node()
  for (const [language, words] of Object.values<Language>(LANGUAGES).entries())
    for (const [index, kind] of KINDS.entries())
      for (const word of (words[kind] ?? '').split(/[,\n]/)) {
        const trimmed = word.trim()
        if (trimmed === '') continue
        const root = trimmed.startsWith('*') ? inside : starting
        add(root, trimmed.replace(/^\*/, ''), language, 1 << index)
      }
  return [starting, inside]
}

function add(root: Node, written: string, language: number, kinds: number): void {
  const accented = written.startsWith('=') ? written.slice(1) : null
  const shown = accented ?? written
  const capitals = /\p{Lu}/u.test(shown) ? shown : null
  let at = root
  for (const letter of comparable(shown).replaceAll('-', ' ')) {
    if (letter === '*') at = at.rest ??= node()
    else {
      const code = letter.charCodeAt(0)
      if (!at.next.has(code)) at.next.set(code, node())
      at = at.next.get(code)!
    }
  }
  const exactly = accented ?? capitals
  const same = at.meanings.find((one) => one.language === language && one.exactly === exactly)
  if (same === undefined) at.meanings.push({ language, kinds, exactly })
  else same.kinds |= kinds
  if (exactly === null) at.kinds |= kinds
  else at.exact = true
}

/** More than any honest mail of that size has; it bounds what a mail that is nothing but words costs. */
const MAX_WORDS = 20_000

/**
 * The words of all languages in a part of a text, by their start. `lower` is `text` made `comparable`. Linear: a
 * place costs no more than the length of the longest phrase, however many languages there are.
 */
export function wordsIn(text: string, lower: string, from = 0, to = lower.length): Word[] {
  const found: Word[] = []
  let before = from > 0 && isSpacedLetter(lower.charCodeAt(from - 1))
  for (let at = from; at < to && found.length < MAX_WORDS; at++) {
    const code = lower.charCodeAt(at)
    if (!before) {
      const first = STARTING.next.get(code)
      if (first !== undefined) follow(first, text, lower, at, at + 1, to, found)
    }
    const inner = INSIDE.next.get(code)
    if (inner !== undefined) follow(inner, text, lower, at, at + 1, to, found)
    before = isSpacedLetter(code)
  }
  return found
}

/** The words that a compound is made of, the last letter aside: "wachtwoord" and "herstel" in "wachtwoordherstel". */
export function partsOf(text: string, lower: string, from: number, to: number): Word[] {
  const found: Word[] = []
  for (let at = from; at < to; at++)
    for (const root of [STARTING, INSIDE]) {
      const first = root.next.get(lower.charCodeAt(at))
      if (first !== undefined) follow(first, text, lower, at, at + 1, to, found)
    }
  return found
}

function follow(
  from: Node,
  text: string,
  lower: string,
  start: number,
  place: number,
  limit: number,
  found: Word[],
): void {
  let here = from
  for (let at = place; ; at++) {
    if (here.rest !== null) {
      const end = Math.min(wordEnd(lower, at), limit)
      take(here.rest, text, start, end, found)
      if (here.rest.next.size > 0) {
        const on = here.rest.next.get(letterAt(lower, end))
        if (on !== undefined) follow(on, text, lower, start, end + 1, limit, found)
      }
    }
    if (here.meanings.length > 0 && (at >= limit || isBoundary(lower, at)))
      take(here, text, start, Math.min(at, limit), found)
    if (at >= limit) return
    const next = here.next.get(letterAt(lower, at))
    if (next === undefined) return
    here = next
  }
}

function letterAt(lower: string, at: number): number {
  const code = lower.charCodeAt(at)
  return WHITE.has(code) ? SPACE : code
}

/** "Booking.com" is no booking. */
const DOMAIN = /^\.(?:com|net|org|io|app)(?![a-z])/

function take(at: Node, text: string, start: number, end: number, found: Word[]): void {
  let { kinds } = at
  if (at.exact)
    for (const one of at.meanings)
      if (one.exactly !== null && isWritten(text.slice(start, end), one.exactly)) kinds |= one.kinds
  if (kinds === 0 || (text[end] === '.' && DOMAIN.test(text.slice(end, end + 5)))) return
  // The same word may be known with and without a beginning: "code" and "*code".
  for (let index = found.length - 1; index >= 0 && found[index]!.start === start; index--) {
    const same = found[index]!
    if (same.end !== end) continue
    same.kinds |= kinds
    same.meanings = [...same.meanings, ...at.meanings]
    return
  }
  found.push({ start, end, kinds, meanings: at.meanings })
}

function isWritten(shown: string, exactly: string): boolean {
  return shown === exactly || shown.toLowerCase() === exactly
}

/** Whether two words are of one language, for these kinds of theirs. */
export function shareLanguage(a: Word, kindsOfA: number, b: Word, kindsOfB: number): boolean {
  return a.meanings.some(
    (one) =>
      (one.kinds & kindsOfA) !== 0 &&
      b.meanings.some((other) => other.language === one.language && (other.kinds & kindsOfB) !== 0),
  )
}

/** The words that begin in `[from, to)`. */
export function* wordsFrom(words: Word[], from: number, to: number): Generator<Word> {
  for (let index = firstFrom(words, from); index < words.length && words[index]!.start < to; index++)
    yield words[index]!
}

/** Index of the first word that starts at a place or after it. */
export function firstFrom(words: ReadonlyArray<{ start: number }>, place: number): number {
  let low = 0
  let high = words.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (words[middle]!.start < place) low = middle + 1
    else high = middle
  }
  return low
}
