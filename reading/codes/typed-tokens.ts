import { bits, hasWord } from '../lexicon/words.ts'
import { endOfLine } from './layout.ts'
import { type MailText, wordEndingAt } from './mail-text.ts'
import { isNamedElsewhere } from './names.ts'
import type { Noun } from './nouns.ts'
import { confirmsAfter } from './phrase-scores.ts'
import { endWithoutMarks, firstSentence, lastSentence, startsWithEnterAfter } from './phrases.ts'
import { isAlphanumeric, MIXED_HEX } from './tokens.ts'
import { endsWithPurpose, isAboutProof, isOfferOrBooking, isReceipt } from './trust.ts'
import { asCandidate, type WordCode } from './word-value.ts'

/** A letter beside a digit. A search for both costs less than one for whole values. */
const JOINT = /[A-Za-z]\d|\d[A-Za-z]/g
/** What a value is a part of something larger with. */
const BEFORE = /[\w(./@#$%&=?!*^~+-]/
const AFTER = /^(?:[\w@=/]|[-.]\w)/
const LENGTH = { least: 6, most: 24 }
const VALUES_MAX = 200

/** The values of letters and digits that no word and no name is, and that are no part of something larger. */
function valuesIn(text: string): WordCode[] {
  const found: WordCode[] = []
  JOINT.lastIndex = 0
  for (let n = 0, joint = JOINT.exec(text); n < VALUES_MAX && joint !== null; n++, joint = JOINT.exec(text)) {
    let start = joint.index
    while (isAlphanumeric(text.charCodeAt(start - 1))) start--
    let end = joint.index + 2
    while (isAlphanumeric(text.charCodeAt(end))) end++
    JOINT.lastIndex = end
    if (end - start < LENGTH.least || end - start > LENGTH.most) continue
    const value = text.slice(start, end)
    const isWhole = !BEFORE.test(text.charAt(start - 1)) && !AFTER.test(text.slice(end, end + 2))
    if (isWhole && (HEX.test(value) || MIXED.test(value))) found.push({ value, start })
  }
  return found
}

/** Digits among the letters from a to f, as no word and no name has them. */
const HEX = new RegExp(`^${MIXED_HEX}[\\da-f]{6,16}$`)
/** A digit and a capital; but no words with a number behind them or between them: "phpBB3", "iPhone14", "Web3Auth". */
const MIXED =
  /^(?=[A-Za-z]*\d)(?=[a-z\d]*[A-Z])(?![A-Za-z]+\d{1,4}$|\d+[A-Za-z]+$|[A-Z]?[a-z]+\d[A-Z]?[a-z]+$)/

const ENTER = bits('enter')
const PROVES = bits('verify', 'signIn', 'reset', 'confirm', 'purpose')
const CONFIRMS = bits('confirm')
/** How far around a value its sentence may reach. */
const REACH = 160
/** Characters of "using the ", which begins a sentence before a noun. */
const LEAD_MAX = 12

/**
 * "Sisestage 7d8f5a05, et kinnitada e-posti aadress": the only random value of a mail that proves something, in a sentence
 * that asks to type it or names a code, and says what for, in any order.
 */
export function typedToken(mail: MailText): WordCode[] {
  const { text, words, subjectEnd } = mail
  if (!hasWord(words, PROVES, 0, text.length)) return []
  const values = valuesIn(text)
  const [first] = values
  if (first === undefined || values.some(({ value }) => value !== first.value)) return []
  const isMeant = isAboutProof(mail) || first.start < subjectEnd || hasWord(words, CONFIRMS, 0, subjectEnd)
  const isCode = values.some((one) => one.start > subjectEnd && isTyped(mail, one, isMeant))
  return isCode ? values.slice(-1) : []
}

/** @param isMeant the mail is about proving something; otherwise the sentence has to say no more than that */
function isTyped(mail: MailText, code: WordCode, isMeant: boolean): boolean {
  const { text, words, nouns, subjectEnd } = mail
  const { start, value } = code
  const end = start + value.length
  const above = text.slice(Math.max(subjectEnd, start - REACH), start)
  const from = start - lastSentence(above.slice(above.lastIndexOf('\n') + 1)).length
  const to = end + firstSentence(text.slice(end, Math.min(endOfLine(text, end), end + REACH))).length
  const near = nouns.filter((noun) => noun.start >= from && noun.start < to)
  if (near.some(({ meaning }) => meaning === 'other')) return false
  const isVerification = near.some(({ meaning }) => meaning === 'verification')
  if (!isVerification && !hasWord(words, PROVES, from, to)) return false
  const isAsked = isDirectlyAskedFor(mail, start, end)
  const noun = near.find((one) => one.meaning !== 'password' && isBeside(mail, one, start, end))
  const isSaid = isVerification && text.slice(from, start).trim() === ''
  if (!isAsked && !isSaid && noun === undefined) return false
  const candidate = asCandidate(code)
  if (!isMeant) {
    if (!isAsked && (noun === undefined || noun.start - from > LEAD_MAX)) return false
    if (!endsWithPurpose(mail, end) && !confirmsAfter(mail, candidate)) return false
  }
  return !isReceipt(mail, candidate) && !isOfferOrBooking(mail, candidate) && !isNamedElsewhere(mail, code)
}

/** "Enter b4c29f1e", and in languages whose verb comes last, "b4c29f1e eingeben". */
function isDirectlyAskedFor(mail: MailText, start: number, end: number): boolean {
  const lead = endWithoutMarks(mail.lower, Math.max(0, start - MARKS_MAX), start)
  return wordEndingAt(mail, lead, ENTER) !== undefined || startsWithEnterAfter(mail, end)
}

/** "Code b4c29f1e", "b4c29f1e kód". */
function isBeside({ lower }: MailText, noun: Noun, start: number, end: number): boolean {
  const gap = noun.end <= start ? lower.slice(noun.end, start) : lower.slice(end, noun.start)
  return gap.length <= MARKS_MAX && !LETTER.test(gap)
}

const MARKS_MAX = 4
const LETTER = /[\p{L}\p{N}]/u
