import compiled from './compiled.json' with { type: 'json' }
import type { Meaning } from './language.ts'
import { isSpacedLetter } from './letters.ts'
import { toMeaning, unpack } from './packed.ts'

const { letters, firstChild, childCounts, firstMeaning, meanings, links, beginnings } = unpack(compiled)

/** The regular expressions for links, as sources. */
export const LINK_SOURCES = links
/** What the matches of the expressions for Latin letters begin with. */
export const LINK_BEGINNINGS = beginnings

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
 * Two numbers for each node: the ASCII letters that lead on from it, as bits; and the node that the first of them
 * leads to, below the bits of the node. Children are neighbours, so it is a tenth of a table with all letters. Both
 * numbers are side by side, because a step that finds them in one line of the processor's cache costs half.
 */
const LETTERS = 32
const BEFORE_LETTERS = 0x60
const NODE_BITS = 24
const NODE = 2 ** NODE_BITS - 1
const edges = new Uint32Array(2 * letters.length)

for (let node = 0; node < letters.length; node++) {
  let letterBits = 0
  let firstByLetter = 0
  let bits = firstMeaning[node] === firstMeaning[node + 1] ? 0 : HAS_MEANING
  for (let child = behindChildren(node) - 1; child >= firstChild[node]!; child--) {
    const place = (letters[child] ?? 0) - BEFORE_LETTERS
    if (place > 0 && place < LETTERS) {
      letterBits |= 1 << place
      firstByLetter = child
    }
    if (letters[child] === REST) bits |= HAS_REST
  }
  edges[2 * node] = letterBits
  edges[2 * node + 1] = firstByLetter | (bits << NODE_BITS)
}

/** The node behind the last child of a node. */
function behindChildren(node: number): number {
  return firstChild[node]! + childCounts[node]!
}

/** The bits of each node: `HAS_MEANING`, `HAS_REST`. */
export function bitsOf(node: number): number {
  return (edges[2 * node + 1] ?? 0) >>> NODE_BITS
}

/** The roots have hundreds of children, so each has a table of them by character. The first nodes have small numbers. */
const FIRST_STEPS = ROOTS.map((root) => {
  const table = new Uint16Array(0x10000)
  const to = behindChildren(root)
  for (let node = firstChild[root]!; node < to; node++) table[letters[node] ?? 0] = node
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
    const bits = edges[2 * node] ?? 0
    const bit = 1 << place
    return (bits & bit) === 0 ? 0 : ((edges[2 * node + 1] ?? 0) & NODE) + onesIn(bits & (bit - 1))
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

/** The ASCII characters that lead on from a node, with their nodes. */
function* asciiSteps(node: number): Iterable<[code: number, next: number]> {
  const to = behindChildren(node)
  for (let child = firstChild[node]!; child < to; child++) {
    const letter = letters[child]!
    if (letter < 128 && letter !== REST) yield [letter, child]
  }
}

/** The node behind the `*` of a node, whose word ends with any letters, or 0. */
export function restOf(node: number): number {
  return childOf(node, REST)
}

function childOf(node: number, letter: number): number {
  const to = behindChildren(node)
  for (let at = firstChild[node]!; at < to; at++) {
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

const nodeMeanings: (NodeMeaning | undefined)[] = new Array(letters.length)

/** Returns the meanings of the word that ends at a node, which must have one. */
export function meaningOf(node: number): NodeMeaning {
  let found = nodeMeanings[node]
  if (found === undefined) {
    const list = meanings.slice(firstMeaning[node], firstMeaning[node + 1]).map(toMeaning)
    found = {
      meanings: list,
      kinds: list.reduce((all, one) => all | one.kinds, 0),
      hasExact: list.some(({ exactly }) => exactly !== null),
    }
    nodeMeanings[node] = found
  }
  return found
}

/** How many bits the class of a character has. */
const CLASS_BITS = 5
/** Classes of ASCII characters: one for each letter, one for the blanks of a phrase, one for all others. */
const OTHER = 0
const BLANK = 27
/** The class of every character that is not ASCII. */
const BEYOND_ASCII = 31

/** The class of each ASCII character. */
const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 0x61 && code <= 0x7a) return code - 0x60
  return ' -\n\t'.includes(String.fromCharCode(code)) ? BLANK : OTHER
})

/** The class of a character. */
export function classOf(code: number): number {
  return code < 128 ? CLASSES[code]! : BEYOND_ASCII
}

/** Returns the triple of classes that follows another one by a character. */
export function nextTriple(triple: number, added: number): number {
  return ((triple << CLASS_BITS) | added) & (TRIPLES - 1)
}

const TRIPLES = 1 << (3 * CLASS_BITS)

/**
 * The roots from which a word may begin with three characters, as bits, for each triple of their classes: four in a
 * byte, so that the table stays in the first cache of a processor. One look-up rules out most places of a text.
 */
const rootsOfTriples = new Uint8Array(TRIPLES / 4)

/** The roots from which a word may begin with a triple, as bits. */
export function rootsOf(triple: number): number {
  return (rootsOfTriples[triple >> 2]! >> ((triple & 3) << 1)) & 3
}

/** The node that each root reaches with a triple, if no word ends before; otherwise 0. */
const THIRD_STEPS = ROOTS.map(() => new Uint16Array(TRIPLES))

/** Returns the node that a root reaches with a triple, or 0 if it has to be reached character by character. */
export function thirdStep(root: typeof STARTING | typeof INSIDE, triple: number): number {
  return THIRD_STEPS[root]![triple]!
}

const ALL_CLASSES = [...new Set(CLASSES), BEYOND_ASCII]
/** Classes of characters that may follow the last letter of a word. */
const ENDS = [...new Set(CLASSES.filter((_, code) => !isSpacedLetter(code))), BEYOND_ASCII]

for (const root of ROOTS) {
  const mark = (first: number, seconds: number[], thirds: number[]) => {
    for (const second of seconds)
      for (const third of thirds) {
        const triple = tripleOf(first, second, third)
        rootsOfTriples[triple >> 2]! |= 1 << (((triple & 3) << 1) + root)
      }
  }
  mark(BEYOND_ASCII, ALL_CLASSES, ALL_CLASSES)
  for (const [first, one] of asciiSteps(root)) {
    const begin = classOf(first)
    mark(begin, [...classesBehind(one, first), BEYOND_ASCII], ALL_CLASSES)
    for (const [second, two] of asciiSteps(one)) {
      const middle = classOf(second)
      mark(begin, [middle], [...classesBehind(two, second), BEYOND_ASCII])
      for (const [third, three] of asciiSteps(two)) {
        const end = classOf(third)
        mark(begin, [middle], [end])
        if (end !== OTHER && endsNowhere(one, begin, middle) && endsNowhere(two, middle, end))
          THIRD_STEPS[root]![tripleOf(begin, middle, end)] = three
      }
    }
  }
}

/** Whether no word ends at a node between characters of two classes. A class of several characters does not tell. */
function endsNowhere(node: number, before: number, behind: number): boolean {
  if (before === OTHER || behind === OTHER) return false
  const isInWord = before !== BLANK && behind !== BLANK
  return bitsOf(node) === 0 || (isInWord && bitsOf(node) === HAS_MEANING)
}

function tripleOf(first: number, second: number, third: number): number {
  return nextTriple(nextTriple(first, second), third)
}

/** The classes of the characters that may follow a word that ends at a node with a character. */
function classesBehind(node: number, last: number): number[] {
  const bits = bitsOf(node)
  if (bits === 0) return []
  return (bits & HAS_REST) === 0 && isSpacedLetter(last) ? ENDS : ALL_CLASSES
}
