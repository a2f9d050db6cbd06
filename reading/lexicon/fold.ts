import { plain, withoutAccents } from './plain.ts'

/** Text as link words are matched against it: lower case, no accents, single spaces. */
export function fold(text: string): string {
  const bare = unaccented(plain(text).toLowerCase())
  return (UNEVEN.test(bare) ? bare.replace(/\s+/g, ' ') : bare).trim()
}

/** White space that is more than single spaces. */
const UNEVEN = /[^\S ]| {2}/

/** A regular expression over folded text. Its source may have accents. */
export function folded(source: string): RegExp {
  return new RegExp(unaccented(source), 'u')
}

/**
 * Lower-case text without accents, those of Greek included, which move when a word is inflected.
 */
export function unaccented(text: string): string {
  return withoutAccents(text).replace(GREEK, (letter) => letter.normalize('NFD')[0] ?? letter)
}

const GREEK = /[\u0386-\u0390\u03aa-\u03b0\u03ca-\u03ce]/g
