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

const USER_OR_SIGN_IN = bits('user', 'signIn')

/** "Password: kX7pQ2mN" below "Login: ines": whatever else the mail is about, the reader signs in with it. */
export function isBelowUser({ lower, words }: MailText, start: number): boolean {
  const line = lower.lastIndexOf('\n', start - 1)
  if (line === -1 || start - line > LABEL_MAX) return false
  const above = lower.slice(Math.max(0, line - ABOVE_MAX), line).trimEnd()
  const from = above.lastIndexOf('\n') + 1
  const colon = above.indexOf(':', from)
  if (colon === -1) return false
  const place = Math.max(0, line - ABOVE_MAX)
  return wordsFrom(words, place + from, place + colon).some(({ kinds }) => (kinds & USER_OR_SIGN_IN) !== 0)
}

/** Characters of a line before a label that begins it, and of the line above. */
const LABEL_MAX = 24
const ABOVE_MAX = 160
