import { fold } from '../lexicon/plain.ts'
import { bits, hasWord, wordsFrom } from '../lexicon/words.ts'
import { saysIn } from '../links/phrases.ts'
import type { Place } from './age.ts'
import type { MailText } from './mail-text.ts'
import { USER_OR_SIGN_IN } from './user-labels.ts'

const USER = bits('user')
/** How far before a place the word for a user may begin, and how far behind it. */
const REACH = { before: 28, after: 3 }
/** Marks and a blank between that word and the place. */
const MARKS = /^[^\p{L}]{0,3}$/u

/** 'for the user "ines42b"', '"ines42b" kullanıcısı': a place between these words is the name of a user. */
export function isOfUser({ lower, words }: MailText, { start, end }: Place): boolean {
  for (const word of wordsFrom(words, start - REACH.before, start))
    if ((word.kinds & USER) !== 0 && MARKS.test(lower.slice(word.end, start))) return true
  return hasWord(words, USER, end, end + REACH.after)
}

/** "Password: kX7pQ2mN" below "Login: ines": whatever else the mail is about, the reader signs in with it. */
export function isBelowUser(mail: MailText, start: number): boolean {
  const label = labelAbove(mail, start)
  if (label === null) return false
  const names = hasWord(mail.words, USER_OR_SIGN_IN, label.start, label.start + label.text.length)
  return names || saysIn('address', fold(label.text))
}

/** "Access code: 482913" below "Password: kX7pQ2mN": the reader needs both. */
export function isBelowPassword(mail: MailText, start: number): boolean {
  // That of a wireless network is a noun of another kind.
  return mail.nouns.some((noun) => noun.meaning === 'password' && isBelowLabel(mail, start, noun))
}

/** Whether a noun is in the label of the line above another label. */
export function isBelowLabel(mail: MailText, start: number, noun: Place): boolean {
  const label = labelAbove(mail, start)
  return label !== null && noun.start >= label.start && noun.end <= label.start + label.text.length
}

interface Label {
  start: number
  text: string
}

/** What is before the colon of the line above a label, or in the first cell of its row. */
function labelAbove({ lower }: MailText, start: number): Label | null {
  const line = lower.lastIndexOf('\n', start - 1)
  if (line === -1 || start - line > LABEL_MAX) return null
  const floor = Math.max(0, line - ABOVE_MAX)
  const above = lower.slice(floor, line).trimEnd()
  const from = above.lastIndexOf('\n') + 1
  const length = above.slice(from).search(/[:\t]/)
  return length === -1 ? null : { start: floor + from, text: above.slice(from, from + length) }
}

/** Characters of a line before a label that begins it, and of the line above. */
const LABEL_MAX = 24
const ABOVE_MAX = 160
