import type { CodeDetail } from '../message.ts'
import type { Place } from './age.ts'
import { kindOf, startOfSentence } from './code-kind.ts'
import { firstAfter, lastBefore, type MailText } from './mail-text.ts'
import type { Noun } from './nouns.ts'

/** How far from a code the noun may be that shows what it is. */
const REACH = 400
/** Characters of a reason. */
const REASON_MAX = 160
/** Characters before the noun that belong to a reason. */
const LEAD_MAX = 60

/**
 * Returns a code with its kind and the words of the mail that show it: from the line of the word for
 * a code up to the code, or the line of the code.
 * @param isListed it is one of a list, as recovery codes are
 */
export function evidenceOf(
  mail: MailText,
  value: string,
  place: Place | undefined,
  isListed: boolean,
): CodeDetail {
  if (place === undefined) return { value, kind: 'one_time', reason: `#${value}` }
  const noun = nounOf(mail, place)
  const kind = isListed ? 'recovery' : noun === undefined ? 'one_time' : kindOf(mail, place, noun)
  const reason =
    isListed && noun !== undefined ? reasonOfListed(mail, place, noun) : reasonOf(mail, place, noun)
  return { value, kind, reason }
}

function nounOf({ nouns }: MailText, { start, end }: Place): Noun | undefined {
  const before = lastBefore(nouns, start)
  if (before !== undefined && start - before.end <= REACH) return before
  const after = firstAfter(nouns, end)
  return after !== undefined && after.start - end <= REACH ? after : undefined
}

/** Where the sentence of a place begins, or a word at most LEAD_MAX characters before it. */
function startOfReason(text: string, place: number): number {
  const start = startOfSentence(text, place, LEAD_MAX)
  if (place - start < LEAD_MAX || /\s/.test(text.charAt(start - 1))) return start
  const blank = text.slice(start, place).search(/\s/)
  return blank === -1 ? start : start + blank
}

/** White space that is more than single spaces. */
const UNEVEN = /[^\S ]| {2}/

/** The line of the word for the codes of a list, and one of them. */
function reasonOfListed(mail: MailText, place: Place, noun: Noun): string {
  const { text } = mail
  const end = text.indexOf('\n', noun.end)
  if (noun.start > place.start || end === -1 || text.slice(end, place.start).trim() === '')
    return reasonOf(mail, place, noun)
  const lead = text.slice(startOfReason(text, noun.start), Math.min(end, noun.end + LEAD_MAX)).trim()
  return `${lead} … ${text.slice(place.start, place.end)}`
}

function reasonOf({ text }: MailText, { start, end }: Place, noun: Noun | undefined): string {
  const [first, last] =
    noun === undefined ? [start, end] : [Math.min(start, noun.start), Math.max(end, noun.end)]
  const words = text.slice(startOfReason(text, first), last).trim()
  const shown = UNEVEN.test(words) ? words.replace(/\s+/g, ' ') : words
  if (shown.length <= REASON_MAX) return shown
  // The code itself is always in it.
  return start <= first ? shown.slice(0, REASON_MAX) : `… ${shown.slice(2 - REASON_MAX)}`
}
