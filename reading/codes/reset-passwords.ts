import { fold } from '../lexicon/plain.ts'
import { bits, wordsFrom } from '../lexicon/words.ts'
import { saysIn } from '../links/phrases.ts'
import type { MailText } from './mail-text.ts'
import { isNamedElsewhere } from './names.ts'
import type { Noun } from './nouns.ts'
import { BREAK } from './phrases.ts'
import type { WordCode } from './word-value.ts'

const ENTER = bits('enter', 'enterAfter')

/**
 * Two runs of digits and letters in both cases, as few names have them: "Zv83nQmL0y", "K7m2-Qx9L-Tz41"; but not
 * "Drive4You2day".
 */
const RANDOM =
  '(?![A-Z]?[a-z]{3,20}\\d{1,2}[A-Z]?[a-z]{2})(?=[A-Za-z-]{0,64}\\d{1,64}[A-Za-z-]{1,64}\\d)(?=[A-Z\\d-]{0,64}[a-z])(?=[a-z\\d-]{0,64}[A-Z])[A-Za-z\\d-]{8,64}'
/** Up to four words, as "has been set to", and a value to the end of its line, or before a last verb. */
const TO = new RegExp(
  `^(?: [\\p{L}\\p{M}]{1,14}){1,4} ()(${RANDOM})(?: [\\p{L}\\p{M}]{3,20})?\\.?[ \\t]*(?:\\n|$)`,
  'u',
)
const WITH = new RegExp(`(?<= )${RANDOM}(?=,? \\p{L})`, 'u')

/** How many characters before a word for a password the verb of its sentence may be. */
const VERB_REACH = 60
/** The same for the password itself: "Use K7m2-Qx9L-Tz41 to reset …". */
const VALUE_REACH = 120
/** How many characters behind a word for a password its verb may be. */
const VERB_AFTER = 60

/** "Use the following to reset your password to Zv83nQmL0y": what follows the noun. */
export function resetTo(mail: MailText, { start, end }: Noun, rest: string): RegExpExecArray | null {
  const found = TO.exec(rest)
  if (found === null) return null
  const from = Math.max(mail.subjectEnd, start - VERB_REACH)
  const before = mail.lower.slice(from, start).split(BREAK).at(-1)!
  const sentence = mail.lower.slice(start - before.length, end + VERB_AFTER).split(BREAK, 1)[0]!
  return isChanged(sentence) ? found : null
}

/** "Use K7m2-Qx9L-Tz41 to reset your password". */
export function resetWith(mail: MailText, noun: Noun): WordCode | null {
  const before = mail.text.slice(Math.max(mail.subjectEnd, noun.start - VALUE_REACH), noun.start)
  const sentence = before.split(BREAK).at(-1)!
  const found = WITH.exec(sentence)
  if (found === null) return null
  const [value] = found
  const start = noun.start - sentence.length + found.index
  const last = noun.end + VERB_AFTER
  const words = wordsFrom(mail.words, noun.start - sentence.length, last)
  const isUsed = words.some(({ kinds }) => (kinds & ENTER) !== 0)
  const rest = mail.lower.slice(start, last).split(BREAK, 1)[0]!
  return isUsed && isChanged(rest) && !isNamedElsewhere(mail, { value, start }) ? { value, start } : null
}

/** A sentence that changes a password, or reports that it was. */
function isChanged(sentence: string): boolean {
  const folded = fold(sentence)
  return saysIn('reset', folded) || saysIn('passwordChange', folded) || saysIn('changed', folded)
}
