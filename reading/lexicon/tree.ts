import type { Meaning } from './compile.ts'
import compiled from './compiled.json' with { type: 'json' }
import { unpack } from './packed.ts'

const { letters, firstChild, firstMeaning, meanings, links } = unpack(compiled)

/** The regular expressions for links, as sources. */
export const LINK_SOURCES = links

/** Root of the words that begin where a word begins, and of those that may begin inside of one: "*code". */
export const STARTING = 0
export const INSIDE = 1
const ROOTS = [STARTING, INSIDE] as const

/** The edge for `*`: any further letters of a word. */
const REST = 0x2a
const SPACE = 0x20

/** A space in a phrase also matches a dash, a tab, or the end of a line. */
const LETTER_OF = Uint8Array.from({ length: 128 }, (_, code) =>
  ' -\n\t'.includes(String.fromCharCode(code)) ? SPACE : code,
)

/** The roots have hundreds of children, so each has a table of them by character. */
const FIRST_STEPS = ROOTS.map((root) => {
  const table = new Uint16Array(0x10000)
  for (let node = childrenFrom(root); node < childrenTo(root); node++) table[letters[node] ?? 0] = node
  return table
})

function childrenFrom(node: number): number {
  return firstChild[node] ?? 0
}

function childrenTo(node: number): number {
  return firstChild[node + 1] ?? 0
}

/** The node that a root reaches with a character; 0 if there is none. */
export function firstStep(root: typeof STARTING | typeof INSIDE, code: number): number {
  return FIRST_STEPS[root]?.[code < 128 ? (LETTER_OF[code] ?? 0) : code] ?? 0
}

/** The node that a node reaches with a character; 0 if there is none. */
export function step(node: number, code: number): number {
  const letter = code < 128 ? (LETTER_OF[code] ?? 0) : code
  return letter === REST ? 0 : child(node, letter)
}

/** The node behind the `*` of a node, whose word ends with any letters; 0 if there is none. */
export function restOf(node: number): number {
  return child(node, REST)
}

function child(node: number, letter: number): number {
  const to = childrenTo(node)
  for (let at = childrenFrom(node); at < to; at++) {
    const found = letters[at] ?? 0
    if (found >= letter) return found === letter ? at : 0
  }
  return 0
}

export function hasMeaning(node: number): boolean {
  return firstMeaning[node] !== firstMeaning[node + 1]
}

/** What the word that ends at a node means; empty if no word ends there. */
export function meaningsOf(node: number): Meaning[] {
  return meanings.slice(firstMeaning[node], firstMeaning[node + 1])
}

/**
 * For each pair of ASCII characters the roots from which a word may begin with it, as bits. One look-up rules
 * out most places of a text.
 */
export const PAIRS = Uint8Array.from({ length: 128 * 128 }, (_, pair) =>
  ROOTS.reduce<number>((roots, root) => {
    const node = firstStep(root, pair >> 7)
    return node !== 0 && goesOn(node, pair & 127) ? roots | (1 << root) : roots
  }, 0),
)

/** Whether a word ends at a node or may go on with a character. */
function goesOn(node: number, code: number): boolean {
  return hasMeaning(node) || restOf(node) !== 0 || step(node, code) !== 0
}
