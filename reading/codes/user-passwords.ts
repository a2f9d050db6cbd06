import { bits, hasWord } from '../lexicon/words.ts'
import type { Place } from './layout.ts'
import type { MailText } from './mail-text.ts'
import { firstSentence, lastSentence } from './phrases.ts'
import { saysPassword } from './stated-passwords.ts'
import type { WordCode } from './word-value.ts'

const USER = bits('user')
const SIGN_IN = bits('signIn')

/** A value with a letter and a digit. Behind its first letters and digits, `marks` has to match. */
const valueWith = (marks: string) =>
  `((?=[!-~]{0,31}\\d)(?=[!-~]{0,31}[A-Za-z])(?=[A-Za-z\\d]{0,31}${marks})[!-~]{5,31}[A-Za-z\\d#$%&+=@^~])`
const MARK = '[#$%&*+=@^~!?._-][!-~]'
const DIGITS_INSIDE = '[A-Za-z]{2}\\d{1,4}[A-Za-z]{2}'

/** Behind a word for a password, and up to two more: letters, a digit and a mark, or digits inside of letters. */
const BEHIND = new RegExp(
  `^(?: [\\p{L}\\p{M}]{1,16}){0,2}["'“”„«»*: ]{1,3}${valueWith(`(?:${MARK}|${DIGITS_INSIDE})`)}(?=[.,;:!)"'*]{0,3}(?:[^!-~]|$))`,
  'u',
)
/** Before the noun and up to two other words. A dash or a dot is not enough here, because names have them. */
const BEFORE = new RegExp(
  `(?<![!-~])${valueWith('[#$%&*+=@^~!?_][!-~]')}["'”»*]?(?: [\\p{L}\\p{M}-]{1,16}){0,2} ?$`,
  'u',
)
/** Marks that names have as well, so that the sentence has to name the user too: "Harbour-2026". */
const WEAK = /^[\w.-]+$/
/** A password that was used somewhere. */
const PREPOSITION = /^ (?:on|for|in|at) $/
/** Characters before and behind the password in which the sentence names a user or speaks of signing in. */
const REACH = { before: 120, after: 80 }

/** "With the user name ines42 and the temporary password Harbour#5527 you can sign in". */
export function passwordBesideUser(mail: MailText): WordCode[] {
  const { lower, subjectEnd, nouns, words, kinds } = mail
  if ((kinds & (USER | SIGN_IN)) === 0) return []
  for (const noun of nouns) {
    if (noun.start < subjectEnd || !saysPassword(mail, noun)) continue
    const found = valueBeside(mail, noun)
    if (found === null) continue
    // "A wrong password on nas-04"
    if (WEAK.test(found.value) && PREPOSITION.test(mail.text.slice(noun.end, found.start))) continue
    // The noun and its value, in either order, and the rest of their sentence on both sides.
    const from = Math.min(noun.start, found.start)
    const to = Math.max(noun.end, found.start + found.value.length)
    const before = lastSentence(lower.slice(Math.max(subjectEnd, from - REACH.before), from))
    const after = firstSentence(lower.slice(to, to + REACH.after))
    const saysBefore = (kinds: number) => hasWord(words, kinds, from - before.length, from)
    if (saysBefore(USER)) return [found]
    if (WEAK.test(found.value)) continue
    if (saysBefore(SIGN_IN) || hasWord(words, SIGN_IN, to, to + after.length)) return [found]
  }
  return []
}

/** The value behind a noun; or the one before it, where the noun comes last: "Harbour#5527 temporary password with". */
function valueBeside({ text, subjectEnd }: MailText, { start, end }: Place): WordCode | null {
  const behind = BEHIND.exec(text.slice(end, end + REACH.after))
  if (behind !== null) return { value: behind[1]!, start: end + behind[0].length - behind[1]!.length }
  const floor = Math.max(subjectEnd, start - REACH.after)
  const lead = text.slice(floor, start)
  const before = /\d/.test(lead) ? BEFORE.exec(lead) : null
  return before === null ? null : { value: before[1]!, start: floor + before.index }
}
