import { bits, type Word, wordsFrom } from '../lexicon/words.ts'
import { startOfLine } from './layout.ts'

const USER_OR_SIGN_IN = bits('user', 'signIn')

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
