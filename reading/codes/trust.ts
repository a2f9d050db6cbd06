import { fold } from '../lexicon/plain.ts'
import { bits, hasWord, type Word, wordsFrom } from '../lexicon/words.ts'
import { isGeneric } from '../links/action-words.ts'
import { saysIn } from '../links/phrases.ts'
import type { Candidate } from './candidates.ts'
import { firstAfter, isInSubject, type MailText, speaksOf } from './mail-text.ts'
import type { Noun } from './nouns.ts'
import { firstSentence, isRequested, startsWithEnterAfter } from './phrases.ts'
import { isInRecord } from './records.ts'
import { LONG } from './scores.ts'
import { hasDigitsIn } from './tokens.ts'
import { isBelowLabel, isBelowPassword } from './users.ts'

const OFFER = bits('offer')
const TRAVEL_OR_MEETING = bits('booking', 'meeting')
const MEETING = bits('meeting')
const RECEIPT = bits('receipt')
const VERIFICATION = bits('verificationCode')
const NO_ACCESS = bits('booking', 'meeting', 'confirm')

/** The distance from a candidate within which a word shows the topic. */
const WIDE = 400
const NARROW = 150

/** Whether the body says no more than a sentence, or a label and its value. */
export function isOneSentence({ text, subjectEnd }: MailText): boolean {
  return text.slice(subjectEnd).trim().length <= SENTENCE_MAX
}

const SENTENCE_MAX = 60

/** In a mail this short, a bare "code" is its purpose. */
const SHORT = 400

export function isShort(mail: MailText): boolean {
  return mail.text.length < SHORT
}

/**
 * Whether a noun means a verification code. A bare "code" does so only without signs of a
 * voucher, a booking or a meeting. One that introduces the candidate ("Tidepool code: 3851") needs
 * fewer signs.
 */
export function isTrusted(mail: MailText, noun: Noun, candidate: Candidate, introduces = false): boolean {
  if (isBelowMeetingId(mail, noun)) return false
  if (noun.meaning === 'verification') return !isOfPurchase(mail, noun)
  if (noun.meaning === 'other' || noun.meaning === 'password') return false
  const isKept = isKeptSecret(mail, noun, candidate)
  if (!isKept && isBookingOrMeeting(mail, candidate) && !isForSignIn(mail, noun)) return false
  if (noun.meaning === 'code' && isOfPlaceOrThing(mail, noun, candidate)) return false
  if (!isAskedFor(mail, noun) && isReceipt(mail, candidate) && !confirmsAddress(mail)) return false
  // "Your access code: SAVE30NOW", with a discount; a number beside one is typed all the same.
  if (noun.meaning === 'probable') return candidate.digits || !isOffer(mail, candidate)
  const isInvitation = noun.meaning === 'invitation'
  if (!isKept && isOffer(mail, candidate, isInvitation) && !isForAddress(mail, noun, candidate)) return false
  if (isInvitation) return true
  if (mail.text.length > LONG && !introduces) return false
  if (isForElse(mail, noun, candidate)) return false
  return (
    (noun.yours && !isInsideParagraph(mail, noun)) ||
    mail.purposes.length > 0 ||
    (introduces && saysMore(mail, candidate)) ||
    mail.nouns.some((other) => other.meaning === 'verification')
  )
}

/** A bare "code" is that of a place, of a company, or of each thing of a list. */
function isOfPlaceOrThing(mail: MailText, noun: Noun, candidate: Candidate): boolean {
  return isPostal(mail, noun, candidate) || isOfCompany(mail, noun, candidate) || isRepeatedLabel(mail, noun)
}

const SECRET = bits('secret')

/** The "security code" of a ticket, below the subject "Your purchase is confirmed", in a mail that asks for no code. */
function isOfPurchase(mail: MailText, { start, end, word }: Noun): boolean {
  if (mail.hasExpiry || mail.hasWarning || mail.purposes.length > 0 || asksToEnter(mail)) return false
  const isBought = hasWord(mail.words, RECEIPT, 0, mail.subjectEnd)
  return isBought && (word.kinds & VERIFICATION) === 0 && hasWord(mail.words, SECRET, start, end)
}

/** "Clean Architecture - Code: BK01093", once for each thing of a list, in a mail that is not about signing in. */
function isRepeatedLabel({ text, nouns, purposes }: MailText, noun: Noun): boolean {
  const isLabel = ({ meaning, yours, start, end }: Noun) =>
    meaning === 'code' && !yours && text[end] === ':' && /[-–|(,] ?$/.test(text.slice(start - 2, start))
  return purposes.length === 0 && isLabel(noun) && nouns.filter(isLabel).length > 1
}

/** The number of a video meeting, and its label, on the line above. */
const MEETING_ID = /(?:id|\p{Lo})\)? ?[:：] ?\d{3} \d{3,4} \d{3,4}\s*\n[^\n]{0,40}$/u
const MEETING_ID_MAX = 80
/** Digits of the shortest one. */
const MEETING_DIGITS = 9

/** "Meeting ID: 881 2047 7719", above "Passcode: 330418". */
function isBelowMeetingId({ lower }: MailText, { start }: Noun): boolean {
  if (!hasDigitsIn(lower, start - MEETING_ID_MAX, start, MEETING_DIGITS)) return false
  return MEETING_ID.test(lower.slice(Math.max(0, start - MEETING_ID_MAX), start))
}

/** "Your code is 482913. It is valid for 10 minutes. Do not share it": whatever the footer offers, the code is secret. */
function isKeptSecret(mail: MailText, noun: Noun, { digits, value }: Candidate): boolean {
  if (noun.meaning !== 'code' || !digits || value.length > DIGITS_MAX) return false
  return mail.hasWarning && mail.hasExpiry && noun.yours
}

/** A longer number is seldom typed. */
const DIGITS_MAX = 8

/** Whatever else the mail is about, its subject or the record of an account says what the code is for. */
function isForSignIn(mail: MailText, noun: Noun): boolean {
  if (isBelowPassword(mail, noun.start)) return true
  // "Your verification code", above "use this code to manage your bookings".
  if (noun.meaning === 'code') return isInSubject(mail, 'verification')
  return noun.meaning === 'probable' && givesAccess(mail)
}

/** "Kestrel portal: access code", but not "Your booking: confirmation code". */
function givesAccess(mail: MailText): boolean {
  return !hasWord(mail.words, NO_ACCESS, 0, mail.subjectEnd) && isInSubject(mail, 'probable')
}

/** "Confirm your email", above "to load your bonus cards, enter this code": no voucher confirms an address. */
function isForAddress(mail: MailText, noun: Noun, { digits }: Candidate): boolean {
  return digits && isAskedFor(mail, noun, FOLLOWING_REACH) && confirmsAddress(mail)
}

/** "Confirm your email" is the subject. */
function confirmsAddress({ lower, subjectEnd }: MailText): boolean {
  const subject = fold(lower.slice(0, subjectEnd))
  return saysIn('address', subject) && saysIn('confirm', subject)
}

/** The code is of a kind that is not known, and neither the subject nor a request makes it one to type. */
export function isForElse(mail: MailText, noun: Noun, candidate: Candidate): boolean {
  if (isInSubject(mail, 'verification')) return false
  return isOfUnknownKind(mail, noun, candidate) && !isForReader(mail, candidate)
}

/**
 * "Shipment code: 4821" and "Код посылки: 4821" in a table: a word that the lexicon does not have, or
 * one for another number, says what the code is of.
 */
function isOfUnknownKind(mail: MailText, noun: Noun, candidate: Candidate): boolean {
  if (noun.meaning !== 'code') return false
  if (isQualified(mail, noun)) return true
  return (
    isQualifiedAfter(mail, noun, candidate) &&
    (isOfThing(mail, noun, candidate) || isInRecord(mail, candidate))
  )
}

/** "Bank code: 1641663": the label has a word that the lexicon does not have. */
export function isOfUnknownLabel(mail: MailText, noun: Noun, place: { start: number }): boolean {
  if (noun.meaning !== 'code' || hasWord(mail.words, YOURS, noun.start - YOURS_REACH, noun.end)) return false
  return isQualified(mail, noun) || isQualifiedAfter(mail, noun, place)
}

/** Characters before a noun in which "your" may be. */
const YOURS_REACH = 16

/** "Student code: QX7K2M" above "Password: kX7pQ2mN": the name of a user. */
export function isAbovePassword(mail: MailText, noun: Noun, { end }: Candidate): boolean {
  if (noun.meaning !== 'code' || !isQualified(mail, noun)) return false
  const below = firstAfter(mail.nouns, end)
  if (below === undefined) return false
  if (!saysIn('password', fold(mail.lower.slice(below.start, below.end)))) return false
  return /^[ \t]*\r?\n/.test(mail.text.slice(end)) && isBelowLabel(mail, below.start, noun)
}

const ENTER = bits('enter')
/** Characters before a noun in which "enter the" may be. */
const ENTER_REACH = 20
/** The same for "enter the following". */
const FOLLOWING_REACH = 32
/** A sign that the reader is to type a code of a kind that is not known. */
function isForReader(mail: MailText, candidate: Candidate): boolean {
  if (mail.hasExpiry || mail.hasWarning || isRequested(mail, candidate.start)) return true
  return isOneSentence(mail) || asksToEnter(mail)
}

/**
 * "Enter the code": a receipt does not ask for its own. In "ご利用 1,980円" above "承認番号", the word for "use" belongs to
 * the amount.
 */
function isAskedFor({ lower, words }: MailText, { start }: Noun, reach = ENTER_REACH): boolean {
  return wordsFrom(words, start - reach, start).some(
    ({ kinds, end }) => (kinds & ENTER) !== 0 && !NUMBER_ABOVE.test(lower.slice(end, start)),
  )
}

/** A number and its unit at the end of a line. */
const NUMBER_ABOVE = /\d\S{0,3}\n/

/** "Enter the code", "use this code": anywhere in the mail. */
export function asksToEnter(mail: MailText): boolean {
  mail.asksToEnter ??= mail.nouns.some(
    (noun) => isAskedFor(mail, noun) || startsWithEnterAfter(mail, noun.end),
  )
  return mail.asksToEnter
}

const NAMES = bits('otherNumber', 'user')
const YOURS = bits('yours')
/** A label of one word and the noun: "Shipment ", at the start of a line, a cell or an entry. */
const LABEL = /(?:^|[\n\t]|[-*•] )(\p{L}[\p{L}\p{M}\p{N}'’]{2,})[ -]$/u
const ENDS_LABEL = /^ ?[:\t\n]/

function isQualified(mail: MailText, { start, end, word }: Noun): boolean {
  const { text } = mail
  if (!ENDS_LABEL.test(text.slice(end, end + 2))) return false
  // "Inilah kod anda:": the word for "your" is a part of the noun.
  if (hasWord(mail.words, YOURS, start + 1, end)) return false
  // "Sendungscode": the first part of a compound is no name.
  if (start < word.start) return !isKnown(mail, start, word.start)
  const qualifier = LABEL.exec(text.slice(Math.max(0, start - 32), start))?.[1]
  if (qualifier === undefined) return false
  const from = start - 1 - qualifier.length
  return !isKnown(mail, from, start) && !isName(mail, qualifier, from)
}

/** Whether a word of the lexicon that names no other number and no user ends right before a place. */
function isKnown({ words }: MailText, from: number, to: number): boolean {
  for (const { end, kinds } of wordsFrom(words, Math.max(0, from - 16), to))
    if (end >= to - 1 && end <= to && (kinds & ~NAMES) !== 0) return true
  return false
}

/** A word that the mail writes again with a capital: the name of its sender. */
function isName({ text }: MailText, word: string, start: number): boolean {
  if (!/^\p{Lu}/u.test(word)) return false
  return text.indexOf(word) !== start || text.indexOf(word, start + 1) !== -1
}

/** A word that is not of the lexicon between the noun and the colon: "code of the parcel:". */
function isQualifiedAfter(mail: MailText, noun: Noun, { start }: { start: number }): boolean {
  const label = /^[ ][^:\n\t]{2,40}(?=[:\t])/.exec(mail.lower.slice(noun.end, start))?.[0]
  return label !== undefined && !isKnown(mail, noun.end, noun.end + label.trimEnd().length)
}

/**
 * "Код комірки: 0417", "Código del casillero: 0417", in a mail that does not speak of signing in: a label that begins with
 * the noun, with a word without a capital behind it, and no more than two short ones between.
 */
function isOfThing({ text, nouns, purposes }: MailText, { start, end }: Noun, candidate: Candidate): boolean {
  if (purposes.length > 0 || nouns.some(({ meaning }) => meaning === 'verification')) return false
  const [, thing, gap] = THING.exec(text.slice(end, candidate.start)) ?? []
  if (thing === undefined) return false
  const said = fold(thing)
  // "Code to continue:", "code of your account:".
  if (isGeneric(said) || saysIn('address', said)) return false
  // "Each code works once:", above a list.
  return (
    BEGINS_LABEL.test(text.slice(Math.max(0, start - LABEL_START), start)) &&
    (candidate.look > 0 || !gap!.includes('\n'))
  )
}

/** More characters than the blanks before a label, so that only the beginning of the mail begins them. */
const LABEL_START = 12
const BEGINS_LABEL = /(?:^|[\n\t.,!?()•*–-])[ \t]{0,8}$/
const THING = /^ (?:[\p{Ll}\p{Lo}\p{M}]{1,5}[ '’]){0,2}([\p{Ll}\p{Lo}\p{M}'’]{2,24}) ?:([ \t]{0,3}|\s{0,4})$/u

/** "Join our symposium. Code: EX8664": the end of an advertisement and no label of its own. */
function isInsideParagraph({ lower }: MailText, { start, meaning }: Noun): boolean {
  return meaning === 'code' && /\p{L}{2}[.!?] $/u.test(lower.slice(Math.max(0, start - 5), start))
}

/** The subject or an expiry says that the mail is about proving who the reader is: more than a verb in its text does. */
export function isAboutProof({ hasExpiry, hasWarning, purposes, subjectEnd }: MailText): boolean {
  return hasExpiry || hasWarning || purposes.some(({ start }) => start < subjectEnd)
}

/**
 * "Enter ZRw5BRET to sign in.", "… to sign in to your account", but not "to sign in to the guest network": the sentence
 * of a place ends with what for, and an account or a name.
 */
export function endsWithPurpose({ text, lower, words }: MailText, place: number): boolean {
  const last = place + firstSentence(lower.slice(place, place + PURPOSE_REACH)).length
  return wordsFrom(words, place, last).some(({ kinds, end }) => {
    if ((kinds & PURPOSE) === 0) return false
    const rest = text.slice(end, last)
    return (
      rest.trim() === '' ||
      NAMED.test(rest) ||
      (rest.length <= REST_OF_PURPOSE && saysIn('address', fold(rest)))
    )
  })
}

const PURPOSE = bits('verify', 'signIn', 'reset', 'purpose')
/** " to Plume", " się do Plume", " bei Plume an", " it" */
const NAMED = /^ (?:(?:\p{L}{1,5} ){1,2}\p{Lu}[\p{L}\d]*(?: \p{Ll}{1,3})?|\p{Ll}{1,3})$/u
/** Characters of " to your account". */
const REST_OF_PURPOSE = 24
const PURPOSE_REACH = 100

/** Weak signs of a verification mail; they do not count below or beside a code of another kind. */
function saysMore(mail: MailText, { end }: Candidate): boolean {
  if (!mail.hasExpiry && !mail.hasWarning && !isShort(mail)) return false
  const below = mail.text.indexOf('\n\n', end)
  return !mail.nouns.some(({ meaning, start }) => meaning === 'other' && (below === -1 || start < below))
}

/** "MG Road, Bengaluru, Karnataka, PIN 560103": in India the postal code is a PIN. */
function isPostal(mail: MailText, noun: Noun, candidate: Candidate): boolean {
  if (!candidate.digits || candidate.value.length !== 6) return false
  const before = beforeNoun(mail, noun)
  if (/(?:,| -)\s*$/.test(before) && !isBehindGreeting(mail, noun, before)) return true
  const block = before.slice(before.lastIndexOf('\n\n') + 1)
  return hasWord(mail.words, ADDRESS, noun.start - block.length, noun.start)
}

const ADDRESS = bits('address')
/** Characters before a noun that may be an address. */
const ADDRESS_MAX = 120

function beforeNoun({ lower }: MailText, { start }: Noun): string {
  return lower.slice(Math.max(0, start - ADDRESS_MAX), start)
}

/** "ТОВ «УАПРОМ», Київ, Харківське шосе 201/203, код 36507036": the code that a company has in Ukraine, behind its address. */
function isOfCompany(mail: MailText, noun: Noun, { digits, value }: Candidate): boolean {
  if (!digits || value.length !== COMPANY_DIGITS) return false
  const before = beforeNoun(mail, noun).trimEnd()
  const line = before.slice(before.lastIndexOf('\n') + 1)
  if (!line.endsWith(',')) return false
  // An address with a number is behind the name.
  const name = line.search(COMPANY)
  const comma = name === -1 ? -1 : line.indexOf(',', name)
  return comma !== -1 && /\d/.test(line.slice(comma))
}

const COMPANY_DIGITS = 8
/** A name in quotation marks, or the form of a company in Ukraine. */
const COMPANY = /["“”„«»]|(?<!\p{L})(?:тов|пп|фоп|ат)(?!\p{L})/u

/** "Hello Ann, code 482913": one comma, and no PIN, unless the greeting is all that is above it. */
function isBehindGreeting({ lower, subjectEnd }: MailText, { start }: Noun, before: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1).trimEnd()
  if (line.indexOf(',') === line.length - 1 && !lower.startsWith('pin', start)) return true
  return GREETING.test(lower.slice(subjectEnd, start))
}

const GREETING = /^\s*[^\n,]{2,60},[ \t]*\n[ \t]*\n\s*$/

/** A discount or a voucher is near: "20 % off". */
export function isOffer(mail: MailText, candidate: Candidate, isInvitation = false): boolean {
  const { start, end, digits } = candidate
  const mayBeVoucher = !digits && mail.purposes.length === 0
  const near = { from: start - NARROW, to: end + NARROW }
  const { from, to } = mayBeVoucher ? near : withoutVouchers(mail, candidate, near)
  if (mayBeVoucher || mail.lower.includes('%')) {
    // A password may have the mark of a discount too: "aB3xK9%m2".
    const around = `${mail.lower.slice(Math.max(0, from), start)} ${mail.lower.slice(end, to)}`
    if (around.includes('%') && /\d ?%/.test(around)) return true
    if (mayBeVoucher && around.includes(' off') && AMOUNT_OFF.test(around)) return true
  }
  const isOffered = hasWord(mail.words, OFFER, 0, mail.subjectEnd) || hasWord(mail.words, OFFER, from, to)
  return isOffered && !(isInvitation && isOnlyRedeemed(mail))
}

interface Range {
  from: number
  to: number
}

/**
 * The text near a value, without the paragraphs behind and before it that have a voucher of their own: "Your code is
 * 482913", above "Use code SAVE20 at checkout for 20% off".
 */
function withoutVouchers(mail: MailText, { start, end }: Candidate, { from, to }: Range): Range {
  const { text, nouns } = mail
  if (nouns.length === 0) return { from, to }
  const above = text.lastIndexOf('\n\n', start)
  const below = text.indexOf('\n\n', end)
  return {
    from: above > from && hasVoucher(mail, from, above) ? above : from,
    to: below !== -1 && below < to && hasVoucher(mail, below, to) ? below : to,
  }
}

/** Whether a noun between two places is right before or behind capitals, with digits or not. */
function hasVoucher({ text, nouns }: MailText, from: number, to: number): boolean {
  return nouns.some(
    ({ start, end }) =>
      start >= from &&
      start < to &&
      (VOUCHER_BEHIND.test(text.slice(end, end + VOUCHER_MAX)) ||
        VOUCHER_BEFORE.test(text.slice(Math.max(0, start - VOUCHER_MAX), start))),
  )
}

const VOUCHER_BEHIND = /^ ?[:"'*«“]{0,3} ?(?=\d{0,4}[A-Z])[A-Z\d]{4,16}(?![\w-])/
const VOUCHER_BEFORE = /(?<![\w-])(?=\d{0,4}[A-Z])[A-Z\d]{4,16}["'*»”]{0,3} $/
const VOUCHER_MAX = 24

/** "€5 off", "10 EUR off" */
const AMOUNT_OFF = /(?:[€£$¥₹] ?\d[\d.,]{0,8}|\d ?(?:€|eur|usd|gbp|kr)) off(?![a-z])/

/** "To redeem this invitation code": all words for an offer lead to a word for such a code. */
function isOnlyRedeemed({ lower, words, nouns }: MailText): boolean {
  const codes = nouns.filter(({ meaning }) => meaning === 'invitation')
  const isRedeemed = ({ end }: Word) => codes.some(({ start }) => BEFORE_CODE.test(lower.slice(end, start)))
  return words.every((word) => (word.kinds & OFFER) === 0 || isRedeemed(word))
}

/** " this invitation " */
const BEFORE_CODE = /^ (?:\p{L}{1,10} ){1,2}$/u

/** A payment that was made, with its "authorization code". A code to approve a payment expires, and a receipt does not. */
export function isReceipt(mail: MailText, candidate: Candidate): boolean {
  return !mail.hasWarning && !mail.hasExpiry && speaksOf(mail, RECEIPT, candidate, WIDE)
}

/** Travel, a booking or a meeting, which have codes of their own. */
export function isBookingOrMeeting(mail: MailText, candidate: Candidate): boolean {
  return speaksOf(mail, TRAVEL_OR_MEETING, candidate, WIDE)
}

/** A meeting, whose password is for everyone who was invited. */
export function isMeeting(mail: MailText, candidate: Candidate): boolean {
  return speaksOf(mail, MEETING, candidate, WIDE)
}

/** Something is offered, booked or met, which has a code of its own. */
export function isOfferOrBooking(mail: MailText, candidate: Candidate): boolean {
  return isOffer(mail, candidate) || isBookingOrMeeting(mail, candidate)
}
