import { bits, wordsFrom } from '../lexicon/words.ts'
import { lineAfter, valueBetween } from './layout.ts'
import type { MailText } from './mail-text.ts'
import type { Noun } from './nouns.ts'
import { endsAsIntroduction, withoutMarksBefore } from './phrases.ts'
import { isNameToo, isSender } from './score.ts'
import { isOffer, isShort, isTrusted } from './trust.ts'

/** A code that looks like any word or id, and is one only because it directly follows a noun. */
export interface WordCode {
  value: string
  start: number
}

/** Characters of a line that may be between the noun and a colon. */
const MAX_LEAD = 100

/** Nouns that are tried; a mail names its code near the first ones. */
const MAX_TRIED = 20

/**
 * Codes of words, of small letters and long tokens: what follows a noun after a colon or a verb up
 * to the end of the line, or stands alone on the next line.
 */
export function findWordCodes(mail: MailText): WordCode[] {
  const found: WordCode[] = []
  const nouns = mail.nouns.filter((noun) => isPromising(mail, noun))
  for (const noun of nouns.slice(0, MAX_TRIED)) {
    const named = sameLine(mail, noun) ?? nextLine(mail, noun)
    if (named === null || !isTrustedWord(mail, noun, named)) continue
    if (!found.some(({ value }) => value === named.value)) found.push(named)
  }
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
    if (named !== null) return named
  }
  return null
}

function isTrustedWord(mail: MailText, noun: Noun, { start, value }: WordCode): boolean {
  const place = { start, end: start + value.length, value, look: 0, digits: false, doubtful: true }
  if (noun.meaning !== 'password') return isTrusted(mail, noun, place, true)
  return mail.purposes.length > 0 && !isOffer(mail, place)
}

function isPromising(mail: MailText, noun: Noun): boolean {
  if (noun.meaning === 'code') return noun.yours && (mail.purposes.length > 0 || isShort(mail))
  return (
    noun.meaning === 'verification' ||
    ((noun.meaning === 'probable' || noun.meaning === 'password') && noun.yours)
  )
}

/** "Your passphrase is: copper-lantern-drift", "Verification code: kxqzpv". */
function sameLine(mail: MailText, noun: Noun): WordCode | null {
  const { text } = mail
  const lineEnd = endOfLine(text, noun.end)
  let at = -1
  for (let place = noun.end; place <= Math.min(lineEnd, noun.end + MAX_LEAD); place++)
    if (place > noun.end && /[\s"'“«:]/.test(text[place] ?? '') && leadsUp(mail, noun, place)) {
      at = place
      break
    }
  if (at === -1) return null
  const whole = valueBetween(text, at, lineEnd)
  const isWordLike = whole !== null && SMALL_LETTERS.test(whole.value) && !NO_WORD.test(whole.value)
  const named = whole === null || isWordLike ? null : accepted(mail, whole)
  if (named !== null) return named
  const first = FIRST.exec(text.slice(at, at + 120))
  return first === null ? null : { value: first[1]!, start: at + first[0].length - first[1]!.length }
}

/**
 * Whether no word looks like this value, with more of the sentence after it: "ZUvwsFBq",
 * "copper-lantern-drift".
 */
const MIXED = '(?=[A-Za-z]*[a-z][A-Z]|[A-Z]{2,}[a-z])[A-Za-z]{5,12}'
const THREE_WORDS = '[\\p{Ll}\\p{Lo}]{2,14}(?:-[\\p{Ll}\\p{Lo}]{2,14}){2,7}'
const FIRST = new RegExp(`^[\\s:"'“„«*(]{0,6}(${MIXED}|${THREE_WORDS})(?![\\p{L}\\p{N}@-]|\\.\\p{L})`, 'u')

/** The lead from the noun to a place ends with a colon or a verb that introduces the code. */
function leadsUp(mail: MailText, noun: Noun, place: number): boolean {
  const gap = withoutMarksBefore(mail.lower.slice(noun.end, place))
  return gap !== '' && endsAsIntroduction(mail, noun, noun.end + gap.length)
}

function nextLine(mail: MailText, noun: Noun): WordCode | null {
  const { text } = mail
  const lineEnd = endOfLine(text, noun.end)
  if (lineEnd - noun.end > MAX_LEAD) return null
  const next = lineAfter(text, lineEnd)
  if (next === null) return null
  const value = valueBetween(text, next.start, next.end)
  if (value === null) return null
  // "Verification code: click the\nbutton"
  if (SMALL_LETTERS.test(value.value) && !isOpen(mail, noun, lineEnd)) return null
  return accepted(mail, value)
}

/**
 * Small letters without a digit look like any word ("was wrong"), so they have to be on the line
 * below their noun, unless they cannot be a word.
 */
const SMALL_LETTERS = /^[a-z]+$/
const NO_WORD = /[^aeiouy]{4}|q[^u]|^[^aeiouy]+$/

/** The line of the noun ends with the noun, with a mark that introduces the code, or with "is". */
function isOpen(mail: MailText, noun: Noun, lineEnd: number): boolean {
  return mail.lower.slice(noun.end, lineEnd).trim() === '' || leadsUp(mail, noun, lineEnd)
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

/** Small words joined by dashes or the like, "copper-lantern-drift", or by blanks. */
const JOINED_WORDS = /^[\p{Ll}\p{Lo}]{2,14}(?:[-._·+~][\p{Ll}\p{Lo}]{2,14}){1,7}$/u
const SPACED_WORDS = /^[\p{Ll}]{2,14}(?: [\p{Ll}]{2,14}){1,7}$/u
/** "acme.com", "mail.acme.co", "www.acme.example". */
const HOST_NAME =
  /^[^.]+\.[^.]+$|^www\.|\.(?:\p{L}{2,3}|info|name|cloud|email|online|store|tech|example|test)$/iu
/** Letters and digits in one, at most a key of 64 characters. */
const TOKEN = /^[A-Za-z0-9](?:[A-Za-z0-9]|[-_.](?=[A-Za-z0-9])){3,63}$/
/** Words seldom have these; random letters mostly do. */
const RANDOM = /[^aeiouy]{3}|q[^u]|[jvwxz][^aeiouy]|[aeiou]{3}/
const CAPITALIZED = /^[A-Z]?[a-z]+$/

/** The value as a code, unless it looks like words, a name, or a host. */
function accepted(mail: MailText, { value, start }: WordCode): WordCode | null {
  const code = { value, start }
  if (value.includes('.') && HOST_NAME.test(value)) return null
  if (JOINED_WORDS.test(value)) return occursAgain(mail, value) ? null : code
  if (SPACED_WORDS.test(value))
    return hasWords(mail, start, value.length) || !isOnItsOwn(mail, start) ? null : code
  if (!TOKEN.test(value) || /^[\d.]+$/.test(value)) return null
  if (/\d/.test(value)) return value.includes('.') || value.length < 4 ? null : code
  if (!isRandomLetters(value) || hasWords(mail, start, value.length)) return null
  return isSender(mail, start, value) || isNameToo(mail, value) ? null : code
}

/** Letters without a digit: a word that a language uses, or a name with one capital, is no code. */
function isRandomLetters(value: string): boolean {
  if (/[._]/.test(value) || value.length < 5 || value.length > 12) return false
  if (/^[A-Z]/.test(value) && CAPITALIZED.test(value)) return false
  return !/^[a-z]+$/.test(value) || RANDOM.test(value)
}

/**
 * Words with blanks between them are a sentence, unless they stand alone at the top or below a
 * colon.
 */
function isOnItsOwn({ text, subjectEnd }: MailText, start: number): boolean {
  if (start < subjectEnd) return false
  const lead = text.slice(Math.max(subjectEnd, start - 12), start).replace(/[ \t"'“„«]+$/, '')
  const end = text.indexOf('\n', start)
  const rest = end === -1 ? '' : text.slice(end, end + 3)
  const isBelow = /:\n\s*$/.test(lead) || text.slice(subjectEnd, start).trim() === ''
  return isBelow && (rest.trim() === '' || rest.startsWith('\n\n'))
}

/** Words that make a sequence a sentence. */
const OF_SENTENCES = bits(
  'yours',
  'is',
  'enter',
  'otherNumber',
  'code',
  'password',
  'verify',
  'signIn',
  'secret',
)

function hasWords(mail: MailText, start: number, length: number): boolean {
  for (const word of wordsFrom(mail.words, start, start + length))
    if (word.end <= start + length && (word.kinds & OF_SENTENCES) !== 0) return true
  return false
}

/** "e-mail", "log-in": a compound that the mail uses more than once is a word. */
function occursAgain(mail: MailText, value: string): boolean {
  const first = mail.lower.indexOf(value.toLowerCase())
  return value.split(/[^\p{L}]/u).length < 3 && mail.lower.indexOf(value.toLowerCase(), first + 1) !== -1
}
