import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import type { CompiledLexicon, Node } from './compile.ts'
import type { LinkKind, LinkPatterns, Meaning } from './language.ts'
import type { KindsOfBeginning } from './link-beginnings.ts'

/**
 * The compiled lexicon as its file holds it. Each field is base64 of Brotli, which makes it a fifth smaller than
 * deflate does, and costs a millisecond more when the program starts.
 */
export interface PackedLexicon {
  /**
   * Nodes in breadth-first order from the two roots, so that the children of a node are neighbours.
   */
  letters: string
  childCounts: string
  meaningCounts: string
  /** JSON of the meanings in the order of their nodes, of the expressions for links, and of their beginnings. */
  rest: string
}

/**
 * The same ready to be searched. A node is its number; the roots are 0 (words at a word's start)
 * and 1 (inside).
 */
export interface UnpackedLexicon {
  /** The character that leads to each node. */
  letters: Uint16Array
  /**
   * The children of node n are the nodes from `firstChild[n]` up to `firstChild[n + 1]`, by
   * ascending letter.
   */
  firstChild: Uint32Array
  /** Likewise the meanings of node n. */
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
  for (const node of nodes) {
    const children = [...node.children].sort(([a], [b]) => a.charCodeAt(0) - b.charCodeAt(0))
    for (const [letter, child] of children) {
      letters.push(letter.charCodeAt(0))
      nodes.push(child)
    }
  }
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
  return {
    letters: unpackNumbers(packed.letters),
    firstChild: starts(unpackNumbers(packed.childCounts), 2),
    firstMeaning: starts(unpackNumbers(packed.meaningCounts), 0),
    ...rest,
  }
}

export function toMeaning([language, kinds, exactly]: PackedMeaning): Meaning {
  return { language, kinds, exactly: exactly ?? null }
}

/** Where each one's neighbours start, and after the last one where they end. */
function starts(counts: Uint16Array, first: number): Uint32Array {
  const found = new Uint32Array(counts.length + 1)
  found[0] = first
  let at = first
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
