import { bits, hasWord, type Word, wordsFrom } from '../lexicon/words.ts'
import { lineAbove, startOfLine } from './layout.ts'

export const USER_OR_SIGN_IN = bits('user', 'signIn')

/**
 * "Pass : kX7pQ2mN" below "Username : ines", or behind the user on one line: anywhere else a pass is a ticket, a document,
 * or a verb.
 */
export function isOfUser(text: string, lower: string, words: Word[], { start, end }: Word): boolean {
  const line = lower.slice(lower.lastIndexOf('\n', start - 1) + 1, start)
  if (!/^[ \t*•-]{0,4}$/.test(line)) return isBesideUser(text, lower, words, { start, end })
  if (!/^ ?:/.test(lower.slice(end, end + 2))) return false
  const above = lineAbove(lower, start)
  const colon = above.text.indexOf(':')
  return hasWord(words, USER_OR_SIGN_IN, above.start, above.start + colon)
}

/** "login: qa / pass: plum!42tree", "ton email est : lucas@example.com et ton pass est : m4TzKe9V". */
function isBesideUser(
  text: string,
  lower: string,
  words: Word[],
  { start, end }: { start: number; end: number },
): boolean {
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
export function isBehindUser(
  { lower, words }: { lower: string; words: Word[] },
  { start }: { start: number },
): boolean {
  const from = Math.max(startOfLine(lower, start), start - LINE_REACH)
  return wordsFrom(words, from, start).some(
    ({ kinds, end }) => (kinds & USER_OR_SIGN_IN) !== 0 && BETWEEN_LABELS.test(lower.slice(end, start)),
  )
}

const LINE_REACH = 80
/** A colon or a dash, the name of a user, and what separates it from the next label. */
const BETWEEN_LABELS =
  /^ ?(?::| -) ?[^\s:,;]{1,64}(?: ?[ \t,;/|]{1,2} ?)(?:(?:\p{L}{1,12} )?\p{L}{1,24} ?)?$/u
