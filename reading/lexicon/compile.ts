import {
  type Language,
  type LinkKind,
  type LinkPatterns,
  type Meaning,
  OTHER_CODE,
  WORD_KINDS,
} from './language.ts'
import type { KindsOfBeginning } from './link-beginnings.ts'
import { linkBeginnings, linkPatterns } from './link-patterns.ts'
import { comparable } from './plain.ts'

/** A node of the tree of words: one edge for each character that can follow. */
export interface Node {
  children: Map<string, Node>
  meanings: Meaning[]
}

/**
 * Every word of every language in one tree, and one regular expression for each kind of link words.
 */
export interface CompiledLexicon {
  /** Words that begin where a word of the text begins. */
  starting: Node
  /** Words that may begin inside of a word of the text: `*code`. */
  inside: Node
  links: Record<LinkKind, LinkPatterns>
  beginnings: KindsOfBeginning[]
}

/** Compiles the languages; the international words come first. */
export function compile(languages: Language[]): CompiledLexicon {
  const [starting, inside] = [newNode(), newNode()]
  for (const [language, { words, otherCodes }] of languages.entries()) {
    const add = (word: string, kinds: number) =>
      addWord(word.startsWith('*') ? inside : starting, word.replace(/^\*/, ''), language, kinds)
    for (const [index, kind] of WORD_KINDS.entries())
      for (const word of words[kind] ?? []) add(word, 1 << index)
    for (const word of Object.values(otherCodes).flat()) add(word, OTHER_CODE)
  }
  return { starting, inside, links: linkPatterns(languages), beginnings: linkBeginnings(languages) }
}

function newNode(): Node {
  return { children: new Map(), meanings: [] }
}

function addWord(root: Node, word: string, language: number, kinds: number): void {
  const accented = word.startsWith('=') ? word.slice(1) : null
  const written = accented ?? word
  const exactly = accented ?? (/\p{Lu}/u.test(written) ? written : null)
  let node = root
  // A space in a phrase also matches a dash, and a dash a space.
  for (const letter of comparable(written).replaceAll('-', ' ').split('')) {
    const next = node.children.get(letter) ?? newNode()
    node.children.set(letter, next)
    node = next
  }
  const same = node.meanings.find((one) => one.language === language && one.exactly === exactly)
  if (same === undefined) node.meanings.push({ language, kinds, exactly })
  else same.kinds |= kinds
}
