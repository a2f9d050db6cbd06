import { LINK_SOURCES } from '../lexicon/tree.ts'
import type { Candidate } from './candidates.ts'
import { lengthsOfGroups } from './lists.ts'
import type { MailText } from './mail-text.ts'
import { isOtherNumber } from './other-numbers.ts'
import { BREAK } from './phrases.ts'
import type { WordCode } from './word-value.ts'

/** Characters between two codes of one sentence. */
const GAP_MAX = 60

const { latin, other } = LINK_SOURCES.and
/** The end of a text that leads up to one more code: " and", ",", "和". */
const JOINS = new RegExp(`(?:[,;/&]| (?:${latin})| ?(?:${other}))\\s?$`, 'u')
const WORD = /^ ?(\p{L}+)/u

/**
 * Whether a number is one more code of the sentence that states another one: "codes 4127 and 5683",
 * "4127 for the app and 5683 for the site", where the same word follows both.
 */
export function isOneMore(mail: MailText, known: Candidate, next: Candidate): boolean {
  const { lower } = mail
  if (next.value.length !== known.value.length || next.start - known.end > GAP_MAX) return false
  // "K4QZ7-2MNB1, P0LW8-XC5VR": groups alike, and no word between them.
  if (isDashed(known) && isDashed(next))
    return lengthsOfGroups(known.value) === lengthsOfGroups(next.value) && joinsDirectly(mail, known, next)
  if (!known.digits || !next.digits || next.doubtful) return false
  const gap = lower.slice(known.end, next.start)
  const joint = JOINS.exec(gap)
  if (joint === null || BREAK.test(gap) || isOtherNumber(mail, next)) return false
  if (joint.index === 0) return true
  const word = WORD.exec(gap)?.[1]
  return word !== undefined && word === WORD.exec(lower.slice(next.end, next.end + GAP_MAX))?.[1]
}

function isDashed({ value }: Candidate): boolean {
  return value.includes('-') && /\d/.test(value)
}

/** Whether only a mark or "and" is between two values. */
function joinsDirectly({ lower }: MailText, known: { end: number }, next: { start: number }): boolean {
  const gap = lower.slice(known.end, next.start)
  const joint = JOINS.exec(gap)
  return joint !== null && gap.slice(0, joint.index).trim() === ''
}

/** The values behind one that have its groups and are joined to it: "K4QZ7-2MNB1, P0LW8-XC5VR and 9TGH3-JJ2SD". */
export function joinedValues(mail: MailText, first: WordCode): WordCode[] {
  const found = [first]
  const groups = lengthsOfGroups(first.value)
  for (;;) {
    const last = found.at(-1)!
    const end = last.start + last.value.length
    const next = NEXT.exec(mail.text.slice(end, end + NEXT_MAX))
    if (next === null || lengthsOfGroups(next[1]!) !== groups) return found
    const start = end + next.index
    if (!joinsDirectly(mail, { end }, { start })) return found
    found.push({ value: next[1]!, start })
  }
}

const NEXT =
  /(?<![A-Za-z0-9-])((?=[A-Za-z-]{0,23}\d)[A-Za-z0-9]{2,12}(?:-[A-Za-z0-9]{2,12}){1,3})(?![A-Za-z0-9_@-])/
const NEXT_MAX = 64

/**
 * Whether a noun that does not belong to a code above introduces a candidate: a text message ends with the mark of the
 * program that reads it, "482913 is your code", "FA+9qCX9VSu".
 */
export function hasOwnNoun({ text, nouns }: MailText, code: Candidate, { start }: Candidate): boolean {
  if (text.length - start <= MARK_MAX && text[start - 1] === '\n' && MARK.test(text.slice(start)))
    return false
  const end = text.indexOf('\n', code.end)
  const from = end === -1 || end > start ? code.end : end
  return nouns.some((noun) => noun.start >= from && noun.end <= start)
}

/** The mark: eleven characters on the last line. */
const MARK = /^[A-Za-z0-9+/]{11}\s*$/
const MARK_MAX = 16
