import { bits, type Word, wordsFrom } from '../lexicon/words.ts'
import type { Candidate } from './candidates.ts'
import { type Line, lineAbove } from './layout.ts'
import type { MailText } from './mail-text.ts'
import type { Noun } from './nouns.ts'
import { otherNumberLabel } from './other-numbers.ts'
import type { Nearest } from './phrase-scores.ts'
import { REACH, SCORE } from './scores.ts'
import { isTrusted } from './trust.ts'

/**
 * The maximum distance of a noun above a candidate on its own line, for a certain and for a
 * possible code, and below it.
 */
const NEAR = 250
const ABOVE = 800
/** Five or six letters with at most one vowel, as hardly any word has: "ZJBGI". */
const CONSONANTS = /^(?=[A-Z]{5,6}$)[B-DF-HJ-NP-TV-XZ]*[AEIOUY]?[B-DF-HJ-NP-TV-XZ]*$/
const BELOW = 300

/** Scores a candidate on its own line, below or above words that mean a code. */
export function scoreOfOwnLine(mail: MailText, candidate: Candidate, near: Nearest): number {
  const line = lineAbove(mail.lower, candidate.start)
  if (isEndOfProse(mail, candidate, line)) return SCORE.none
  const isInLine = (word: { end: number } | undefined) => word !== undefined && word.end > line.start
  if (isInLine(near.before)) {
    if (near.before!.meaning === 'other') return SCORE.none
  } else if (!isInLine(near.purposeBefore) && isLabelled(mail, line)) return SCORE.none

  const above = lastRelevantNoun(mail.nouns, candidate.start)
  if (above !== undefined && isTrusted(mail, above, candidate)) {
    const distance = candidate.start - above.end
    if (!/\d/.test(candidate.value)) {
      const isRandom =
        above.meaning === 'verification' && distance <= NEAR && CONSONANTS.test(candidate.value)
      return isInLine(above) || isRandom ? SCORE.farBelowNoun : SCORE.none
    }
    if (candidate.doubtful) {
      const isOfNoun =
        distance <= REACH.before && isAboutProof(mail, above) && !hasOwnValue(mail, above, candidate)
      return isOfNoun ? SCORE.farBelowNoun : SCORE.none
    }
    if (distance <= NEAR) return SCORE.belowNoun
    if (distance <= ABOVE || above.end <= mail.subjectEnd) return SCORE.farBelowNoun
  }
  if (candidate.doubtful) return SCORE.none
  const below = near.after
  if (below !== undefined && below.start - candidate.end <= BELOW && isTrusted(mail, below, candidate))
    return SCORE.aboveNoun
  return SCORE.none
}

/** "Your temporary password: MxHMYtEAdj", and further down the name of the sender, "WSO2Hub". */
function hasOwnValue({ text }: MailText, { end }: Noun, { start }: Candidate): boolean {
  return OWN_VALUE.test(text.slice(end, start))
}

const OWN_VALUE =
  /^ ?[:：] ?(?=[A-Za-z]{0,63}\d|(?:[A-Za-z]{0,31}?[a-z][A-Z]){2})[A-Za-z0-9][!-~]{4,63}[ \t]*\n/

/**
 * More than a bare "code" speaks of a verification code: a year below "the code you're changing"
 * is only a year.
 */
function isAboutProof(mail: MailText, { meaning }: Noun): boolean {
  return meaning !== 'code' || mail.purposes.length > 0 || mail.hasExpiry || mail.hasWarning
}

/** A label above or, in the cell before, of whatever kind: "Order number". */
export function isLabelled(mail: MailText, line: Line): boolean {
  const end = line.start + line.text.length
  const label = otherNumberLabel(mail, end, line.start)
  // At the end of a sentence, "to" is no label: it is a word of another language too.
  const isSmallWord = label !== null && end - label <= SMALL_WORD && label - line.start > PROSE
  if (label !== null && !isSmallWord) return true
  const endsWithColon = line.text.trimEnd().endsWith(':')
  return (
    (line.isCell && endsWithColon) || ((line.isCell || endsWithColon) && isNumberOf(mail, line.start, end))
  )
}

/** Characters of a label. */
export const LABEL_MAX = 40
/** Letters of a word for a number that is not only a small word of another language. */
const NUMBER_MIN = 5
const NUMBER = bits('otherNumber')
const PROVES = bits('verify', 'confirm', 'signIn', 'reset', 'secret', 'access', 'purpose')

/** "Numéro de badge :", "Número de póliza": a label begins with a word for a number, and nothing in it proves anything. */
export function isNumberOf({ lower, words }: MailText, from: number, to: number): boolean {
  if (to - from > LABEL_MAX + 4) return false
  const first = from + lower.slice(from, to).search(/[^\s*•·–-]/)
  const isNumber = ({ start, end, kinds }: Word) =>
    start === first && (kinds & NUMBER) !== 0 && end - start >= NUMBER_MIN && lower[end] === ' '
  const label = wordsFrom(words, from, to)
  return label.some(isNumber) && !label.some(({ kinds }) => (kinds & PROVES) !== 0)
}

const SMALL_WORD = 2
/** Characters of a line that is no label. */
const PROSE = 40

/** The last noun before a place that is not of another kind. */
function lastRelevantNoun(nouns: Noun[], place: number): Noun | undefined {
  return nouns.findLast(
    (noun) => noun.end <= place && noun.meaning !== 'other' && noun.meaning !== 'password',
  )
}

/**
 * A line of prose that was wrapped leaves its last word alone: "... which will be possible
 * in\nZODB4."
 */
function isEndOfProse(mail: MailText, candidate: Candidate, line: Line): boolean {
  if (candidate.value.length === 6 && candidate.digits) return false
  const between = mail.text.slice(line.start + line.text.length, candidate.start)
  return (
    line.text.length > 50 &&
    between.indexOf('\n') === between.lastIndexOf('\n') &&
    /[\p{L},]$/u.test(line.text)
  )
}
