import type { CodeDetail } from '../message.ts'
import type { Place } from './age.ts'
import { kindOf } from './code-kind.ts'
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
  return { value, kind, reason: reasonOf(mail, place, noun) }
}

function nounOf({ nouns }: MailText, { start, end }: Place): Noun | undefined {
  const before = lastBefore(nouns, start)
  if (before !== undefined && start - before.end <= REACH) return before
  const after = firstAfter(nouns, end)
  return after !== undefined && after.start - end <= REACH ? after : undefined
}

/** White space that is more than single spaces. */
const UNEVEN = /[^\S ]| {2}/

function reasonOf({ text }: MailText, { start, end }: Place, noun: Noun | undefined): string {
  const [first, last] =
    noun === undefined ? [start, end] : [Math.min(start, noun.start), Math.max(end, noun.end)]
  const line = text.lastIndexOf('\n', first - 1) + 1
  const from = Math.max(line, first - LEAD_MAX)
  const words = text.slice(from, last).trim()
  const shown = UNEVEN.test(words) ? words.replace(/\s+/g, ' ') : words
  if (shown.length <= REASON_MAX) return shown
  // The code itself is always in it.
  return start <= first ? shown.slice(0, REASON_MAX) : `… ${shown.slice(2 - REASON_MAX)}`
}
