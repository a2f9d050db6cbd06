import { fold } from '../lexicon/plain.ts'
import { bits, wordsFrom } from '../lexicon/words.ts'
import { saysIn } from '../links/phrases.ts'
import { type Candidate, NUMBER_AND_NAME } from './candidates.ts'
import { endOfLine } from './layout.ts'
import type { MailText } from './mail-text.ts'
import { isNameToo, JOINED_NAMES, NO_VALUE } from './names.ts'

/** A code that looks like any word or id, and is one only because it directly follows a noun. */
export interface WordCode {
  value: string
  start: number
}

/** A code of this kind in the form of a candidate: doubtful, because it may be a word. */
export function asCandidate({ value, start }: WordCode): Candidate {
  return { value, start, end: start + value.length, look: 0, digits: false, doubtful: true }
}

/** Nouns that are tried; a mail names its code near the first ones. */
export const MAX_TRIED = 12

/** Small words joined by dashes or the like, "copper-lantern-drift", or by blanks. */
const JOINED_WORDS = /^[\p{Ll}\p{Lo}]{2,14}(?:[-._·+~][\p{Ll}\p{Lo}]{2,14}){1,7}$/u
export const SPACED_WORDS = /^[\p{Ll}]{2,14}(?: [\p{Ll}]{2,14}){1,7}$/u
/** "acme.com", "mail.acme.co", "www.acme.example". */
const HOST_NAME =
  /^[^.]+\.[^.]+$|^www\.|\.(?:\p{L}{2,3}|info|name|cloud|email|online|store|tech|example|test)$/iu
/** The name of a reader in a wiki, and random letters and digits: "InesBerg.MVQ7yuYT". */
const OF_NAME = /^(?:[A-Z][a-z]{1,20}){2,4}\.(?=[A-Za-z]{0,7}\d)(?=[a-z\d]{0,7}[A-Z])[A-Za-z\d]{8}$/
/** Letters and digits in one, at most a key of 64 characters. */
const TOKEN = /^[A-Za-z0-9](?:[A-Za-z0-9]|[-_.](?=[A-Za-z0-9])){3,63}$/
/** Words seldom have these; random letters mostly do. */
const RANDOM = /[^aeiouy]{3}|q[^u]|[jvwxz][^aeiouy]|[aeiou]{3}|^[a-f]{8,12}$/
/** "IT-osakond", the department. */
const COMPOUND = /^[A-Z]{1,4}-[a-z]{3,}$/
const CAPITALIZED = /^[A-Z][a-z]+$/
/** A day, with its year first or last: "Activated: 2026-11-27". */
const DAY = /^(?:(?:19|20)\d\d([-_])\d{1,2}\1\d{1,2}|\d{1,2}([-_])\d{1,2}\2(?:19|20)\d\d)$/
/** Where Bitcoin, Ethereum or Tron is to be sent, and the numbers of programs. */
const WALLET =
  /^(?:[13][1-9A-HJ-NP-Za-km-z]{25,34}|bc1[0-9a-z]{20,62}|0x(?:[0-9A-Fa-f]{40}|[0-9A-Fa-f]{8,16})|T[1-9A-HJ-NP-Za-km-z]{33})$/

/** Whether the rest of a line has blanks and more than small letters, as most lines have. */
export function isSentence(value: string): boolean {
  return value.includes(' ') && !SPACED_WORDS.test(value)
}

/** The value as a code, unless it looks like words, a name, a host, or a day. */
export function accepted(mail: MailText, { value, start }: WordCode): WordCode | null {
  const code = { value, start }
  if (isSentence(value)) return null
  if (value.includes('.') && HOST_NAME.test(value)) return OF_NAME.test(value) ? code : null
  // "Password: <your-password>" leaves the place of a value empty.
  if (JOINED_WORDS.test(value)) return occursAgain(mail, value) || mail.text[start - 1] === '<' ? null : code
  if (SPACED_WORDS.test(value))
    return hasWords(mail, start, value.length) || saysIn('reset', fold(value)) || !isOnItsOwn(mail, start)
      ? null
      : code
  if (!TOKEN.test(value) || /^[\d.]+$/.test(value) || DAY.test(value) || WALLET.test(value)) return null
  if (COMPOUND.test(value)) return null
  if (NUMBER_AND_NAME.test(value) || NO_VALUE.test(value)) return null
  if (/\d/.test(value)) return value.includes('.') || value.length < 4 ? null : code
  if (!isRandomLetters(value) || hasWords(mail, start, value.length)) return null
  return isNameToo(mail, value) ? null : code
}

/** Letters without a digit: a word that a language uses, or a name with one capital, is no code. */
export function isRandomLetters(value: string): boolean {
  if (/[._]/.test(value) || value.length < 5 || value.length > 12) return false
  if (CAPITALIZED.test(value)) return false
  if (JOINED_NAMES.test(value))
    return value.split(/(?=[A-Z])/).some((word) => RANDOM.test(word.toLowerCase()))
  return !/^[a-z]+$/.test(value) || RANDOM.test(value)
}

/**
 * Words with blanks between them are a sentence, unless they stand alone at the top or below a
 * colon.
 */
function isOnItsOwn({ text, subjectEnd }: MailText, start: number): boolean {
  if (start < subjectEnd) return false
  const lead = text.slice(Math.max(subjectEnd, start - 12), start).replace(/[ \t"'“„«]+$/, '')
  const end = endOfLine(text, start)
  const rest = text.slice(end, end + 3)
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
  'stale',
)

function hasWords(mail: MailText, start: number, length: number): boolean {
  for (const word of wordsFrom(mail.words, start, start + length))
    if (word.end <= start + length && (word.kinds & OF_SENTENCES) !== 0) return true
  return false
}

/**
 * "e-mail", "log-in": a compound that the mail uses more than once is a word, unless it ends its line each time, behind a
 * colon or alone: "Login code for Kestrel: gavuk-tilse".
 */
function occursAgain({ text, lower }: MailText, value: string): boolean {
  const shown = value.toLowerCase()
  if (value.split(/[^\p{L}]/u).length > 2 || lower.indexOf(shown) === lower.lastIndexOf(shown)) return false
  for (let at = lower.indexOf(shown); at !== -1; at = lower.indexOf(shown, at + 1)) {
    const end = at + value.length
    const isAlone =
      text.slice(end, endOfLine(text, end)).trim() === '' &&
      BEHIND_COLON.test(text.slice(Math.max(0, at - COLON_REACH), at))
    if (!isAlone || !text.startsWith(value, at)) return true
  }
  return false
}

/** More characters than the blanks behind a colon. */
const COLON_REACH = 12
const BEHIND_COLON = /(?:^|\n|[:：])[ \t]{0,8}$/
