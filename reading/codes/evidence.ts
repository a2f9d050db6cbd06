import type { LinkKind } from '../lexicon/language.ts'
import { fold } from '../lexicon/plain.ts'
import { bits, hasWord } from '../lexicon/words.ts'
import { placeOf, saysIn } from '../links/phrases.ts'
import type { CodeDetail } from '../message.ts'
import type { Place } from './layout.ts'
import { firstAfter, isInSubject, lastBefore, type MailText, wordEndingAt } from './mail-text.ts'
import type { Noun } from './nouns.ts'
import { firstSentence, lastSentence } from './phrases.ts'
import { asksToEnter, isOneSentence } from './trust.ts'
import { isBelowUser } from './users.ts'

/** How far from a code the noun may be that shows what it is. */
const REACH = 400
/** Characters of a reason. */
const REASON_MAX = 160
/** Characters before the noun that belong to a reason. */
const LEAD_MAX = 60

/**
 * Returns a code with its kind and the words of the mail that show it: from the sentence of the word for a code up to the
 * code, or the line of the code.
 * @param isListed it is one of a list, as recovery codes are
 */
export function evidenceOf(
  mail: MailText,
  value: string,
  place: Place | undefined,
  isListed: boolean,
): CodeDetail {
  if (place === undefined) return { value, kind: 'one_time', reason: `#${value}` }
  const noun = nounOf(mail, place)
  const kind = isListed ? 'recovery' : noun === undefined ? 'one_time' : kindOf(mail, place, noun)
  const reason =
    isListed && noun !== undefined ? reasonOfListed(mail, place, noun) : reasonOf(mail, place, noun)
  return { value, kind, reason }
}

function nounOf({ nouns }: MailText, { start, end }: Place): Noun | undefined {
  const before = lastBefore(nouns, start)
  if (before !== undefined && start - before.end <= REACH) return before
  const after = firstAfter(nouns, end)
  return after !== undefined && after.start - end <= REACH ? after : undefined
}

const INVITATION = bits('invitation')
const VERIFICATION = bits('verificationCode')
/** How far before a noun its sentence may begin. */
const SENTENCE_MAX = 120
/** How far from a noun "temporary" may be. */
const NEAR = 30
/** A colon, or one word as "is", between a noun and its value. */
const INTRODUCES = /^ ?(?:[:：]|\p{L}{1,10} ?:? )\s{0,3}["'“„«*([]{0,2}$/u
/** Capitals, small letters and digits of some length are no code for one time, where a word may mean that or a password. */
const MIXED = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d).{12,}$/
/** A longer number is no code for one time. */
const DIGITS_MAX = 7

/**
 * The kind of a code that is not one of a list: what the nouns of the sentence are that leads to it. A password in "use
 * this code to reset your password" is not the code.
 * @param noun the nearest noun, before the code or behind it
 */
function kindOf(mail: MailText, { start, end }: Place, noun: Noun): CodeDetail['kind'] {
  const { text, lower, words } = mail
  const from = startOfSentence(text, Math.min(start, noun.start), SENTENCE_MAX)
  const to = Math.max(noun.end, Math.min(start, noun.end + SENTENCE_MAX))
  const nouns = mail.nouns.filter((one) => one.start >= from && one.end <= to && one.meaning !== 'other')
  if (nouns.length === 0) return 'one_time'
  // "Invitation code for the registration".
  const isInvitation = ({ meaning, start, word }: Noun) =>
    meaning === 'invitation' ||
    (word.kinds & INVITATION) !== 0 ||
    wordEndingAt(mail, start - 1, INVITATION) !== undefined ||
    // In scripts without spaces, right before it.
    wordEndingAt(mail, start, INVITATION) !== undefined
  if (nouns.some(isInvitation)) return 'invitation'
  const says = (kind: LinkKind, last = to) => saysIn(kind, fold(lower.slice(from, last)))
  const isOnce = nouns.some(({ word }) => (word.kinds & VERIFICATION) !== 0)
  const digits = /^[\d\s.-]+$/.test(text.slice(start, end)) ? end - start : 0
  // Few codes for one time have such marks.
  if (!isOnce && digits === 0 && /[#$%&+=@^~!?*]/.test(text.slice(start, end))) return 'password'
  const isShort = digits > 0 && digits <= DIGITS_MAX
  const isMixed = digits === 0 && MIXED.test(text.slice(start, end))
  const arePasswords = nouns.every(
    (one) => one.meaning === 'password' || (!isShort && isPassword(mail, one, from, isMixed)),
  )
  if (arePasswords) {
    // "Reset your password (482913)", but not "your new password: 48291377".
    const isReset = digits > 0 && !INTRODUCES.test(text.slice(noun.end, start)) && says('reset')
    return isReset ? 'one_time' : 'password'
  }
  if (isOnce) return 'one_time'
  const areBare = nouns.every(({ meaning }) => meaning === 'code')
  // "Your invite code" is the subject, and nothing that expires soon is below it.
  if (areBare && !mail.hasExpiry && isInSubject(mail, 'invitation')) return 'invitation'
  const isInSentence = hasWord(words, INVITATION, from, to)
  if (!isInSentence && !hasWord(words, INVITATION, 0, mail.subjectEnd)) return 'one_time'
  // "You were invited: enter the code 482913 to verify your address".
  const rest = firstSentence(text.slice(end, end + SENTENCE_MAX)).length
  const sentenceEnd = Math.max(to, end + rest)
  if (says('confirm', sentenceEnd)) return 'one_time'
  if (isInSentence && areBare) return 'invitation'
  // "Use this code to join", below "You were invited".
  return says('join', sentenceEnd) && !says('signIn', sentenceEnd) ? 'invitation' : 'one_time'
}

/** A password until the reader sets another; but not "one-time password", whatever is temporary in it. */
function isPassword(mail: MailText, { start, end, word }: Noun, from: number, isMixed: boolean): boolean {
  const { lower } = mail
  if (!saysIn('password', fold(lower.slice(start, end)))) return false
  const isTemporary = (first: number, last: number) => saysIn('temporary', fold(lower.slice(first, last)))
  if ((word.kinds & VERIFICATION) !== 0) return isTemporary(word.start, word.end)
  return isMixed || isBelowUser(mail, start) || isTemporary(Math.max(from, start - NEAR), end + NEAR)
}

/** Where the sentence of a place begins, at most so many characters before it and on its line. */
function startOfSentence(text: string, place: number, most: number): number {
  const before = text.slice(Math.max(0, place - most), place)
  return place - lastSentence(before.slice(before.lastIndexOf('\n') + 1)).length
}

/** Where the sentence of a place begins, or a word at most LEAD_MAX characters before it. */
function startOfReason(text: string, place: number): number {
  const start = startOfSentence(text, place, LEAD_MAX)
  if (place - start < LEAD_MAX || /\s/.test(text.charAt(start - 1))) return start
  const blank = text.slice(start, place).search(/\s/)
  return blank === -1 ? start : start + blank
}

/** White space that is more than single spaces. */
const UNEVEN = /[^\S ]| {2}/

/** The line of the word for the codes of a list, and one of them. */
function reasonOfListed(mail: MailText, place: Place, noun: Noun): string {
  const { text } = mail
  const end = text.indexOf('\n', noun.end)
  if (noun.start > place.start || end === -1 || text.slice(end, place.start).trim() === '')
    return reasonOf(mail, place, noun)
  const lead = text.slice(startOfReason(text, noun.start), Math.min(end, noun.end + LEAD_MAX)).trim()
  return `${lead} … ${text.slice(place.start, place.end)}`
}

function reasonOf({ text }: MailText, { start, end }: Place, noun: Noun | undefined): string {
  const [first, last] =
    noun === undefined ? [start, end] : [Math.min(start, noun.start), Math.max(end, noun.end)]
  const words = text.slice(startOfReason(text, first), last).trim()
  const shown = UNEVEN.test(words) ? words.replace(/\s+/g, ' ') : words
  if (shown.length <= REASON_MAX) return shown
  // The code itself is always in it.
  return start <= first ? shown.slice(0, REASON_MAX) : `… ${shown.slice(2 - REASON_MAX)}`
}

/** "[acme/api] Login code 500 error (#4821)": a code forge reports what people say about a program. */
export function isOfRepository({ text, subjectEnd }: MailText): boolean {
  const subject = text.slice(0, subjectEnd)
  return subject.includes('#') && REPOSITORY.test(subject) && /#\d/.test(subject)
}

const REPOSITORY = /\[[\w.-]{1,64}\/[\w.-]{1,64}\]/

/**
 * Whether a mail tells what a person wrote: its subject announces a comment or a private message, or has the number of an
 * issue. What is in it is no code of the service, unless it expires or is to be kept secret.
 */
export function isDiscussion(mail: MailText): boolean {
  const { text, lower, subjectEnd, nouns, purposes, hasExpiry, hasWarning } = mail
  if (hasWarning) return false
  const written = text.slice(0, subjectEnd)
  const issue = written.includes('[') ? ISSUE.exec(written) : null
  if (issue !== null && (issue[1] !== undefined || !hasExpiry)) return !statesReset(mail)
  if (saysOnlyCode(mail)) return false
  if (hasExpiry || purposes.some(({ start }) => start < subjectEnd)) return false
  // "Private message service: your code".
  const isOfCode = ({ end, meaning, yours }: Noun) =>
    end <= subjectEnd && (meaning === 'verification' || (meaning === 'code' && yours))
  if (nouns.some(isOfCode)) return false
  const line = lower.slice(0, subjectEnd)
  // "Hello", as most short subjects are, is not worth the search.
  if (ONE_WORD.test(line)) return false
  const subject = fold(line)
  return saysIn('comment', subject) && !saysIn('confirm', subject)
}

const ONE_WORD = /^[a-z]*$/

/** A body with no more than the sentence of a code, "Log in with the code 482913", is no comment. */
function saysOnlyCode(mail: MailText): boolean {
  if (!isOneSentence(mail)) return false
  const { subjectEnd, nouns, purposes } = mail
  const hasPurpose = purposes.some(({ start }) => start > subjectEnd)
  return nouns.some(
    ({ start, meaning }) =>
      start > subjectEnd && (meaning === 'verification' || (meaning === 'code' && hasPurpose)),
  )
}

/** "[ACME] Password reset (INC-1042)": a help desk states the new password, and says no more. */
function statesReset(mail: MailText): boolean {
  return hasWord(mail.words, RESET, 0, mail.subjectEnd) && isOneSentence(mail)
}

const RESET = bits('reset')

/** "To publish your comment, enter the code 482913": the service asks for the code, whatever was written. */
export function isForComment(mail: MailText, { reason }: CodeDetail): boolean {
  return saysIn('comment', fold(reason)) && asksToEnter(mail)
}

/** "[JIRA] (OPS-3318) Gate 7 rejects badges", "Re: [billing] SMS code (#1207)": a number alone counts only in an answer. */
const ISSUE =
  /^\p{L}{2,3}: ?\[[^\]\n]{1,40}\][^\n]*\(#\d{1,6}\)|^(?:\p{L}{2,3}: ?)?\[[^\]\n]{1,40}\][^\n]*\(([A-Z]{2,10}-\d{1,6})\)/iu

/** "My login code 0042 still works": a person writes about a code, which no service calls its own. */
export function isOfWriter({ text }: MailText, { value, reason }: CodeDetail): boolean {
  if (reason.includes(':') || !reason.endsWith(value)) return false
  // Behind the code of a service its sentence mostly ends.
  const end = text.lastIndexOf(value) + value.length
  if (!GOES_ON.test(text.slice(end, end + 2))) return false
  const lead = fold(reason.slice(0, -value.length)).slice(-WRITER_LEAD_MAX)
  const place = placeOf('mine', lead)
  if (place === -1) return false
  const words = lead.slice(place)
  // 'You chose "Forgot my password", code 482913' quotes a button.
  return words.split(' ').length <= WRITER_WORDS_MAX && !/[",]/.test(words)
}

const GOES_ON = /^ ?\p{L}/u
/** Characters before a value that may say whose it is, and the words from "my" to the value. */
const WRITER_LEAD_MAX = 40
const WRITER_WORDS_MAX = 5
