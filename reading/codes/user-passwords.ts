import { fold } from '../lexicon/plain.ts'
import { bits, wordsFrom } from '../lexicon/words.ts'
import { saysIn } from '../links/phrases.ts'
import type { MailText } from './mail-text.ts'
import { BREAK } from './phrases.ts'
import type { WordCode } from './word-value.ts'

const USER = bits('user')
const SIGN_IN = bits('signIn')

/** Behind a word for a password, and up to two more: letters, a digit and a mark, or digits inside of letters. */
const MARKED =
  /^(?: [\p{L}\p{M}]{1,16}){0,2}["'“”„«»*: ]{1,3}((?=[!-~]{0,31}\d)(?=[!-~]{0,31}[A-Za-z])(?=[A-Za-z\d]{0,31}(?:[#$%&*+=@^~!?._-][!-~]|[A-Za-z]{2}\d{1,4}[A-Za-z]{2}))[!-~]{5,31}[A-Za-z\d#$%&+=@^~])(?=[.,;:!)"'*]{0,3}(?:[^!-~]|$))/u
/** The same before the noun and up to two other words. */
const MARKED_BEFORE =
  /(?<![!-~])((?=[!-~]{0,31}\d)(?=[!-~]{0,31}[A-Za-z])(?=[A-Za-z\d]{0,31}[#$%&*+=@^~!?_][!-~])[!-~]{5,31}[A-Za-z\d#$%&+=@^~])["'”»*]?(?: [\p{L}\p{M}-]{1,16}){0,2} ?$/u
/** Marks that names have as well, so that the sentence has to name the user too: "Harbour-2026". */
const WEAK = /^[\w.-]+$/
/** Characters before and behind the password in which the sentence names a user or speaks of signing in. */
const SENTENCE = { before: 120, after: 80 }

/** "With the user name ines42 and the temporary password Harbour#5527 you can sign in". */
export function passwordBesideUser(mail: MailText): WordCode[] {
  const { text, lower, subjectEnd, nouns, words } = mail
  for (const { start, end } of nouns) {
    if (start < subjectEnd || !saysIn('password', fold(lower.slice(start, end)))) continue
    const found = valueBeside(text, Math.max(subjectEnd, start - SENTENCE.after), start, end)
    if (found === null) continue
    const { value } = found
    const from = Math.min(start, found.start)
    const place = Math.max(end, found.start + value.length)
    const before = lower
      .slice(Math.max(subjectEnd, from - SENTENCE.before), from)
      .split(BREAK)
      .at(-1)!
    const after = lower.slice(place, place + SENTENCE.after).split(BREAK, 1)[0]!
    const says = (kinds: number, start: number, end: number) =>
      wordsFrom(words, start, end).some((word) => (word.kinds & kinds) !== 0)
    const sentence = from - before.length
    if (says(USER, sentence, from)) return [found]
    if (WEAK.test(value)) continue
    if (says(SIGN_IN, sentence, from) || says(SIGN_IN, place, place + after.length)) return [found]
  }
  return []
}

/** The value behind a noun; or the one before it, where the noun comes last: "Harbour#5527 temporary password with". */
function valueBeside(text: string, floor: number, start: number, end: number): WordCode | null {
  const behind = MARKED.exec(text.slice(end, end + SENTENCE.after))
  if (behind !== null) return { value: behind[1]!, start: end + behind[0].length - behind[1]!.length }
  const before = MARKED_BEFORE.exec(text.slice(floor, start))
  return before === null ? null : { value: before[1]!, start: floor + before.index }
}
