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
import { MIXED_HEX, tokenAt } from './tokens.ts'
import { endsWithPurpose, isAboutProof, isOfferOrBooking, isReceipt } from './trust.ts'
import { asCandidate, type WordCode } from './word-value.ts'

/** A letter beside a digit. A search for both costs less than one for whole values. */
const JOINT = /[A-Za-z]\d|\d[A-Za-z]/g
/** Characters before a value, and behind it, that make it a part of something larger. */
const BEFORE = /[\w./@#$%&=?!^~+-]/
const AFTER = /^(?:[\w@=/]|[-.]\w)/
const LENGTH = { least: 6, most: 24 }
const VALUES_MAX = 200

/** Whole values of letters and digits, in forms that words and names do not have. */
function valuesIn(text: string): WordCode[] {
  const found: WordCode[] = []
  JOINT.lastIndex = 0
  for (let n = 0, joint = JOINT.exec(text); n < VALUES_MAX && joint !== null; n++, joint = JOINT.exec(text)) {
    const { start, end } = tokenAt(text, joint.index, 0)
    JOINT.lastIndex = end
    if (end - start < LENGTH.least || end - start > LENGTH.most) continue
    const value = text.slice(start, end)
    const isWhole = !BEFORE.test(text.charAt(start - 1)) && !AFTER.test(text.slice(end, end + 2))
    if (isWhole && FORMS.some((form) => form.test(value))) found.push({ value, start })
  }
  return found
}

/** Digits among the letters from a to f, as no word and no name has them. */
const HEX = new RegExp(`^${MIXED_HEX}[\\da-f]{6,16}$`)
/** Small letters and digits that change three times or more: "k3x9pz2m", "k3xm9p". */
const SMALL = /^(?=(?:[a-z]+\d+){2}[a-z]|(?:\d+[a-z]+){2}\d)[a-z\d]{6,16}$/
/** One letter beside digits, or one digit amid letters from a to f: "7b376054", but not "1920x1080". */
const NEARLY_ALIKE = /^(?:\d+[a-wyz]\d+|[a-f]\d{6,15}|\d{6,15}[a-f]|[a-f]{2,8}\d[a-f]{2,8})$/
/** A digit and a capital; but no words with a number behind them or between them: "phpBB3", "iPhone14", "Web3Auth". */
const MIXED =
  /^(?=[A-Za-z]*\d)(?=[a-z\d]*[A-Z])(?![A-Za-z]+\d{1,4}$|\d+[A-Za-z]+$|[A-Z]?[a-z]+\d[A-Z]?[a-z]+$)/

const FORMS = [HEX, SMALL, NEARLY_ALIKE, MIXED]

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

/** The sentence of a value, on one line, and the nouns in it. */
interface Sentence {
  from: number
  to: number
  nouns: Noun[]
}

function sentenceOf({ text, nouns, subjectEnd }: MailText, start: number, end: number): Sentence {
  const above = text.slice(Math.max(subjectEnd, start - REACH), start)
  const from = start - lastSentence(above.slice(above.lastIndexOf('\n') + 1)).length
  const to = end + firstSentence(text.slice(end, Math.min(endOfLine(text, end), end + REACH))).length
  return { from, to, nouns: nouns.filter((noun) => noun.start >= from && noun.start < to) }
}

/** @param isMeant the mail is about proving something; otherwise the sentence has to say no more than that */
function isTyped(mail: MailText, code: WordCode, isMeant: boolean): boolean {
  const { start, value } = code
  const end = start + value.length
  if (labelBefore(mail, start) !== null || IS_USED_AS.test(mail.text.slice(end, end + 8))) return false
  const sentence = sentenceOf(mail, start, end)
  if (sentence.nouns.some((noun) => noun.meaning === 'other' || isBesideUserName(mail, noun, end)))
    return false
  if (!saysWhatFor(mail, sentence)) return false
  const isAsked = isDirectlyAskedFor(mail, start, end)
  const candidate = asCandidate(code)
  const isShown = isMeant
    ? isAsked || isNamed(mail, sentence, start, end)
    : (isAsked || beginsWithCode(mail, sentence, start, end)) &&
      (endsWithPurpose(mail, end) || confirmsAfter(mail, candidate))
  if (!isShown) return false
  return !isReceipt(mail, candidate) && !isOfferOrBooking(mail, candidate) && !isNamedElsewhere(mail, code)
}

function isVerification({ meaning }: Noun): boolean {
  return meaning === 'verification'
}

function saysWhatFor(mail: MailText, { from, to, nouns }: Sentence): boolean {
  if (nouns.some(isVerification) || hasWord(mail.words, PROVES, from, to)) return true
  return hasWord(mail.words, CONFIRMS, from, to) && !isOfOrder(mail, from, to)
}

/** "Use the code 7d8f5a05", "7d8f5a05 is your verification code"; but "failed with code 7d8f5a05" does not ask for it. */
function isNamed(mail: MailText, sentence: Sentence, start: number, end: number): boolean {
  const { from, to, nouns } = sentence
  const hasVerification = nouns.some(isVerification)
  if (hasVerification && mail.text.slice(from, start).trim() === '') return true
  if (nounBeside(mail, sentence, start, end) === undefined) return false
  return (
    hasVerification || beginsWithCode(mail, sentence, start, end) || hasWord(mail.words, ENTERS, from, to)
  )
}

/** "With the code 7d8f5a05 you can sign in." */
function beginsWithCode(mail: MailText, sentence: Sentence, start: number, end: number): boolean {
  const noun = nounBeside(mail, sentence, start, end)
  return noun !== undefined && noun.start - sentence.from <= LEAD_MAX
}

/** The noun of "code b4c29f1e" or "b4c29f1e kód". */
function nounBeside({ lower }: MailText, { nouns }: Sentence, start: number, end: number): Noun | undefined {
  return nouns.find((noun) => {
    if (noun.meaning === 'password') return false
    const gap = noun.end <= start ? lower.slice(noun.end, start) : lower.slice(end, noun.start)
    return gap.length <= MARKS_MAX && !LETTER.test(gap)
  })
}

const MARKS_MAX = 4
const LETTER = /[\p{L}\p{N}]/u

/** "To confirm the delivery of your parcel": the sentence or the subject is about an order and not about the reader. */
function isOfOrder({ lower, words, subjectEnd }: MailText, from: number, to: number): boolean {
  if (saysIn('address', fold(lower.slice(from, to)))) return false
  return hasWord(words, OTHER_NUMBER, from, to) || hasWord(words, OTHER_NUMBER, 0, subjectEnd)
}

/** "Enter 7d8f5a05 as the TXT record": what is entered elsewhere. */
const IS_USED_AS = /^ (?:as|als|comme|como|come) /

/** "Use 7d8f5a05 and your password to sign in": the name of a user is beside the noun. */
function isBesideUserName({ words }: MailText, { meaning, start }: Noun, end: number): boolean {
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
