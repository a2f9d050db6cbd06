import type { KindsOfBeginning } from '../lexicon/link-beginnings.ts'
import { LINK_BEGINNINGS } from '../lexicon/tree.ts'

/** Small letters, digits, and everything else. */
const CLASSES = 37
const OTHER = 0
const CLASS_OF = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 0x61 && code <= 0x7a) return code - 0x60
  return code >= 0x30 && code <= 0x39 ? code - 0x30 + 27 : OTHER
})

function classOf(code: number): number {
  return code < 128 ? CLASS_OF[code]! : OTHER
}

/** The automaton of Aho and Corasick: it looks for all beginnings at once, with one step for each character. */
interface Automaton {
  /** The state that each class leads to from each row: that of the longest beginning that the text ends with now. */
  next: Uint16Array
  /** Where the row of each state begins. Where no beginning goes on, it is the row of a shorter one. */
  rows: Uint32Array
  /** The kinds that have a beginning which ends with a state. */
  kinds: Int32Array
}

/** Made when it is needed first, because that takes some milliseconds. */
let automaton: Automaton | undefined

/**
 * The kinds of which an expression for Latin letters may match in a `fold`ed text, as bits: all for which one of the
 * beginnings is there. It takes a tenth of the time of one such expression.
 */
export function kindsBegunIn(text: string): number {
  automaton ??= automatonOf(LINK_BEGINNINGS)
  const { next, rows, kinds } = automaton
  // A text begins as if a blank were before it.
  let state = next[OTHER]!
  let found = kinds[0]! | kinds[state]!
  for (let at = 0; at < text.length; at++) {
    state = next[rows[state]! + classOf(text.charCodeAt(at))]!
    found |= kinds[state]!
  }
  return found
}

function automatonOf(beginnings: KindsOfBeginning[]): Automaton {
  const most = 1 + beginnings.reduce((sum, [text]) => sum + text.length, 0)
  const next = new Uint16Array(most * CLASSES)
  const kinds = new Int32Array(most)
  /** The edge that leads to each state, and the length of its text. */
  const edges = new Uint32Array(most)
  const lengths = new Uint8Array(most)
  let count = 1
  for (const [text, bits] of beginnings) {
    let state = 0
    for (let at = 0; at < text.length; at++) {
      const edge = state * CLASSES + classOf(text.charCodeAt(at))
      if (next[edge] === 0) {
        edges[count] = edge
        lengths[count] = at + 1
        next[edge] = count++
      }
      state = next[edge]!
    }
    kinds[state]! |= bits
  }
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0)
  /** For each state, that of the longest other beginning which its text ends with. */
  const others = new Uint16Array(count)
  /** More than half of the states go on as a shorter one does. One row for both needs less of the processor's cache. */
  const rows = new Uint32Array(count)
  let used = 1
  const rowOf = (state: number) => next.subarray(state * CLASSES, (state + 1) * CLASSES)
  for (let length = 1; length <= longest; length++)
    for (let state = 1; state < count; state++) {
      if (lengths[state] !== length) continue
      const edge = edges[state]!
      const from = Math.floor(edge / CLASSES)
      const other = from === 0 ? 0 : next[others[from]! * CLASSES + (edge % CLASSES)]!
      others[state] = other
      kinds[state]! |= kinds[other]!
      // Where no beginning goes on, the other one may. It is shorter, so its own next states are known.
      const row = rowOf(state)
      rows[state] = row.some((read) => read !== 0) ? CLASSES * used++ : rows[other]!
      for (const [read, known] of rowOf(other).entries()) row[read] ||= known
    }
  const few = new Uint16Array(CLASSES * used)
  for (let state = 0; state < count; state++) few.set(rowOf(state), rows[state])
  return { next: few, rows, kinds: kinds.slice(0, count) }
}
