import { isSpacedLetter } from '../lexicon/letters.ts'
import type { Candidate } from './candidates.ts'
import { isAlone } from './layout.ts'
import { firstAfter, lastBefore, type MailText } from './mail-text.ts'
import { isAskedFor, startsAsRequest } from './phrases.ts'
import { standsOut } from './place.ts'
import { countsSomething } from './refusals.ts'
import { askedFor, type Nearest, saidAfter, saidBefore } from './said.ts'
import { REACH, SCORE } from './scores.ts'

function nearest({ nouns, purposes }: MailText, { start, end }: Candidate): Nearest {
  return {
    before: lastBefore(nouns, start),
    after: firstAfter(nouns, end),
    purposeBefore: lastBefore(purposes, start),
    purposeAfter: firstAfter(purposes, end),
  }
}

/** A cheap first look: a word is near that could introduce the candidate, or it stands alone on its line. */
export function isWorthWeighing(mail: MailText, candidate: Candidate): boolean {
  const { before, after, purposeAfter } = nearest(mail, candidate)
  if (before !== undefined && candidate.start - before.end <= REACH.before) return true
  if (after !== undefined && after.start - candidate.end <= REACH.after) return true
  if (purposeAfter !== undefined && purposeAfter.start - candidate.end <= REACH.after) return true
  if (mail.lower.slice(candidate.start - 2, candidate.start).includes(':')) return true
  if (isAlone(mail.text, candidate) || startsAsRequest(mail, candidate.end)) return true
  return isAskedFor(mail, candidate.start)
}

/** How clearly the mail says that this is its code: 0 for not at all, `SCORE.said` for in so many words. */
export function scoreOf(mail: MailText, candidate: Candidate): number {
  if (countsSomething(mail, candidate)) return SCORE.none
  const near = nearest(mail, candidate)
  const alone = isAlone(mail.text, candidate)
  const before = saidBefore(mail, candidate, near.before, alone)
  if (before === SCORE.refused) return SCORE.none
  const score = Math.max(
    before,
    saidAfter(mail, candidate, near.after),
    askedFor(mail, candidate, near),
    alone ? standsOut(mail, candidate, near) : SCORE.none,
  )
  return score > SCORE.none && !/\d/.test(candidate.value) && isNameToo(mail, candidate.value)
    ? SCORE.none
    : score
}

/** A word that the mail also writes otherwise is a name, as "ACME" and "Acme". */
export function isNameToo(mail: MailText, value: string): boolean {
  const word = value.toLowerCase()
  let at = mail.lower.indexOf(word)
  for (let n = 0; at !== -1 && n < 20; n++) {
    const end = at + word.length
    const isWord =
      !isSpacedLetter(mail.lower.charCodeAt(end)) && !isSpacedLetter(mail.lower.charCodeAt(at - 1))
    if (isWord && mail.text.slice(at, end) !== value) return true
    at = mail.lower.indexOf(word, end)
  }
  return false
}
