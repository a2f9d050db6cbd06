import { OTHER_CODE } from '../lexicon/language.ts'
import { bits, type Word, wordsFrom } from '../lexicon/words.ts'

/** What a word of a name would say of a code. */
const KINDS = bits('booking') | OTHER_CODE

/** A word with a capital and a blank behind it, right before a place. */
const FIRST = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}]{2,19} $/u
const FIRST_MAX = 21
const CAPITAL = /\p{Lu}/u

/**
 * The words without those of a name, which say nothing of a code: "Your Deutsche Bank code", "United Airlines: 482913 is
 * your code". A name has a word before it that the lexicon does not have, and the mail has both more than once.
 */
export function withoutNames(text: string, words: Word[]): Word[] {
  const isPossible = words.some((word) => mayBeOfName(text, word))
  return isPossible ? words.filter((word) => !isOfName(text, words, word)) : words
}

function mayBeOfName(text: string, { kinds, start }: Word): boolean {
  return (kinds & KINDS) !== 0 && CAPITAL.test(text.charAt(start))
}

function isOfName(text: string, words: Word[], word: Word): boolean {
  if (!mayBeOfName(text, word)) return false
  const { start, end } = word
  const first = FIRST.exec(text.slice(Math.max(0, start - FIRST_MAX), start))?.[0]
  if (first === undefined || wordsFrom(words, start - first.length, start).length > 0) return false
  const name = text.slice(start - first.length, end)
  return text.indexOf(name) !== text.lastIndexOf(name)
}
