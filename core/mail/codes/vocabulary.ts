import { ARABIC_TO_THAI } from '../languages/arabic-to-thai.ts'
import { CYRILLIC_AND_GREEK } from '../languages/cyrillic-and-greek.ts'
import { EAST_ASIAN } from '../languages/east-asian.ts'
import type { Language } from '../languages/language.ts'
import { OTHER_LATIN } from '../languages/other-latin.ts'
import { WEST_EUROPEAN } from '../languages/west-european.ts'
import { withoutAccents } from './plain.ts'

export const LATIN: readonly Language[] = [...WEST_EUROPEAN, ...OTHER_LATIN]

const ALL: readonly Language[] = [...LATIN, ...CYRILLIC_AND_GREEK, ...ARABIC_TO_THAI, ...EAST_ASIAN]

/** Letters of the scripts that put spaces between words, in lower case and without accents. */
export const LETTERS = 'a-z\\u00df-\\u00f6\\u00f8-\\u024f\\u0370-\\u052f'

/**
 * All that the languages say of one kind, as one group of a regular expression. What begins with the same letter
 * is put together, `a|bc|bd` as `a|b(?:c|d)`: the engine then tries one letter instead of hundreds of words.
 */
export function said(kind: keyof Language, languages: readonly Language[] = ALL): string {
  const byLetter = new Map<string, string[]>()
  for (const language of languages)
    for (const word of alternatives(withoutAccents(language[kind] ?? ''))) {
      const letter = /^\p{L}(?![?*+{|])/u.exec(word)?.[0] ?? ''
      byLetter.set(letter, [...(byLetter.get(letter) ?? []), word.slice(letter.length)])
    }
  const groups = [...byLetter].map(([letter, rests]) => `${letter}(?:${[...new Set(rests)].join('|')})`)
  return `(?:${groups.join('|')})`
}

/** Splits at each `|` that is not inside brackets. */
function alternatives(source: string): string[] {
  const found: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < source.length; at++) {
    if (source[at] === '(' || source[at] === '[') depth++
    else if (source[at] === ')' || source[at] === ']') depth--
    else if (source[at] === '|' && depth === 0) {
      found.push(source.slice(start, at))
      start = at + 1
    }
  }
  return source === '' ? [] : [...found, source.slice(start)]
}
