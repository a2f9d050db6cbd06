import { isSpacedLetter } from './letters.ts'
import { asciiSteps, bitsOf, HAS_MEANING, HAS_REST, INSIDE, STARTING } from './tree.ts'

/** Bits of the class of a character. */
const BITS = 5
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
  return ((triple << BITS) | added) & (TRIPLES.length - 1)
}

/**
 * The roots from which a word may begin with three characters, as bits, for each triple of their classes. One look-up
 * rules out most places of a text.
 */
export const TRIPLES = new Uint8Array(1 << (3 * BITS))

const ROOTS = [STARTING, INSIDE] as const
/** The node that each root reaches with a triple, if no word ends before; otherwise 0. */
const THIRD_STEPS = ROOTS.map(() => new Uint16Array(TRIPLES.length))

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
        TRIPLES[triple] = TRIPLES[triple]! | (1 << root)
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

/** Whether no word ends at a node between characters of two classes, which are those of one character each. */
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
