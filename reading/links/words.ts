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
