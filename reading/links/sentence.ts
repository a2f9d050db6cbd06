import { fold } from '../lexicon/fold.ts'
import { FALLBACK } from './action-words.ts'
import type { Mention } from './link.ts'
import { says } from './words.ts'

/**
 * The nearest line that leads to the link, except a line for readers who did not ask for the mail,
 * and the line for readers whose button does not work.
 */
export function sentenceOf({ around }: Mention): string {
  const lines = around.split('\n')
  const last = lines.at(-1) ?? ''
  const folded = fold(last)
  if (!says('deny', folded)) return last
  const asks = withoutDenials(last)
  if (asks !== null) return asks
  if (/:$/.test(folded) && !FALLBACK.test(folded)) return last
  return lines.at(-2) ?? (FALLBACK.test(folded) ? '' : last)
}

/** A line of more sentences is no prose, and each costs a search. */
const SENTENCES_MAX = 12

/**
 * The sentences of a line that are not for readers who did not ask for the mail; null if its last
 * sentence is one of these, because it leads to the link.
 */
function withoutDenials(line: string): string | null {
  const sentences = line.split(/(?<=[.!?])\s+|(?<=[。！？])/).filter((one) => one.trim() !== '')
  if (sentences.length < 2 || sentences.length > SENTENCES_MAX || says('deny', fold(sentences.at(-1)!)))
    return null
  return sentences.filter((one) => !says('deny', fold(one))).join(' ')
}
