import { LINK_SOURCES } from '../lexicon/tree.ts'
import type { Candidate } from './candidates.ts'
import type { MailText } from './mail-text.ts'
import { isOtherNumber } from './other-numbers.ts'
import { BREAK } from './phrases.ts'

/** Characters between two codes of one sentence. */
const GAP_MAX = 60

const { latin, other } = LINK_SOURCES.and
/** The end of a text that leads up to one more code: " and", ",", "和". */
const JOINS = new RegExp(`(?:[,/&]| (?:${latin})| ?(?:${other})) ?$`, 'u')
const WORD = /^ ?(\p{L}+)/u

/**
 * Whether a number is one more code of the sentence that states another one: "codes 4127 and 5683",
 * "4127 for the app and 5683 for the site", where the same word follows both.
 */
export function isOneMore(mail: MailText, known: Candidate, next: Candidate): boolean {
  const { lower } = mail
  if (!known.digits || !next.digits || next.doubtful || next.value.length !== known.value.length) return false
  if (next.start - known.end > GAP_MAX) return false
  const gap = lower.slice(known.end, next.start)
  const joint = JOINS.exec(gap)
  if (joint === null || BREAK.test(gap) || isOtherNumber(mail, next)) return false
  if (joint.index === 0) return true
  const word = WORD.exec(gap)?.[1]
  return word !== undefined && word === WORD.exec(lower.slice(next.end, next.end + GAP_MAX))?.[1]
}

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
