import { bits, wordsFrom } from '../lexicon/words.ts'
import type { Candidate } from './candidates.ts'
import { type MailText, speaksOf } from './mail-text.ts'
import type { Noun } from './nouns.ts'
import { LONG } from './scores.ts'

const OFFER = bits('offer')
const TRAVEL_OR_MEETING = bits('booking', 'meeting')
const RECEIPT = bits('receipt')

/** The distance from a candidate within which a word shows the topic. */
const WIDE = 400
const NARROW = 150

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
  if (noun.meaning === 'verification') return true
  if (noun.meaning === 'other' || noun.meaning === 'password') return false
  if (isBookingOrMeeting(mail, candidate)) return false
  if (noun.meaning === 'code' && isPostal(mail, noun, candidate)) return false
  if (isReceipt(mail, candidate)) return false
  if (noun.meaning === 'probable') return true
  if (isOffer(mail, candidate)) return false
  if (noun.meaning === 'invitation') return true
  if (mail.text.length > LONG && !introduces) return false
  return (
    (noun.yours && !isInsideParagraph(mail, noun)) ||
    mail.purposes.length > 0 ||
    (introduces && saysMore(mail)) ||
    mail.nouns.some((other) => other.meaning === 'verification')
  )
}

/** "Join our symposium. Code: EX8664": the end of an advertisement and no label of its own. */
function isInsideParagraph({ lower }: MailText, { start, meaning }: Noun): boolean {
  return meaning === 'code' && /\p{L}{2}[.!?] $/u.test(lower.slice(Math.max(0, start - 5), start))
}

const ADDRESS = bits('address')

/** Weak signs of a verification mail; they do not count in a mail with codes of another kind. */
function saysMore(mail: MailText): boolean {
  return (
    (mail.hasExpiry || mail.hasWarning || isShort(mail)) &&
    !mail.nouns.some(({ meaning }) => meaning === 'other')
  )
}

/** "MG Road, Bengaluru, Karnataka, PIN 560103": in India the postal code is a PIN. */
function isPostal(mail: MailText, noun: Noun, candidate: Candidate): boolean {
  if (!candidate.digits || candidate.value.length !== 6) return false
  const before = mail.lower.slice(Math.max(0, noun.start - 120), noun.start)
  if (/(?:,| -)\s*$/.test(before)) return true
  const block = before.slice(before.lastIndexOf('\n\n') + 1)
  for (const word of wordsFrom(mail.words, noun.start - block.length, noun.start))
    if ((word.kinds & ADDRESS) !== 0) return true
  return false
}

/** A discount or a voucher is near: "20 % off". */
export function isOffer(mail: MailText, candidate: Candidate): boolean {
  const near = mail.lower.slice(Math.max(0, candidate.start - NARROW), candidate.end + NARROW)
  return speaksOf(mail, OFFER, candidate, NARROW) || (near.includes('%') && /\d ?%/.test(near))
}

/** A payment that was made, with its "authorization code"; a code to approve one hasExpiry. */
export function isReceipt(mail: MailText, candidate: Candidate): boolean {
  return !mail.hasWarning && !mail.hasExpiry && speaksOf(mail, RECEIPT, candidate, WIDE)
}

/** Travel, a booking or a meeting, which have codes of their own. */
export function isBookingOrMeeting(mail: MailText, candidate: Candidate): boolean {
  return speaksOf(mail, TRAVEL_OR_MEETING, candidate, WIDE)
}
