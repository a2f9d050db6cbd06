import { fold } from '../lexicon/plain.ts'
import { bits, hasWord } from '../lexicon/words.ts'
import { saysIn } from '../links/phrases.ts'
import { endOfLine } from './layout.ts'
import { type MailText, wordEndingAt } from './mail-text.ts'
import { isNamedElsewhere } from './names.ts'
import type { Noun } from './nouns.ts'
import { labelBefore } from './other-numbers.ts'
import { confirmsAfter } from './phrase-scores.ts'
import { endWithoutMarks, firstSentence, lastSentence, startsWithEnterAfter } from './phrases.ts'
import { isAlphanumeric, MIXED_HEX } from './tokens.ts'
import { endsWithPurpose, isAboutProof, isOfferOrBooking, isReceipt } from './trust.ts'
import { asCandidate, type WordCode } from './word-value.ts'

/** A letter beside a digit. A search for both costs less than one for whole values. */
const JOINT = /[A-Za-z]\d|\d[A-Za-z]/g
/** What a value is a part of something larger with. */
const BEFORE = /[\w./@#$%&=?!^~+-]/
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
    if (isWhole && (HEX.test(value) || SMALL.test(value) || MIXED.test(value))) found.push({ value, start })
  }
  return found
}

/** Digits among the letters from a to f, as no word and no name has them. */
const HEX = new RegExp(`^${MIXED_HEX}[\\da-f]{6,16}$`)
/** Small letters and digits that change three times: "k3x9pz2m". */
const SMALL = /^(?=(?:[a-z]+\d+){3}|(?:\d+[a-z]+){3})[a-z\d]{6,16}$/
/** A digit and a capital; but no words with a number behind them or between them: "phpBB3", "iPhone14", "Web3Auth". */
const MIXED =
  /^(?=[A-Za-z]*\d)(?=[a-z\d]*[A-Z])(?![A-Za-z]+\d{1,4}$|\d+[A-Za-z]+$|[A-Z]?[a-z]+\d[A-Z]?[a-z]+$)/

const ENTER = bits('enter')
const ENTERS = bits('enter', 'enterAfter')
const PROVES = bits('verify', 'signIn', 'reset', 'purpose')
const CONFIRMS = bits('confirm')
const OTHER_NUMBER = bits('otherNumber')
const NETWORK = bits('network')
/** How far around a value its sentence may reach. */
const REACH = 160
/** Characters of "using the ", which begins a sentence before a noun. */
const LEAD_MAX = 12

/**
 * "Sisestage 7d8f5a05, et kinnitada e-posti aadress": the only random value of a mail in a sentence that asks
 * to type it or names a code, and says what for, in any order.
 */
export function typedToken(mail: MailText): WordCode[] {
  const { text, words, kinds, subjectEnd } = mail
  if ((kinds & (PROVES | CONFIRMS)) === 0 || (kinds & NETWORK) !== 0) return []
  const values = valuesIn(text).slice(0, TRIED_MAX)
  const [first] = values
  if (first === undefined) return []
  const isMeant = isAboutProof(mail) || first.start < subjectEnd || hasWord(words, CONFIRMS, 0, subjectEnd)
  const typed = values.filter((one) => one.start > subjectEnd && isTyped(mail, one, isMeant))
  return typed.every(({ value }) => value === typed[0]!.value) ? typed.slice(0, 1) : []
}

const TRIED_MAX = 8

/** @param isMeant the mail is about proving something; otherwise the sentence has to say no more than that */
function isTyped(mail: MailText, code: WordCode, isMeant: boolean): boolean {
  const { text, words, nouns, subjectEnd } = mail
  const { start, value } = code
  const end = start + value.length
  if (labelBefore(mail, start) !== null || IS_USED_AS.test(text.slice(end, end + 8))) return false
  const above = text.slice(Math.max(subjectEnd, start - REACH), start)
  const from = start - lastSentence(above.slice(above.lastIndexOf('\n') + 1)).length
  const to = end + firstSentence(text.slice(end, Math.min(endOfLine(text, end), end + REACH))).length
  const near = nouns.filter((noun) => noun.start >= from && noun.start < to)
  if (near.some((noun) => noun.meaning === 'other' || isOfUser(mail, noun, end))) return false
  const isVerification = near.some(({ meaning }) => meaning === 'verification')
  const proves =
    hasWord(words, PROVES, from, to) || (hasWord(words, CONFIRMS, from, to) && !isOfOrder(mail, from, to))
  if (!isVerification && !proves) return false
  const isAsked = isDirectlyAskedFor(mail, start, end)
  const noun = near.find((one) => one.meaning !== 'password' && isBeside(mail, one, start, end))
  const isSaid = isVerification && text.slice(from, start).trim() === ''
  // "Failed with code 7d8f5a05" does not begin with its code, nor ask for it.
  const isNamed =
    noun !== undefined &&
    (isVerification || noun.start - from <= LEAD_MAX || hasWord(words, ENTERS, from, to))
  if (!isAsked && !isSaid && !isNamed) return false
  const candidate = asCandidate(code)
  if (!isMeant) {
    if (!isAsked && (noun === undefined || noun.start - from > LEAD_MAX)) return false
    if (!endsWithPurpose(mail, end) && !confirmsAfter(mail, candidate)) return false
  }
  return !isReceipt(mail, candidate) && !isOfferOrBooking(mail, candidate) && !isNamedElsewhere(mail, code)
}

/** "To confirm the delivery of your parcel": the sentence or the subject is about an order and not about the reader. */
function isOfOrder({ lower, words, subjectEnd }: MailText, from: number, to: number): boolean {
  if (saysIn('address', fold(lower.slice(from, to)))) return false
  return hasWord(words, OTHER_NUMBER, from, to) || hasWord(words, OTHER_NUMBER, 0, subjectEnd)
}

/** "Enter 7d8f5a05 as the TXT record": what is entered elsewhere. */
const IS_USED_AS = /^ (?:as|als|comme|como|come) /

/** "Use 7d8f5a05 and your password to sign in": the name of a user. */
function isOfUser({ words }: MailText, { meaning, start }: Noun, end: number): boolean {
  if (meaning !== 'password' || start < end || start - end > USER_GAP) return false
  return !hasWord(words, PROVES, end, start)
}

/** Characters of " and your ". */
const USER_GAP = 14

/** "Enter b4c29f1e", and in languages whose verb comes last, "b4c29f1e eingeben". */
function isDirectlyAskedFor(mail: MailText, start: number, end: number): boolean {
  const floor = Math.max(0, start - LEAD_REACH)
  const lead = endWithoutMarks(mail.lower, floor, start)
  const place = mail.lower[lead - 1] === ':' ? lead - 1 : lead
  const article = ARTICLE.exec(mail.lower.slice(floor, place))?.[0].length ?? 0
  return (
    wordEndingAt(mail, place, ENTER) !== undefined ||
    (article > 0 && wordEndingAt(mail, place - article, ENTER) !== undefined) ||
    startsWithEnterAfter(mail, end)
  )
}

const LEAD_REACH = 16
/** "Enter the", in any language. */
const ARTICLE = / \p{L}{1,3}$/u

/** "Code b4c29f1e", "b4c29f1e kód". */
function isBeside({ lower }: MailText, noun: Noun, start: number, end: number): boolean {
  const gap = noun.end <= start ? lower.slice(noun.end, start) : lower.slice(end, noun.start)
  return gap.length <= MARKS_MAX && !LETTER.test(gap)
}

const MARKS_MAX = 4
const LETTER = /[\p{L}\p{N}]/u
