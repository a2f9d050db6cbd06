import { plain, withoutAccents } from '../lexicon/plain.ts'

/** Text as the words of languages are looked for in it: in lower case, without accents, in one line. */
export function fold(text: string): string {
  return unaccented(plain(text).toLowerCase()).replace(/\s+/g, ' ').trim()
}

/** An expression over folded text, whose own letters may have accents. */
export function folded(source: string): RegExp {
  return new RegExp(unaccented(source), 'u')
}

/** Also without the accents of Greek, which move when a word is inflected. */
function unaccented(text: string): string {
  return withoutAccents(text).replace(GREEK, (letter) => letter.normalize('NFD')[0]!)
}

const GREEK = /[\u0386-\u0390\u03aa-\u03b0\u03ca-\u03ce]/g
