import { isSpacedLetter, wordStart } from '../lexicon/letters.ts'
import { bits, partsOf, type Word, wordsFrom } from '../lexicon/words.ts'

/**
 * - `verification`: can only be a verification code.
 * - `probable`: a confirmation or access code; a booking or a meeting has these as well.
 * - `code`: a code, nobody says which.
 * - `password`: a password, which most mails only talk about.
 * - `other`: a code of another kind, as in "postal code".
 */
export type Meaning = 'verification' | 'probable' | 'code' | 'password' | 'other'

/** A word for a code in a mail, and what its neighbours make of it. */
export interface Noun {
  start: number
  end: number
  meaning: Meaning
  /** Said to be the reader's own, as in "your code", or standing alone as a label. */
  yours: boolean
  word: Word
}

const NOUNS = bits('code', 'password', 'key', 'verificationCode')
const CODE = bits('code')
const VERIFICATION = bits('verificationCode')
const PASSWORD = bits('password')
const PROVES = bits('verify', 'signIn', 'reset', 'secret')
const MAY_PROVE = bits('confirm', 'access')
const CONFIRMS = bits('confirm')
const OTHERWISE = bits('otherCode')
const YOURS = bits('yours')

/** More than any honest mail has; it bounds the work on a mail that is nothing but nouns. */
const MAX_NOUNS = 1000

/** The nouns of a mail in order, none inside of another. */
export function findNouns(text: string, lower: string, words: Word[]): Noun[] {
  const found: Noun[] = []
  for (const word of words) {
    if ((word.kinds & NOUNS) === 0 && !isLabel(lower, word)) continue
    const last = found.at(-1)
    if (last !== undefined && word.start < last.end) {
      // "sms-code" inside of "sms-codes for you": the longer one that begins no later says more
      if (word.start > last.start || word.end <= last.end) continue
      found.pop()
    }
    const noun = nounOf(text, lower, words, word)
    if (noun !== null) found.push(noun)
    if (found.length === MAX_NOUNS) break
  }
  return found
}

const LABELS = bits('verify', 'confirm')

/** "Confirmation: 482913" leaves the noun out. */
function isLabel(lower: string, { end, kinds }: Word): boolean {
  return (kinds & LABELS) !== 0 && /^ ?: ?[^\s]/.test(lower.slice(end, end + 4))
}

/** Longest phrase around a noun, and what of it after the noun still qualifies it. */
const BEFORE = 32
const AFTER = 40
const QUALIFIES_AFTER = 28

/** In Japanese and Korean compounds only some endings leave a noun free, as in "6桁のコード". */
const EAST_ASIAN = /[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7af]$/
const FREE_ENDING = /[のなたるをがはにでともや的个個此该該这這您是为為]$/

/** "of the" in "code of the order": short words that tie a noun to what it is for. */
const TIES = /^[ '-]?(?:[^ \n]{1,3}[ '-]){0,2}$/

function nounOf(text: string, lower: string, words: Word[], word: Word): Noun | null {
  const { start, end } = word
  const head = wordStart(lower, start)
  const before = phraseStart(lower, start)
  const after = phraseEnd(lower, end)
  const noun = (meaning: Meaning, yours: boolean): Noun => ({ start: head, end, meaning, yours, word })
  if ((word.kinds & VERIFICATION) !== 0) return noun('verification', true)

  // "Sicherheitscode": the parts of a compound are words as well.
  const compound = head < start ? partsOf(text, lower, head, start) : []
  const leading = [...wordsFrom(words, before, head)].filter(({ end: last }) => last <= start)
  const trailing = [...wordsFrom(words, end, after)]
  const is = (kinds: number, some: Word[]) => some.some((one) => (one.kinds & kinds) !== 0)
  const lastTwo = twoWordsBack(lower, before, head)
  const near = [
    ...compound,
    ...leading.filter((one) => one.end > lastTwo),
    ...trailing.filter((one) => one.start <= end + QUALIFIES_AFTER),
  ]
  const isOther =
    compound.some((one) => (one.kinds & OTHERWISE) !== 0 && start - one.end <= 2) ||
    leading.some(
      (one) => (one.kinds & OTHERWISE) !== 0 && /^[^ ]{0,2}[ -]*$/.test(lower.slice(one.end, head)),
    ) ||
    trailing.some((one) => (one.kinds & OTHERWISE) !== 0 && TIES.test(lower.slice(end, one.start)))
  if (isOther) return noun('other', false)

  const yours =
    lower.slice(before, head).trim() === '' ||
    is(YOURS, leading) ||
    is(
      YOURS,
      trailing.filter((one) => one.end <= end + 16),
    ) ||
    is(YOURS, [word])
  // "password to confirm the payment"
  if ((word.kinds & (PASSWORD | CODE)) === PASSWORD)
    return noun(is(CONFIRMS, trailing) ? 'verification' : 'password', yours)
  const proven = near.find((one) => (one.kinds & PROVES) !== 0)
  const hint = proven ?? near.find((one) => (one.kinds & MAY_PROVE) !== 0)
  // "código de acesso 4821": the phrase ends where its last word does
  const last = hint !== undefined && hint.start >= end ? hint.end : end
  if (proven !== undefined) return { ...noun('verification', yours), end: last }
  if ((word.kinds & NOUNS) === 0)
    return noun((word.kinds & PROVES) === 0 ? 'probable' : 'verification', yours)
  if ((word.kinds & CODE) === 0) return null
  if (hint !== undefined) return { ...noun('probable', yours), end: last }
  // "decode", "Unicode", "レコード": another word altogether
  if (head < start) return lower.startsWith('code', start) ? null : noun('code', false)
  const said = lower.slice(before, start)
  if (EAST_ASIAN.test(said) && !FREE_ENDING.test(said) && !isSpacedLetter(lower.charCodeAt(start)))
    return null
  return noun('code', yours)
}

const MARK = /[\n\t.:;!?,()[\]"。、，|]/
const MARK_OR_DIGIT = /[\n\t.:;!?,()[\]"。、，|0-9]/

function phraseStart(lower: string, end: number): number {
  const floor = Math.max(0, end - BEFORE)
  let start = end
  while (start > floor && !MARK.test(lower[start - 1]!)) start--
  return start
}

function phraseEnd(lower: string, start: number): number {
  const mark = lower.slice(start, start + AFTER).search(MARK_OR_DIGIT)
  return mark === -1 ? Math.min(lower.length, start + AFTER) : start + mark
}

function twoWordsBack(lower: string, floor: number, head: number): number {
  const phrase = lower.slice(floor, head).trimEnd()
  const second = phrase.lastIndexOf(' ', phrase.lastIndexOf(' ') - 1)
  return second === -1 ? floor : floor + second + 1
}
