import type { Language, LinkWords } from '../lexicon/language.ts'
import * as LANGUAGES from '../lexicon/languages/index.ts'
import { folded } from './fold.ts'

/** What every language says of one kind, as one expression over `folded` text. */
export function linkWords(kind: keyof LinkWords): RegExp {
  const spaced: string[] = []
  const others: string[] = []
  for (const { links } of Object.values<Language>(LANGUAGES)) {
    const piece = links?.[kind]
    if (piece !== undefined) (SPACED.test(piece) ? spaced : others).push(piece)
  }
  return folded(`(?<![a-z0-9\\u0370-\\u052f])(?:${spaced.join('|')})|${others.join('|')}`)
}

/** Scripts in which the beginning of a word shows. */
const SPACED = /\p{Script=Latin}{2}|\p{Script=Cyrillic}|\p{Script=Greek}/u
