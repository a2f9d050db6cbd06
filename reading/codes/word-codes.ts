import { isWhite, LAST_ASCII, table } from '../lexicon/letters.ts'
import { fold } from '../lexicon/plain.ts'
import { bits, shareLanguage, wordsFrom } from '../lexicon/words.ts'
import { saysIn } from '../links/phrases.ts'
import { endOfLine, lineAfter, startOfLine, valueBetween } from './layout.ts'
import { isInSubject, type MailText } from './mail-text.ts'
import { isNamedElsewhere, isNameInSubject, isSender } from './names.ts'
import type { Noun } from './nouns.ts'
import { BREAK, endsAsIntroduction, endWithoutMarks, isMarkBefore, lastSentence } from './phrases.ts'
import { randomPassword } from './random-passwords.ts'
import {
  ADJECTIVE_MAX,
  beginsLine,
  isPasswordLabel,
  passwordBelow,
  quotedPassword,
  saysPassword,
  statedPassword,
} from './stated-passwords.ts'
import { askedTokens, isTrustedWord, longTokens, namedTokens, prefixed, valueOfLink } from './token-codes.ts'
import { isRandom } from './tokens.ts'
import { isShort } from './trust.ts'
import { passwordBesideUser } from './user-passwords.ts'
import { isBehindUser } from './users.ts'
import { accepted, isSentence, MAX_TRIED, SPACED_WORDS, type WordCode } from './word-value.ts'

/** Characters of a line that may be between the noun and a colon. */
const MAX_LEAD = 100

/** If no noun has its code behind it, these search the mail, one after the other, until one finds something. */
const PASSWORDS = [quotedPassword, passwordBelow, randomPassword, passwordBesideUser] as const
/** The same for tokens, which are looked for last. */
const TOKENS = [namedTokens, longTokens, valueOfLink] as const

/**
 * Codes of words, of small letters and long tokens: what follows a noun after a colon or a verb up
 * to the end of the line, or stands alone on the next line.
 */
export function findWordCodes(mail: MailText): WordCode[] {
  const found: WordCode[] = []
  const nouns = mail.nouns.filter((noun) => isPromising(mail, noun))
  for (const noun of nouns.slice(0, MAX_TRIED)) {
    // "Temporary password" can only mean a verification code.
    // "Clave: Kp7!vR2m" below "Email: ines@acme.example": in some languages one word means both.
    const isWhole =
      noun.meaning === 'password' ||
      noun.meaning === 'probable' ||
      saysPassword(mail, noun) ||
      (noun.meaning === 'code' && isAlsoPassword(mail, noun))
    const password = isWhole ? statedPassword(mail, noun) : null
    const named =
      password ??
      (isPasswordLabel(noun)
        ? null
        : (prefixed(mail, noun) ?? sameLine(mail, noun) ?? nextLine(mail, noun, found.length > 0)))
    if (named === null || (password === null && !isTrustedWord(mail, noun, named))) continue
    if (isNameInSubject(mail, named.value) || isSender(mail, named.start)) continue
    if (!found.some(({ value }) => value === named.value)) found.push(named)
  }
  for (const find of PASSWORDS) if (found.length === 0) found.push(...find(mail))
  // Beside a password, a mail may have the code of an activation, which the reader has to type.
  found.push(...askedTokens(mail))
  for (const find of TOKENS) if (found.length === 0) found.push(...find(mail))
  if (found.length > 0 || (nouns.length === 0 && mail.purposes.length === 0)) return found
  const phrase = belowColon(mail)
  return phrase === null ? [] : [phrase]
}

/**
 * Words alone on the line below a colon, in a mail with a noun somewhere: "Type this phrase:",
 * "copper lantern".
 */
function belowColon(mail: MailText): WordCode | null {
  const { text } = mail
  let at = text.indexOf(':\n', mail.subjectEnd)
  for (let n = 0; at !== -1 && n < MAX_TRIED; n++, at = text.indexOf(':\n', at + 1)) {
    const next = lineAfter(text, at + 1)
    const value = next === null ? null : valueBetween(text, next.start, next.end)
    const named = value !== null && /\p{L}[^\p{L}]\p{L}/u.test(value.value) ? accepted(mail, value) : null
    if (named !== null && !isReport(mail, at)) return named
  }
  return null
}

/** "The following key was added to your account:", with the name of the key below. */
function isReport({ lower }: MailText, colon: number): boolean {
  return saysIn('report', fold(lower.slice(startOfLine(lower, colon), colon)))
}

/** "Clave": in Spanish one word means a code and a password. */
function isAlsoPassword(mail: MailText, { start, end }: Noun): boolean {
  return mail.lower.slice(start, end) === 'clave'
}

function isPromising(mail: MailText, noun: Noun): boolean {
  if (noun.meaning === 'code') return noun.yours && (mail.purposes.length > 0 || isShort(mail))
  if (isPasswordLabel(noun)) {
    if (!LABELLED.test(mail.text.slice(noun.end, noun.end + ADJECTIVE_MAX))) return false
    return beginsLine(mail, noun) || isBehindUser(mail, noun)
  }
  return (
    noun.meaning === 'verification' ||
    (noun.meaning === 'probable' && LONG_LABELLED.test(mail.text.slice(noun.end, noun.end + 16))) ||
    ((noun.meaning === 'probable' || noun.meaning === 'password' || noun.meaning === 'invitation') &&
      noun.yours)
  )
}

/** A mark behind a label, or the end of its line. */
const LABELLED = /:| - |^[^\n]{0,20}\n/

const IS = bits('is')
const CODE = bits('code', 'password', 'verificationCode')

/** "Your passphrase is: copper-lantern-drift", "Verification code: kxqzpv". */
function sameLine(mail: MailText, noun: Noun): WordCode | null {
  const { text } = mail
  const line = text.slice(noun.end, Math.min(endOfLine(text, noun.end), noun.end + MAX_LEAD))
  // "Your password has changed. Device: iPhone" is another sentence.
  const sentence = line.search(BREAK)
  const last = noun.end + (sentence === -1 ? line.length : sentence)
  const at = endOfLead(mail, noun, last)
  if (at === -1) return null
  const named = valueFrom(mail, noun, at)
  if (named !== null) return isOfRequest(mail, noun, named) ? null : named
  // "Key below needed: kxqzpv": a word that may introduce the value is not what does.
  const colon = text.slice(at, last).search(/:\s/)
  return colon === -1 ? null : valueFrom(mail, noun, at + colon + 1)
}

/** "We received a request to reset the password of the account: ines42": the account that the request is for. */
function isOfRequest(mail: MailText, noun: Noun, { value, start }: WordCode): boolean {
  const { lower, words } = mail
  // "Ignore this mail if you did not ask for it": a password that was reset comes without.
  if (noun.meaning !== 'password' || !mail.hasWarning || isRandom(value)) return false
  const label = LAST_WORD.exec(lower.slice(noun.end, start))?.[1]
  if (label === undefined || !saysIn('address', fold(label))) return false
  const before = lastSentence(lower.slice(Math.max(0, noun.start - REQUEST_REACH), noun.start))
  // "You asked for a reset, here is your password".
  const near = wordsFrom(words, noun.start - before.length, noun.start)
  const states = near.some((word) => shareLanguage(word, IS, noun.word, CODE))
  return !states && !/[,;:–-]/.test(before) && saysIn('reset', fold(before))
}

/** The last word before a colon. */
const LAST_WORD = /([\p{L}\p{M}'’]{2,24}) ?: ?["'“„«]?$/u
/** Characters before the noun in which the verb is: "to reset the". */
const REQUEST_REACH = 28

/** The value of the rest of a line; or a first word that looks like no word. */
function valueFrom(mail: MailText, noun: Noun, at: number): WordCode | null {
  const { text } = mail
  const whole = valueBetween(text, at, endOfLine(text, at))
  if (whole !== null && LONG_NUMBER.test(whole.value) && mayBeLong(mail, noun, at)) return whole
  const isFar = at - noun.end > MAX_LEAD_OF_LETTERS
  const isWordLike =
    whole !== null &&
    ((SMALL_LETTERS.test(whole.value) &&
      (isFar || !NO_WORD.test(whole.value) || PARTICIPLE.test(whole.value))) ||
      (isFar && TWO_WORDS.test(whole.value)))
  const named = whole === null || isWordLike ? null : accepted(mail, whole)
  if (named !== null) return named
  const first = FIRST.exec(text.slice(at, at + 120))
  return first === null ? null : { value: first[1]!, start: at + first[0].length - first[1]!.length }
}

/**
 * Whether a noun may name a code of many digits. One that means neither verification nor a password has to be in the
 * subject as well: "Code to delete your account".
 */
function mayBeLong(mail: MailText, { meaning, end }: Noun, at: number): boolean {
  if (meaning === 'password') return mail.text.slice(end, at).trim() === ':'
  return meaning === 'verification' || (meaning === 'probable' && isInSubject(mail, meaning))
}

/**
 * Whether no word looks like this value, with more of the sentence after it: "ZUvwsFBq",
 * "copper-lantern-drift".
 */
const MIXED = '(?=[A-Za-z]*[a-z][A-Z]|[A-Z]{2,}[a-z])[A-Za-z]{5,12}'
const THREE_WORDS = '[\\p{Ll}\\p{Lo}]{2,14}(?:-[\\p{Ll}\\p{Lo}]{2,14}){2,7}'
const FIRST = new RegExp(
  `^[\\s:"'“„«*(]{0,6}(${MIXED}|${THREE_WORDS})(?![\\p{L}\\p{N}@#$%&+=^~-]|[.:/_!*]+[\\p{L}\\p{N}])`,
  'u',
)
const COLON = 58
const AFTER_LEAD = table('"\':')

/** White space, a quotation mark or a colon. */
function isAfterLead(text: string, place: number): boolean {
  const code = text.charCodeAt(place)
  return AFTER_LEAD[code] || isWhite(code) || code === OPENING_QUOTE || code === OPENING_ANGLE
}

const OPENING_QUOTE = 0x201c
const OPENING_ANGLE = 0xab

/** The first place up to which the text from the noun ends with a colon or a verb that introduces the code; or -1. */
function endOfLead(mail: MailText, noun: Noun, last: number): number {
  let end = noun.end
  let tried = end
  for (let place = noun.end + 1; place <= last; place++) {
    if (!isMarkBefore(mail.lower, place - 1)) end = place
    // A run of marks has one end.
    // In scripts without spaces none follows a colon; elsewhere it may be inside of a value.
    // "Password:jofoiRix".
    const isColonOfPassword =
      noun.meaning === 'password' && place === noun.end + 1 && mail.text.charCodeAt(noun.end) === COLON
    const isLead = isColonOfPassword || hasWideColon(mail.lower, place) || isAfterLead(mail.text, place)
    if (end === tried || !isLead) continue
    tried = end
    if (endsAsIntroduction(mail, noun, end)) return place
  }
  return -1
}

/** A colon before a place behind a character that is not ASCII. */
function hasWideColon(text: string, place: number): boolean {
  return text.charCodeAt(place - 1) === COLON && text.charCodeAt(place - 2) > LAST_ASCII
}

/** The lead from the noun to a place ends with a colon or a verb that introduces the code. */
function leadsUp(mail: MailText, noun: Noun, place: number): boolean {
  const end = endWithoutMarks(mail.lower, noun.end, place)
  return end > noun.end && endsAsIntroduction(mail, noun, end)
}

/** @param mustBeOpen another noun has its value: below "change your password after the first login." is the sender */
function nextLine(mail: MailText, noun: Noun, mustBeOpen: boolean): WordCode | null {
  const { text } = mail
  const lineEnd = endOfLine(text, noun.end)
  if (lineEnd - noun.end > MAX_LEAD) return null
  const next = lineAfter(text, lineEnd)
  if (next === null) return null
  const value = valueBetween(text, next.start, next.end)
  if (value === null || isSentence(value.value)) return null
  // "Verification code: click the\nbutton", "... have a strong password\nagain."
  if (SMALL_LETTERS.test(value.value) && isProse(mail, noun, next, value)) return null
  // "Choose a password to\nbegin: https://…": the address, which was blanked, is the rest of a sentence.
  if (LETTERS.test(value.value) && next.end - value.start - value.value.length > ADDRESS_MIN) return null
  // A slogan at the top of a mail with the subject "Reset your password".
  if (noun.end <= mail.subjectEnd && SPACED_WORDS.test(value.value) && saysPassword(mail, noun)) return null
  // The name of a sender or of the reader below the last sentence: "iNaturalist", "Anna-Maria".
  const mayBeName = NAMES.test(value.value) || (mustBeOpen && /[A-Z]/.test(value.value))
  if (mayBeName && !isOpen(mail, noun, lineEnd)) return null
  if (isNamedElsewhere(mail, value)) return null
  // In a report about a key, the words below are its name.
  if ((noun.word.kinds & CODE) === 0 && !/\d/.test(value.value) && isReport(mail, lineEnd)) return null
  return accepted(mail, value)
}

/** "Access code: 83019245516207": a label that begins with another word. */
const LONG_LABELLED = /^ ?: ?\d{11}/
/** A number that is longer than an account, phone or order number beside such a noun. */
const LONG_NUMBER = /^\d{11,32}$/

/**
 * Small letters without a digit look like any word ("was wrong"), so they have to be on the line
 * below their noun, unless they cannot be a word.
 */
const SMALL_LETTERS = /^[a-z]+$/
const LETTERS = /^[A-Za-z]+$/
const NAMES = /^(?:[A-Za-z]+|(?=.*[A-Z])(?=.*[a-z])[A-Za-z-]+)$/
const NO_WORD = /[^aeiouy]{4}|q[^u]|^[^aeiouy]+$|^[a-f]{8,12}$/
/** "Enter your phrase as instructed". */
const PARTICIPLE = /^[a-z]{4,}ed$/
/** "веб-браузер", "e-mail": a compound. */
const TWO_WORDS = /^[\p{Ll}\p{Lo}]+-[\p{Ll}\p{Lo}]+$/u
/** In German, "kannst" has as many consonants as random letters, and is far from the noun. */
const MAX_LEAD_OF_LETTERS = 24
/** Characters of the shortest address. */
const ADDRESS_MIN = 10
/** A line of more characters was wrapped. */
const WRAPPED = 50

/** The word is the rest of a line that was wrapped, and ends its sentence. */
function isProse(
  { text }: MailText,
  { end }: Noun,
  next: { end: number },
  { value, start }: WordCode,
): boolean {
  const isWrapped = end - text.lastIndexOf('\n', end - 1) > WRAPPED
  return isWrapped && /^[.,!;]/.test(text.slice(start + value.length, next.end))
}

/** The line of the noun ends with the noun, with a mark that introduces the code, or with "is". */
function isOpen(mail: MailText, noun: Noun, lineEnd: number): boolean {
  return mail.lower.slice(noun.end, lineEnd).trim() === '' || leadsUp(mail, noun, lineEnd)
}
