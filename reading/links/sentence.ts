import { isGeneric, isQuestion, sentencesOf } from './action-words.ts'
import type { Mention } from './link.ts'
import { type Phrases, saysIn } from './phrases.ts'
import { SENTENCE_BREAK } from './text.ts'

/**
 * The nearest line that leads to the link, except a line for readers who did not ask for the mail,
 * and the line for readers whose button does not work.
 */
export function sentenceOf({ around, below }: Mention, phrases: Phrases): string {
  const lines = around.split('\n')
  if (below !== undefined && goesOn(lines.at(-1)!, below, phrases)) lines.push(`${lines.pop()} ${below}`)
  const [last, before] = lines.at(-1)!.split(SENTENCE_BREAK).reverse() as [string, string?]
  const folded = phrases.fold(last)
  if (!phrases.says('deny', folded)) {
    if (isGeneric(folded)) {
      const isAbove = before === undefined || !asksFor(phrases.fold(before), phrases)
      return withLineAbove(last, isAbove ? lines.at(-2) : before, phrases)
    }
    if (isOnlyFallback(folded, phrases))
      return withLineAbove(last, sentencesOf(lines.at(-2) ?? '').at(-1), phrases)
    return withRequestAbove(last, folded, before ?? endedSentence(lines.at(-2)), phrases)
  }
  const asks = withoutDenials(last, phrases)
  if (asks !== null) return asks
  if (/[:：[(<]\s*$/.test(folded) && !phrases.says('fallback', folded)) return last
  return lines.at(-2) ?? (phrases.says('fallback', folded) ? '' : last)
}

/** "Use the link <URL>", above "to complete your registration": the first half says nothing, and the second one asks. */
function goesOn(line: string, below: string, phrases: Phrases): boolean {
  if (phrases.saysPurpose(phrases.fold(line))) return false
  const folded = phrases.fold(below)
  return asksFor(folded, phrases) && !phrases.says('deny', folded)
}

/** "Please click on the link below:" says nothing alone. */
function withLineAbove(line: string, above: string | undefined, phrases: Phrases): string {
  return above === undefined || phrases.says('deny', phrases.fold(above)) ? line : `${above} ${line}`
}

/** A sentence that asks for an action, and not to enter a code. Any other says only what a link is not for. */
function asksFor(folded: string, phrases: Phrases): boolean {
  return ASKED.some((kind) => phrases.says(kind, folded)) && !ELSE.some((kind) => phrases.says(kind, folded))
}

/** A code to enter, an order, something that was done, the footer. */
const ELSE = ['code', 'other', 'changed', 'report', 'unsubscribe'] as const
/** More that a line before a link may be about. */
const ALSO = ['addressChange', 'fallback', 'legal'] as const
const ASKED = ['confirm', 'signIn', 'reset', 'invite', 'join'] as const

/** "Or paste this into your browser:" says nothing alone either. */
function isOnlyFallback(folded: string, phrases: Phrases): boolean {
  return /[:：]\s*$/.test(folded) && phrases.says('fallback', folded) && !phrases.saysPurpose(folded)
}

/**
 * "To do so, open this page:" behind "Please confirm your address.": the request above a line that only leads to a link.
 * "Status page:" and "Read our guide:" name another thing.
 */
function withRequestAbove(line: string, folded: string, above: string, phrases: Phrases): string {
  if (above === '' || !LEADS.test(folded) || phrases.saysPurpose(folded)) return line
  if (!asksFor(phrases.fold(above), phrases) || isAboutElse(folded, phrases)) return line
  // "Potvrdite el. poštu:": what follows an abbreviation is no sentence of its own.
  const goesOn = ABBREVIATED.test(above) && BEGINS_SMALL.test(line)
  return goesOn || pointsToIt(folded) ? withLineAbove(line, above, phrases) : line
}

/** "Open the link below", but not "You find more on the page below". */
function pointsToIt(folded: string): boolean {
  return saysIn('pageBelow', folded) && !saysIn('more', folded)
}

/** A line ends with a word of two or three letters and a full stop. */
const ABBREVIATED = /(?<!\p{L})\p{L}{2,3}\.$/u
const BEGINS_SMALL = /^[^\p{L}]{0,2}\p{Ll}/u

const LEADS = /^[^?？؟]{0,80}[:：]\s*$/

/** A line that ends with its sentence. "Please confirm your account", above "The map of today:", is a headline. */
function endedSentence(line = ''): string {
  return /[.!。।]\s*$/.test(line) ? line : ''
}

/** A line about something that a link may be for, other than what a mail asks. */
function isAboutElse(folded: string, phrases: Phrases): boolean {
  return [...ELSE, ...ALSO].some((kind) => phrases.says(kind, folded))
}

const LETTER = /\p{L}/u

/** A line of more sentences is no prose, and each costs a search. */
const SENTENCES_MAX = 12

/**
 * The sentences of a line that are not for readers who did not ask for the mail; null if its last
 * sentence is one of these and leads to the link.
 */
function withoutDenials(line: string, phrases: Phrases): string | null {
  const sentences = sentencesOf(line).filter((one) => LETTER.test(one))
  if (sentences.length < 2 || sentences.length > SENTENCES_MAX || leadsDenying(sentences.at(-1)!, phrases))
    return null
  // "Was this not you? Be sure to change your password": the question says for whom the next sentence is.
  const before = sentences.at(-2)!
  if (isQuestion(before) && phrases.says('deny', phrases.fold(before))) return null
  return sentences.filter((one) => !phrases.says('deny', phrases.fold(one))).join(' ')
}

/**
 * Whether a sentence is for readers who did not ask for the mail, and its main clause may lead to a link:
 * "if this was not you, reset your password", but not "if this was not you, ignore this mail".
 */
function leadsDenying(sentence: string, phrases: Phrases): boolean {
  if (!phrases.says('deny', phrases.fold(sentence))) return false
  const comma = Math.max(...COMMAS.map((one) => sentence.lastIndexOf(one)))
  if (comma === -1 || /[:：]\s*$/.test(sentence)) return true
  const clause = phrases.fold(sentence.slice(comma + 1))
  return isGeneric(clause) || phrases.saysPurpose(clause)
}

const COMMAS = [',', '，', '、', '،']
