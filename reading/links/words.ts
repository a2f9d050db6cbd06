import type { LinkKind } from '../lexicon/language.ts'
import { LINK_SOURCES } from '../lexicon/tree.ts'

const patterns = new Map<LinkKind, RegExp>()

/** Whether a `fold`ed text says something of a kind in any language. */
export function says(kind: LinkKind, text: string): boolean {
  let pattern = patterns.get(kind)
  if (pattern === undefined) {
    pattern = new RegExp(LINK_SOURCES[kind], 'u')
    patterns.set(kind, pattern)
  }
  return pattern.test(text)
}

/**
 * Returns a function that says whether a `fold`ed text says something of any of these kinds. Most
 * texts do not, and one search costs less than one for each kind.
 */
export function saysAny(...kinds: LinkKind[]): (text: string) => boolean {
  let pattern: RegExp | undefined
  return (text) => {
    pattern ??= new RegExp(kinds.map((kind) => LINK_SOURCES[kind]).join('|'), 'u')
    return pattern.test(text)
  }
}
