import { fold } from '../lexicon/plain.ts'
import { bits, hasWord, type Word, wordsFrom } from '../lexicon/words.ts'
import { saysIn } from '../links/phrases.ts'
import { lineAbove, type Place, startOfLine } from './layout.ts'

/** The part of a mail that is needed here. Its nouns are found with the help of this file. */
interface Read {
  lower: string
  words: Word[]
}

interface Named extends Place {
  meaning: string
}

const USER_OR_SIGN_IN = bits('user', 'signIn')
const USER = bits('user')
/** How far before a place the word for a user may begin, and how far behind it. */
const REACH = { before: 28, after: 3 }
/** Marks and a blank between that word and the place. */
const MARKS = /^[^\p{L}]{0,3}$/u

/** 'for the user "ines42b"', '"ines42b" kullanıcısı': a place between these words is the name of a user. */
export function isOfUser({ lower, words }: Read, { start, end }: Place): boolean {
  for (const word of wordsFrom(words, start - REACH.before, start))
    if ((word.kinds & USER) !== 0 && MARKS.test(lower.slice(word.end, start))) return true
  return hasWord(words, USER, end, end + REACH.after)
}

/** "Password: kX7pQ2mN" below "Login: ines": whatever else the mail is about, the reader signs in with it. */
export function isBelowUser(mail: Read, start: number): boolean {
  const label = labelAbove(mail, start)
  if (label === null) return false
  const names = hasWord(mail.words, USER_OR_SIGN_IN, label.start, label.start + label.text.length)
  return names || saysIn('address', fold(label.text))
}

/** "Username", and its value on the next line, above the label of the password. */
export function isBelowUserAndValue({ lower, words }: Read, start: number): boolean {
  return wordsFrom(words, start - USER_REACH, start).some(
    ({ kinds, end }) => (kinds & USER) !== 0 && LABEL_AND_VALUE.test(lower.slice(end, start)),
  )
}

const LABEL_AND_VALUE = /^ ?:?[ \t]*\n\s{0,4}\S+[ \t]*\n\s{0,4}(?:\S+ )?$/
const USER_REACH = 80

/** "Access code: 482913" below "Password: kX7pQ2mN": the reader needs both. */
export function isBelowPassword(mail: Read & { nouns: Named[] }, start: number): boolean {
  // That of a wireless network is a noun of another kind.
  return mail.nouns.some((noun) => noun.meaning === 'password' && isBelowLabel(mail, start, noun))
}

/** Whether a noun is in the label of the line above another label. */
export function isBelowLabel(mail: Read, start: number, noun: Place): boolean {
  const label = labelAbove(mail, start)
  return label !== null && noun.start >= label.start && noun.end <= label.start + label.text.length
}

interface Label {
  start: number
  text: string
}

/** What is before the colon of the line above a label, or in the first cell of its row. */
function labelAbove({ lower }: Read, start: number): Label | null {
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

/**
 * "Pass : kX7pQ2mN" below "Username : ines", or behind the user on one line: anywhere else a pass is a ticket, a document,
 * or a verb.
 */
export function isPassOfUser(text: string, lower: string, words: Word[], { start, end }: Word): boolean {
  const line = lower.slice(lower.lastIndexOf('\n', start - 1) + 1, start)
  if (!/^[ \t*•-]{0,4}$/.test(line)) return isBesideUser(text, lower, words, { start, end })
  if (!/^ ?:/.test(lower.slice(end, end + 2))) return false
  const above = lineAbove(lower, start)
  const colon = above.text.indexOf(':')
  return hasWord(words, USER_OR_SIGN_IN, above.start, above.start + colon)
}

/** "login: qa / pass: plum!42tree", "ton email est : lucas@example.com et ton pass est : m4TzKe9V". */
function isBesideUser(text: string, lower: string, words: Word[], { start, end }: Place): boolean {
  const is = wordsFrom(words, end + 1, end + 2).find(({ kinds }) => (kinds & IS) !== 0)
  const value = text.slice(is?.end ?? end, end + VALUE_REACH)
  if (!PASSWORD_BEHIND.test(value) || NAME_AND_NUMBER.test(value)) return false
  return (
    BEHIND_ADDRESS.test(lower.slice(Math.max(0, start - ADDRESS_REACH), start)) ||
    isBehindUser({ lower, words }, { start })
  )
}

const IS = bits('is')
const VALUE_REACH = 64
/** The number of a ticket or of a document has capitals and digits only. */
const PASSWORD_BEHIND = /^ ?: ?(?=[!-~]{0,40}[a-z])(?=[!-~]{0,40}[\d#$%&+=@^~!*?])[!-~]{6}/
/** "Member: ines, Pass: Gold2026" */
const NAME_AND_NUMBER = /^ ?: ?[A-Z]?[a-z]+\d{1,4}(?![!-~])/
/** A label and an address, which was blanked, and up to three words. */
const BEHIND_ADDRESS = /: {6,}(?:[ ,;/|-]{0,3}\p{L}{1,12}){0,3}[ ,;/|-]{0,3}$/u
const ADDRESS_REACH = 100

/** "User: ines Password: a1b2c3", "login: qa / pass: a1b2c3": a label behind that of the user and a value, on one line. */
export function isBehindUser({ lower, words }: Read, { start }: { start: number }): boolean {
  const from = Math.max(startOfLine(lower, start), start - LINE_REACH)
  return wordsFrom(words, from, start).some(
    ({ kinds, end }) => (kinds & USER_OR_SIGN_IN) !== 0 && BETWEEN_LABELS.test(lower.slice(end, start)),
  )
}

const LINE_REACH = 80
/** A colon or a dash, the name of a user, and what separates it from the next label. */
const BETWEEN_LABELS =
  /^ ?(?::| -) ?[^\s:,;]{1,64}(?: ?[ \t,;/|]{1,2} ?)(?:(?:\p{L}{1,12} )?\p{L}{1,24} ?)?$/u
