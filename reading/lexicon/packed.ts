import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import type { CompiledLexicon, Node } from './compile.ts'
import type { LinkKind, LinkPatterns, Meaning } from './language.ts'
import type { KindsOfBeginning } from './link-beginnings.ts'

/**
 * The compiled lexicon as its file holds it. Each field is base64 of Brotli, which makes it a fifth smaller than
 * deflate does, and costs a millisecond more when the program starts.
 */
export interface PackedLexicon {
  /** The letter of each node, in the order of the nodes. */
  letters: string
  childCounts: string
  meaningCounts: string
  /** JSON of the meanings in the order of their nodes, of the expressions for links, and of their beginnings. */
  rest: string
}

/**
 * The same ready to be searched. A node is its number; the roots are 0 (words at a word's start)
 * and 1 (inside). The children of a node are neighbours. The nodes of the first letters come first, and behind them
 * each branch as a whole: the rest of a word is in one or two lines of the processor's cache.
 */
export interface UnpackedLexicon {
  /** The character that leads to each node. */
  letters: Uint16Array
  /** The children of node n are `childCounts[n]` nodes from `firstChild[n]` on, by ascending letter. */
  firstChild: Uint32Array
  childCounts: Uint16Array
  /** The meanings of node n are those from `firstMeaning[n]` up to `firstMeaning[n + 1]`. */
  firstMeaning: Uint32Array
  meanings: PackedMeaning[]
  links: Record<LinkKind, LinkPatterns>
  beginnings: KindsOfBeginning[]
}

export type PackedMeaning = [language: number, kinds: number, exactly?: string]

/** Returns the compiled lexicon in the form of its file. */
export function pack({ starting, inside, links, beginnings }: CompiledLexicon): PackedLexicon {
  const nodes: Node[] = [starting, inside]
  const letters = [0, 0]
  inOrder((number) => {
    const children = [...nodes[number]!.children].sort(([a], [b]) => a.charCodeAt(0) - b.charCodeAt(0))
    for (const [letter, child] of children) {
      letters.push(letter.charCodeAt(0))
      nodes.push(child)
    }
    return children.length
  })
  const meanings = nodes.flatMap((node) =>
    node.meanings.map(({ language, kinds, exactly }) =>
      exactly === null ? [language, kinds] : [language, kinds, exactly],
    ),
  )
  return {
    letters: packNumbers(letters),
    childCounts: packNumbers(nodes.map((node) => node.children.size)),
    meaningCounts: packNumbers(nodes.map((node) => node.meanings.length)),
    rest: compressed(Buffer.from(JSON.stringify({ meanings, links, beginnings }))),
  }
}

export function unpack(packed: PackedLexicon): UnpackedLexicon {
  const rest = JSON.parse(expanded(packed.rest).toString()) as Pick<
    UnpackedLexicon,
    'meanings' | 'links' | 'beginnings'
  >
  const childCounts = unpackNumbers(packed.childCounts)
  return {
    letters: unpackNumbers(packed.letters),
    firstChild: inOrder((node) => childCounts[node]!),
    childCounts,
    firstMeaning: starts(unpackNumbers(packed.meaningCounts)),
    ...rest,
  }
}

/** Letters whose nodes come before all branches. */
const FIRST_LETTERS = 3

/**
 * Gives all nodes below the two roots their numbers, and returns the first child of each node.
 * @param childrenOf how many children a node has. It is called once for each node, in the order in which their children
 * get numbers.
 */
function inOrder(childrenOf: (node: number) => number): Uint32Array {
  const firstChild: number[] = []
  let count = 2
  const number = (node: number) => {
    firstChild[node] = count
    count += childrenOf(node)
  }
  const numberBranch = (node: number) => {
    number(node)
    const end = count
    for (let child = firstChild[node]!; child < end; child++) numberBranch(child)
  }
  let from = 0
  for (let letter = 0; letter < FIRST_LETTERS; letter++) {
    const end = count
    for (let node = from; node < end; node++) number(node)
    from = end
  }
  const end = count
  for (let node = from; node < end; node++) numberBranch(node)
  return Uint32Array.from(firstChild)
}

export function toMeaning([language, kinds, exactly]: PackedMeaning): Meaning {
  return { language, kinds, exactly: exactly ?? null }
}

/** Where the ones of each start, and after the last one where they end. */
function starts(counts: Uint16Array): Uint32Array {
  const found = new Uint32Array(counts.length + 1)
  let at = 0
  for (let index = 0; index < counts.length; index++) {
    at += counts[index] ?? 0
    found[index + 1] = at
  }
  return found
}

/** As 16 bits each, little-endian: the byte order of every platform that Node runs on but one. */
function packNumbers(numbers: number[]): string {
  return compressed(Buffer.from(Uint16Array.from(numbers).buffer))
}

function unpackNumbers(packed: string): Uint16Array {
  const bytes = expanded(packed)
  return new Uint16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

function compressed(bytes: Buffer): string {
  return brotliCompressSync(bytes).toString('base64')
}

function expanded(packed: string): Buffer {
  return brotliDecompressSync(Buffer.from(packed, 'base64'))
}
