import { type Candidate, findCandidates, findLetterCandidates } from './codes/candidates.ts'
import { domainBoundCodes } from './codes/domain-bound.ts'
import { findLoneValue } from './codes/lone-value.ts'
import { type MailText, readWords, type SearchableText } from './codes/mail-text.ts'
import type { Noun } from './codes/nouns.ts'
import { isWorthScoring, scoreOf } from './codes/score.ts'
import { LONG, SCORE } from './codes/scores.ts'
import { findWordCodes } from './codes/word-codes.ts'
import { visibleText } from './html/text.ts'
import { plain, withoutAccents, withoutAddresses, withoutEncodings } from './lexicon/plain.ts'
import { wordsFrom } from './lexicon/words.ts'

/**
 * Characters of text that are searched. A code is near the top, so the rest of 40 MB is not read.
 */
export const CODE_SEARCH_WINDOW = 12 * 1024

/** Characters of HTML whose text is searched: most of it is layout. */
const HTML_SEARCH_WINDOW = 128 * 1024

const SUBJECT_WINDOW = 1000

/** Candidates that are scored. A mail with a code has fewer than ten that are worth it. */
const MAX_WEIGHED = 200

/** A text part of this length is complete: if it has no word about codes, neither has the HTML. */
const REAL_TEXT = 1000

/** A list of recovery codes has about ten. */
const MAX_CODES = 10

/**
 * Verification codes in a mail, best first, without duplicates; `[]` when the mail is not for
 * verification.
 *
 * A code is returned as the reader types it: digits without their grouping ("73 91 05" is 739105),
 * letters and digits with their dashes ("XK42-99QP-7M3D"), and "G-482913" as 482913, because there
 * the site shows the "G-" itself.
 */
export function findCodes(mail: { subject: string; text: string; html: string | null }): string[] {
  const subject = plain(mail.subject.slice(0, SUBJECT_WINDOW))
  let made: MailText | undefined
  const text = () => (made ??= readWords(searchable(subject, mail.text.slice(0, CODE_SEARCH_WINDOW))))
  if (mail.html === null) return codesIn(text())
  if (mail.text.length >= REAL_TEXT && !speaksOfCodes(text())) return []
  // HTML separates table cells, which a text part may join, so it is searched first.
  const html = visibleText(mail.html.slice(0, HTML_SEARCH_WINDOW), CODE_SEARCH_WINDOW)
  const body = html.slice(0, CODE_SEARCH_WINDOW)
  const codes = codesIn(readWords(searchable(subject, body)))
  return codes.length > 0 || body === mail.text.slice(0, CODE_SEARCH_WINDOW) ? codes : codesIn(text())
}

function searchable(subject: string, body: string): SearchableText {
  const shown = withoutStrayMarks(plain(body))
  const text = withoutEncodings(withoutAddresses(`${subject}\n\n${shown}`))
  const lower = withoutAccents(text.toLowerCase())
  return { text, lower, subjectEnd: subject.length, bound: domainBoundCodes(shown) }
}

/** Backslashes at the ends of words come from markup that was escaped twice: `\<b\>405726`. */
function withoutStrayMarks(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/(?<=^|\s|\\)\\|\\(?=\s|\\|$)/g, ' ')
}

function speaksOfCodes(mail: MailText): boolean {
  return mail.nouns.length > 0 || mail.purposes.length > 0 || mail.bound.length > 0
}

/** Tries the clearest evidence first; weaker evidence counts only if that left doubt. */
function codesIn(mail: MailText): string[] {
  const ranking = new Ranking()
  for (const value of mail.bound) ranking.add(value, SCORE.stated)
  const candidates = findCandidates(mail.text)
  weigh(mail, candidates, ranking)
  // A word, or a number without a label, is a code only in a short mail.
  if (mail.text.length > LONG) return ranking.values()
  if (ranking.best < SCORE.wordCode && mail.nouns.length > 0) {
    if (mail.nouns.some((noun) => isClear(mail, noun))) weigh(mail, lettersIn(mail), ranking)
    if (ranking.best < SCORE.wordCode)
      for (const { value } of findWordCodes(mail)) ranking.add(value, SCORE.wordCode)
  }
  if (ranking.best < SCORE.enough) {
    const value = findLoneValue(mail, candidates)
    if (value !== null) ranking.add(value, SCORE.loneValue)
  }
  return ranking.values()
}

/** Groups of capitals are mostly names and words, so they need more evidence than a bare "code". */
function isClear(mail: MailText, { meaning, yours }: Noun): boolean {
  if (meaning === 'code') return yours && (mail.purposes.length > 0 || mail.hasExpiry || mail.hasWarning)
  return meaning === 'verification' || meaning === 'probable' || meaning === 'invitation'
}

/** Groups of capitals that are not words of the lexicon. */
function lettersIn(mail: MailText): Candidate[] {
  return findLetterCandidates(mail.text).filter(({ start, end }) => {
    for (const word of wordsFrom(mail.words, start, start + 1)) if (word.end === end) return false
    return true
  })
}

function weigh(mail: MailText, candidates: Candidate[], ranking: Ranking): void {
  let weighed = 0
  for (const candidate of candidates) {
    if (!isWorthScoring(mail, candidate)) continue
    if (++weighed > MAX_WEIGHED) break
    const score = scoreOf(mail, candidate)
    if (score >= SCORE.enough) ranking.add(candidate.value, score + candidate.look / 4)
  }
}

class Ranking {
  private readonly scores = new Map<string, number>()
  best: number = SCORE.none

  add(value: string, score: number): void {
    const before = this.scores.get(value)
    // A code that occurs in the subject and in the body is more likely.
    const total = before === undefined ? score : Math.max(before, score) + SCORE.again
    this.scores.set(value, total)
    this.best = Math.max(this.best, total)
  }

  /** The best ones, best first. */
  values(): string[] {
    return [...this.scores]
      .filter(([, score]) => score >= this.best - SCORE.margin)
      .sort(([, a], [, b]) => b - a)
      .slice(0, MAX_CODES)
      .map(([value]) => value)
  }
}
