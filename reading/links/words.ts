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

/** The kinds that say what a link is for. */
const PURPOSES = ['confirm', 'signIn', 'reset', 'invite', 'join', 'unsubscribe', 'legal'] as const

let purposes: RegExp | undefined

/**
 * Whether a `fold`ed text says what a link is for, in any of the ways that `says` knows. Most texts
 * do not, and one search costs less than one for each kind.
 */
export function saysPurpose(text: string): boolean {
  purposes ??= new RegExp(PURPOSES.map((kind) => LINK_SOURCES[kind]).join('|'), 'u')
  return purposes.test(text)
}
