import type { Meaning } from './compile.ts'
import compiled from './compiled.json' with { type: 'json' }
import { toMeaning, unpack } from './packed.ts'

const { letters, firstChild, firstMeaning, meanings, links } = unpack(compiled)

/** The regular expressions for links, as sources. */
export const LINK_SOURCES = links

/**
 * Root of the words that begin where a word begins, and of those that may begin inside of one:
 * "*code".
 */
export const STARTING = 0
export const INSIDE = 1
const ROOTS = [STARTING, INSIDE] as const

/** The edge for `*`: any further letters of a word. */
const REST = 0x2a
const SPACE = 0x20

/** A space in a phrase also matches a dash, a tab, or the end of a line. */
const LETTER_OF = Uint8Array.from({ length: 128 }, (_, code) =>
  code === 0x2d || code === 0x0a || code === 0x09 ? SPACE : code,
)

/** The properties of a node as bits: one look-up shows that most nodes have neither. */
export const HAS_MEANING = 1
export const HAS_REST = 2

/**
 * The ASCII letters that lead on from each node, as bits, and the node that the first of them leads
 * to: children are neighbours. It is a tenth of a table with all letters, which would not fit into
 * the cache of a processor.
 */
const LETTERS = 32
const BEFORE_LETTERS = 0x60
const letterBits = new Uint32Array(letters.length)
const firstByLetter = new Uint16Array(letters.length)
const nodeBits = new Uint8Array(letters.length)

for (let node = 0; node < letters.length; node++) {
  const to = firstChild[node + 1] ?? 0
  for (let child = to - 1; child >= (firstChild[node] ?? 0); child--) {
    const place = (letters[child] ?? 0) - BEFORE_LETTERS
    if (place > 0 && place < LETTERS) {
      letterBits[node] = (letterBits[node] ?? 0) | (1 << place)
      firstByLetter[node] = child
    }
    if (letters[child] === REST) nodeBits[node] = HAS_REST
  }
  if (firstMeaning[node] !== firstMeaning[node + 1]) nodeBits[node] = (nodeBits[node] ?? 0) | HAS_MEANING
}

/** The bits of each node: `HAS_MEANING`, `HAS_REST`. */
export function bitsOf(node: number): number {
  return nodeBits[node] ?? 0
}

/** The roots have hundreds of children, so each has a table of them by character. */
const FIRST_STEPS = ROOTS.map((root) => {
  const table = new Uint16Array(0x10000)
  const to = firstChild[root + 1] ?? 0
  for (let node = firstChild[root] ?? 0; node < to; node++) table[letters[node] ?? 0] = node
  return table
})

/** The node that a root reaches with a character, or 0. */
export function firstStep(root: typeof STARTING | typeof INSIDE, code: number): number {
  return FIRST_STEPS[root]?.[code < 128 ? (LETTER_OF[code] ?? 0) : code] ?? 0
}

/** The node that a node reaches with a character, or 0. */
export function step(node: number, code: number): number {
  const place = code - BEFORE_LETTERS
  if (place > 0 && place < LETTERS) {
    const bits = letterBits[node] ?? 0
    const bit = 1 << place
    return (bits & bit) === 0 ? 0 : (firstByLetter[node] ?? 0) + onesIn(bits & (bit - 1))
  }
  const letter = code < 128 ? (LETTER_OF[code] ?? 0) : code
  return letter === REST ? 0 : childOf(node, letter)
}

/** How many bits of 32 are 1. */
function onesIn(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The node behind the `*` of a node, whose word ends with any letters, or 0. */
export function restOf(node: number): number {
  return childOf(node, REST)
}

function childOf(node: number, letter: number): number {
  const to = firstChild[node + 1] ?? 0
  for (let at = firstChild[node] ?? 0; at < to; at++) {
    const found = letters[at] ?? 0
    if (found >= letter) return found === letter ? at : 0
  }
  return 0
}

/** The meanings of the word that ends at a node. */
export interface NodeMeaning {
  meanings: Meaning[]
  /** The kinds of all meanings, as bits. */
  kinds: number
  /** For some of them it matters how the word is written. */
  hasExact: boolean
}

const nodeMeanings = new Map<number, NodeMeaning>()

/** Returns the meanings of the word that ends at a node, which must have one. */
export function meaningOf(node: number): NodeMeaning {
  let found = nodeMeanings.get(node)
  if (found === undefined) {
    const list = meanings.slice(firstMeaning[node], firstMeaning[node + 1]).map(toMeaning)
    found = {
      meanings: list,
      kinds: list.reduce((all, one) => all | one.kinds, 0),
      hasExact: list.some(({ exactly }) => exactly !== null),
    }
    nodeMeanings.set(node, found)
  }
  return found
}

/**
 * For each root and each pair of ASCII characters (the first one times 128) the node that the pair
 * leads to; and the roots from which a word may begin with the pair, as bits. One look-up rules out
 * most places of a text.
 */
const SECOND_STEPS = ROOTS.map(() => new Uint16Array(128 * 128))
export const PAIRS = new Uint8Array(128 * 128)

for (const root of ROOTS) {
  const nodes = SECOND_STEPS[root] ?? new Uint16Array()
  for (let first = 0; first < 128; first++) {
    const node = firstStep(root, first)
    if (node === 0) continue
    for (let second = 0; second < 128; second++) {
      const pair = first * 128 + second
      const next = step(node, second)
      nodes[pair] = next
      if (next !== 0 || bitsOf(node) !== 0) PAIRS[pair] = (PAIRS[pair] ?? 0) | (1 << root)
    }
  }
}

/** The node that a root reaches with two ASCII characters, or 0. */
export function secondStep(root: typeof STARTING | typeof INSIDE, pair: number): number {
  return SECOND_STEPS[root]?.[pair] ?? 0
}
