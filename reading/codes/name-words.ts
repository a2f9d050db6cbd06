import { OTHER_CODE } from '../lexicon/language.ts'
import { bits, type Word, wordsFrom } from '../lexicon/words.ts'

/** What a word of a name would say of a code. */
const KINDS = bits('booking') | OTHER_CODE

/** Another word with a capital right before a place, and right behind one: "Deutsche ", " of America". */
const BEFORE = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}]{2,19} $/u
const BEHIND = /^ (?:\p{Ll}{2,3} )?\p{Lu}[\p{L}\p{M}]{2,19}/u
const BESIDE_MAX = 26
const CAPITAL = /\p{Lu}/u

/**
 * The words without those of a name, which say nothing of a code: "Your Deutsche Bank code", "Bank of America: 482913 is
 * your code". A name has a word beside it that the lexicon does not have, and the mail has both more than once.
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
  const before = BEFORE.exec(text.slice(Math.max(0, start - BESIDE_MAX), start))?.[0].length ?? 0
  if (before > 0 && isTwice(text, words, start - before, end, word)) return true
  const behind = BEHIND.exec(text.slice(end, end + BESIDE_MAX))?.[0].length ?? 0
  return behind > 0 && isTwice(text, words, start, end + behind, word)
}

/** Whether the mail has a piece of text more than once, of which the lexicon has no other long word. */
function isTwice(text: string, words: Word[], from: number, to: number, word: Word): boolean {
  const isOther = (one: Word) =>
    one.end - one.start > SMALL_WORD && (one.start < word.start || one.start >= word.end)
  if (wordsFrom(words, from, to).some(isOther)) return false
  const piece = text.slice(from, to)
  return text.indexOf(piece) !== text.lastIndexOf(piece)
}

const SMALL_WORD = 3
