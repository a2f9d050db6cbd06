import type { Language } from './language.ts'
import * as LANGUAGES from './languages/index.ts'
import { isBoundary, isSpacedLetter, wordEnd } from './letters.ts'
import { comparable } from './plain.ts'

export type Kind = Exclude<keyof Language, 'links'>

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

/** What most words are made of, a slot each: a to z, the space between words, the apostrophe, digits. */
const SLOTS = 38
const SPACE_SLOT = 26
const NO_SLOT = 255
const SLOT_OF = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61
  // A phrase may be written with dashes, or run over the end of a line.
  if (' -\n\t'.includes(String.fromCharCode(code))) return SPACE_SLOT
  if (code >= 0x30 && code <= 0x39) return 28 + code - 0x30
  return code === 0x27 ? 27 : NO_SLOT
})

/** A node's number fits into 16 bits. */
const MAX_NODES = 0x10000

/**
 * All words as one tree, a letter an edge. Nodes are numbers and edges stand in tables, because every letter of
 * every mail goes through here.
 */
class Tree {
  /** For every node that there may be: what is never written takes no memory. */
  private readonly table = new Uint16Array(MAX_NODES * SLOTS)
  private readonly otherEdges = new Map<number, number>()
  /** Marks that words have inside, as in "a/c": few, so that most need no look at the map. */
  private readonly marks = new Set<number>()
  /** Node of a word whose further letters do not matter, for each node; 0 for none. */
  private readonly rests: number[] = [0]
  readonly meanings: Array<Meaning[] | undefined> = [undefined]

  next(node: number, code: number): number {
    const slot = code < 128 ? SLOT_OF[code]! : NO_SLOT
    if (slot !== NO_SLOT) return this.table[node * SLOTS + slot]!
    return code < 128 && !this.marks.has(code) ? 0 : (this.otherEdges.get(node * 0x10000 + code) ?? 0)
  }

  /** Whether a word ends at a node, or may go on with a character. */
  goesOn(node: number, code: number): boolean {
    return this.meanings[node] !== undefined || this.rest(node) !== 0 || this.next(node, code) !== 0
  }

  rest(node: number): number {
    return this.rests[node]!
  }

  add(root: number, written: string, language: number, kinds: number): void {
    const accented = written.startsWith('=') ? written.slice(1) : null
    const shown = accented ?? written
    const capitals = /\p{Lu}/u.test(shown) ? shown : null
    let node = root
    for (const letter of comparable(shown))
      node = letter === '*' ? this.makeRest(node) : this.makeEdge(node, letter)
    const exactly = accented ?? capitals
    const meanings = this.meanings[node] ?? []
    this.meanings[node] = meanings
    const same = meanings.find((one) => one.language === language && one.exactly === exactly)
    if (same === undefined) meanings.push({ language, kinds, exactly })
    else same.kinds |= kinds
  }

  private makeEdge(node: number, letter: string): number {
    const code = letter.charCodeAt(0)
    const slot = code < 128 ? SLOT_OF[code]! : NO_SLOT
    const found =
      slot === NO_SLOT ? this.otherEdges.get(node * 0x10000 + code) : this.table[node * SLOTS + slot]
    if (found) return found
    const made = this.make()
    if (slot === NO_SLOT) {
      this.otherEdges.set(node * 0x10000 + code, made)
      if (code < 128) this.marks.add(code)
    }
    if (slot !== NO_SLOT) this.table[node * SLOTS + slot] = made
    return made
  }

  private makeRest(node: number): number {
    this.rests[node] ||= this.make()
    return this.rests[node]!
  }

  make(): number {
    if (this.rests.length === MAX_NODES) throw new Error('the languages have more words than the tree takes')
    this.meanings.push(undefined)
    return this.rests.push(0) - 1
  }
}

const TREE = new Tree()
/** Root of the words that begin where a word begins, and of those that may begin inside of one: "*code". */
const STARTING = TREE.make()
const INSIDE = TREE.make()

for (const [language, words] of Object.values<Language>(LANGUAGES).entries())
  for (const [index, kind] of KINDS.entries())
    for (const word of (words[kind] ?? '').split(/[,\n]/)) {
      const written = word.trim()
      if (written === '') continue
      TREE.add(written.startsWith('*') ? INSIDE : STARTING, written.replace(/^\*/, ''), language, 1 << index)
    }

const ANY_ROOT = 3

/** From which root a word may begin with two characters, as bits: one look tells for most places of a text. */
const PAIRS = Uint8Array.from({ length: 128 * 128 }, (_, pair) =>
  [STARTING, INSIDE].reduce((roots, root, index) => {
    const node = TREE.next(root, pair >> 7)
    return node !== 0 && TREE.goesOn(node, pair & 127) ? roots | (1 << index) : roots
  }, 0),
)

/** More than any honest mail of that size has; it bounds what a mail that is nothing but words costs. */
const MAX_WORDS = 20_000

/**
 * The words of all languages in a part of a text, by their start. `lower` is `text` made `comparable`. Linear: a
 * place costs no more than the length of the longest phrase, however many languages there are.
 */
export function wordsIn(text: string, lower: string): Word[] {
  const found: Word[] = []
  const to = lower.length
  let before = false
  let code = lower.charCodeAt(0)
  for (let at = 0; at < to && found.length < MAX_WORDS; at++) {
    const following = lower.charCodeAt(at + 1)
    const roots = code < 128 && following < 128 ? PAIRS[code * 128 + following]! : ANY_ROOT
    if (roots !== 0) {
      const first = before || (roots & 1) === 0 ? 0 : TREE.next(STARTING, code)
      if (first !== 0) follow(first, text, lower, at, at + 1, to, found)
      const inner = (roots & 2) === 0 ? 0 : TREE.next(INSIDE, code)
      if (inner !== 0) follow(inner, text, lower, at, at + 1, to, found)
    }
    before = isSpacedLetter(code)
    code = following
  }
  return found
}

/** The words that a compound is made of, the last one aside: "wachtwoord" and "herstel" in "wachtwoordherstelcode". */
export function partsOf(text: string, lower: string, from: number, to: number): Word[] {
  const found: Word[] = []
  for (let at = from; at < to; at++)
    for (const root of [STARTING, INSIDE]) {
      const first = TREE.next(root, lower.charCodeAt(at))
      if (first !== 0) follow(first, text, lower, at, at + 1, to, found)
    }
  return found
}

/** Goes on with a word that starts at `start`, from a node that is reached with the letters before `place`. */
function follow(
  from: number,
  text: string,
  lower: string,
  start: number,
  place: number,
  limit: number,
  found: Word[],
): void {
  let node = from
  for (let at = place; ; at++) {
    const rest = TREE.rest(node)
    if (rest !== 0) {
      const end = Math.min(wordEnd(lower, at), limit)
      take(rest, text, start, end, found)
      const on = end < limit ? TREE.next(rest, lower.charCodeAt(end)) : 0
      if (on !== 0) follow(on, text, lower, start, end + 1, limit, found)
    }
    const isEnd = at >= limit
    if (TREE.meanings[node] !== undefined && (isEnd || isBoundary(lower, at)))
      take(node, text, start, at, found)
    if (isEnd) return
    node = TREE.next(node, lower.charCodeAt(at))
    if (node === 0) return
  }
}

/** "Booking.com" is no booking. */
const DOMAIN = /^\.(?:com|net|org|io|app)(?![a-z])/

function take(node: number, text: string, start: number, end: number, found: Word[]): void {
  const meanings = TREE.meanings[node]
  if (meanings === undefined) return
  let kinds = 0
  for (const one of meanings)
    if (one.exactly === null || isWritten(text.slice(start, end), one.exactly)) kinds |= one.kinds
  if (kinds === 0 || (text[end] === '.' && DOMAIN.test(text.slice(end, end + 5)))) return
  // The same word may be known with and without a beginning: "code" and "*code".
  for (let index = found.length - 1; index >= 0 && found[index]!.start === start; index--) {
    const same = found[index]!
    if (same.end !== end) continue
    same.kinds |= kinds
    same.meanings = [...same.meanings, ...meanings]
    return
  }
  found.push({ start, end, kinds, meanings })
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
