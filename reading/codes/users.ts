import { bits, wordsFrom } from '../lexicon/words.ts'
import type { Place } from './age.ts'
import type { MailText } from './mail-text.ts'

const USER = bits('user')
/** How far before a place the word for a user may begin, and how far behind it. */
const REACH = { before: 28, after: 3 }
/** Marks and a blank between that word and the place. */
const MARKS = /^[^\p{L}]{0,3}$/u

/** 'for the user "ines42b"', '"ines42b" kullanıcısı': a place between these words is the name of a user. */
export function isOfUser({ lower, words }: MailText, { start, end }: Place): boolean {
  for (const word of wordsFrom(words, start - REACH.before, start))
    if ((word.kinds & USER) !== 0 && MARKS.test(lower.slice(word.end, start))) return true
  return wordsFrom(words, end, end + REACH.after).some(({ kinds }) => (kinds & USER) !== 0)
}
