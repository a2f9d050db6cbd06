import { bits, hasWord, type Word, wordsFrom } from '../lexicon/words.ts'
import { lineAbove, startOfLine } from './layout.ts'

export const USER_OR_SIGN_IN = bits('user', 'signIn')

/** "Pass : kX7pQ2mN" below or behind "Username : ines": anywhere else a pass is a ticket, or a verb. */
export function isOfUser(lower: string, words: Word[], { start, end }: Word): boolean {
  if (!LEADS_TO_VALUE.test(lower.slice(end, end + 8))) return false
  const line = lower.slice(lower.lastIndexOf('\n', start - 1) + 1, start).slice(-USER_REACH)
  if (!/^[ \t*•-]{0,4}$/.test(line)) {
    if (NAME_AND_NUMBER.test(lower.slice(end, end + 32))) return false
    return BLANKED_ADDRESS.test(line) || isBehindUser({ lower, words }, { start })
  }
  const above = lineAbove(lower, start)
  const colon = above.text.indexOf(':')
  return hasWord(words, USER_OR_SIGN_IN, above.start, above.start + colon)
}

/** A colon, or a verb and a colon: "ton pass est : kX7pQ2mN". */
const LEADS_TO_VALUE = /^(?: \p{L}{1,4})? ?:/u
/** "Member: ines, Pass: Gold2026" */
const NAME_AND_NUMBER = /: ?[a-z]+\d{1,4}(?![!-~])/
const USER_REACH = 100
const BLANKED_ADDRESS = / {6}/

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
