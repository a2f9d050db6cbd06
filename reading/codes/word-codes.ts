import { isWhite, table } from '../lexicon/letters.ts'
import { fold } from '../lexicon/plain.ts'
import { LINK_SOURCES } from '../lexicon/tree.ts'
import { bits, wordsFrom } from '../lexicon/words.ts'
import { saysIn } from '../links/phrases.ts'
import { NUMBER_AND_NAME } from './candidates.ts'
import { lineAfter, startOfLine, valueBetween } from './layout.ts'
import { type MailText, wordStartingAt } from './mail-text.ts'
import { matchesOf } from './matches.ts'
import { isNamedElsewhere, isNameToo, isSender } from './names.ts'
import type { Noun } from './nouns.ts'
import { asksBefore } from './phrase-scores.ts'
import { BREAK, endsAsIntroduction, endWithoutMarks, isMarkBefore, startsWithVerb } from './phrases.ts'
import { asksToEnter, isBookingOrMeeting, isOffer, isShort, isTrusted } from './trust.ts'
import { isBelowUser, isOfUser } from './users.ts'

/** A code that looks like any word or id, and is one only because it directly follows a noun. */
export interface WordCode {
  value: string
  start: number
}

const IS = bits('is')
const YOURS = bits('yours')

/** Characters of a line that may be between the noun and a colon. */
const MAX_LEAD = 100

/** Nouns that are tried; a mail names its code near the first ones. */
const MAX_TRIED = 12

/**
 * Codes of words, of small letters and long tokens: what follows a noun after a colon or a verb up
 * to the end of the line, or stands alone on the next line.
 */
export function findWordCodes(mail: MailText): WordCode[] {
  const found: WordCode[] = []
  const nouns = mail.nouns.filter((noun) => isPromising(mail, noun))
  for (const noun of nouns.slice(0, MAX_TRIED)) {
    // "Temporary password" can only mean a verification code.
    const isWhole = noun.meaning === 'password' || noun.meaning === 'probable' || saysPassword(mail, noun)
    const password = isWhole ? statedPassword(mail, noun) : null
    const named =
      password ??
      (isPasswordLabel(noun) ? null : (prefixed(mail, noun) ?? sameLine(mail, noun) ?? nextLine(mail, noun)))
    if (named === null || (password === null && !isTrustedWord(mail, noun, named))) continue
    if (isNameInSubject(mail, named.value) || isSender(mail, named.start)) continue
    if (!found.some(({ value }) => value === named.value)) found.push(named)
  }
  if (found.length === 0) found.push(...quotedPassword(mail))
  if (found.length === 0) found.push(...askedTokens(mail))
  if (found.length === 0) found.push(...longTokens(mail))
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

/** Letters and digits, as no word and few names have them. */
const LONG_TOKEN =
  /^(?:(?=(?:.*\d){2})(?=(?:.*[A-Za-z]){2})|(?=(?:.*[a-z][A-Z]){3})(?=.*[^aeiouy]{5}))[A-Za-z0-9]{12,64}$/
/** What follows a token that ends its sentence, and the end of a line. */
const ENDS_SENTENCE = /^[\s"'”»)]{0,8}[.。।]?[ \t]{0,8}(?:\n|$)/

/** A value in quotes or not, with a digit before a letter, and no part of a larger one. */
const ASKED =
  /^ (?:["“„«]([A-Za-z0-9]{5,64})["”“»]|([A-Za-z0-9]{5,64})(?![\p{L}\p{N}@"_/+-]|[.:=~#&!*]+[\p{L}\p{N}]))/u
const DIGIT_IN_LETTERS = /\d[A-Za-z]/
/** Without quotes it has all three kinds of characters, as no word of small letters and no unit has. */
const ALL_KINDS = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])/

/** Three letters and a dash, and more letters and digits than a group of a code has. */
const PREFIXED = /^ ?[:=]? ?[A-Z]{3}-([A-Z\d]{6,8})(?![\p{L}\p{N}_-])/u

/** "Your OTP is NMP-L3W5SDKD", as in Singapore: the page shows the letters, and the reader types the rest. */
function prefixed(mail: MailText, noun: Noun): WordCode | null {
  if (!mail.lower.slice(noun.start, noun.end).endsWith('otp')) return null
  const end =
    wordStartingAt(mail, noun.end + 1, IS)?.end ?? wordStartingAt(mail, noun.end + 1, YOURS)?.end ?? noun.end
  const shown = PREFIXED.exec(mail.text.slice(end, end + 20))
  return shown === null ? null : { value: shown[1]!, start: end + shown[0].length - shown[1]!.length }
}

/** Several digits among the letters from a to f, as no word and no name has them. */
const HEX = /^(?=(?:[a-f]*\d){2})(?=(?:\d*[a-f]){2})[\da-f]{8,64}$/

/** 'Enter the code "8d2d130a45"', "enter the code 9o1qjF": a value right behind a noun that is to be typed. */
function askedTokens(mail: MailText): WordCode[] {
  for (const noun of mail.nouns.slice(0, MAX_TRIED)) {
    if (noun.meaning === 'password' || noun.meaning === 'other' || !asksBefore(mail, noun)) continue
    const shown = ASKED.exec(mail.text.slice(noun.end, noun.end + 80))
    if (shown === null) continue
    const value = (shown[1] ?? shown[2])!
    if (!DIGIT_IN_LETTERS.test(value)) continue
    if (shown[1] === undefined && !ALL_KINDS.test(value) && !HEX.test(value)) continue
    const start = noun.end + shown[0].indexOf(value)
    if (isTrustedWord(mail, noun, { value, start }) && !reportsCreation(mail, start))
      return [{ value, start }]
  }
  return []
}

/** How far around a value its sentence may be. */
const SENTENCE_REACH = 100

/** "A user was created using code …": it was used already, by somebody else. */
function reportsCreation({ lower }: MailText, start: number): boolean {
  const before = lower.slice(Math.max(0, start - SENTENCE_REACH), start)
  const after = lower.slice(start, start + SENTENCE_REACH)
  return saysIn('created', fold(`${lastSentence(before)}${after.split(BREAK, 1)[0]}`))
}

/** Long tokens right behind a noun, "Confirmation code 4b5e90a968d1757b", or alone below one. */
function longTokens(mail: MailText): WordCode[] {
  const { text } = mail
  const nouns = mail.nouns.filter(({ meaning }) => meaning === 'verification' || meaning === 'probable')
  for (const noun of nouns.slice(0, MAX_TRIED)) {
    const from = endOfSuffix(text, noun.end)
    const shown = /^[ \t"'“„«(*`]{1,4}([A-Za-z0-9]+)/.exec(text.slice(from, from + 80))
    if (shown === null || !LONG_TOKEN.test(shown[1]!)) continue
    const end = from + shown[0].length
    if (ENDS_SENTENCE.test(text.slice(end, end + 8)) || startsWithVerb(mail, noun, end))
      return [{ value: shown[1]!, start: end - shown[1]!.length }]
  }
  const mayBeAlone = nouns.length > 0 || isBareButAsked(mail)
  const alone = mayBeAlone && text.length <= ALONE_MAX ? tokenAlone(mail) : null
  return alone === null ? [] : [alone]
}

/** "To approve this, enter the code below": no other kind of code is in the mail. */
function isBareButAsked(mail: MailText): boolean {
  return (
    mail.purposes.length > 0 && mail.nouns.every(({ meaning }) => meaning === 'code') && asksToEnter(mail)
  )
}

/** Where a word with endings that the lexicon does not have ends. */
function endOfSuffix(text: string, from: number): number {
  return from + /^[\p{L}\p{M}]{0,8}/u.exec(text.slice(from, from + 8))![0].length
}

const LINE_OF_TOKEN = /^[ \t*`]*([A-Za-z0-9]{12,64})[ \t*`]*$/gm
/** A longer mail has tokens of other kinds. */
const ALONE_MAX = 1200

/** The only long token that is alone on its line, in a mail that asks to enter a code. */
function tokenAlone(mail: MailText): WordCode | null {
  const isAsked = asksToEnter(mail) || mail.nouns[0]!.end <= mail.subjectEnd
  if (!mail.hasWarning || !isAsked) return null
  const lines = matchesOf(mail.text, LINE_OF_TOKEN).filter(([, value]) => LONG_TOKEN.test(value!))
  const [only] = lines
  if (only === undefined || lines.length > 1) return null
  return { value: only[1]!, start: only.index + only[0].indexOf(only[1]!) }
}

function isTrustedWord(mail: MailText, noun: Noun, { start, value }: WordCode): boolean {
  const place = { start, end: start + value.length, value, look: 0, digits: false, doubtful: true }
  if (noun.meaning !== 'password') return isTrusted(mail, noun, place, true)
  return mail.purposes.length > 0 && !isOffer(mail, place)
}

function isPromising(mail: MailText, noun: Noun): boolean {
  if (noun.meaning === 'code') return noun.yours && (mail.purposes.length > 0 || isShort(mail))
  if (isPasswordLabel(noun)) {
    const colon = mail.text.indexOf(':', noun.end)
    if (colon === -1 || colon - noun.end > ADJECTIVE_MAX) return false
    const isFirst = FIRST_OF_LINE.test(mail.text.slice(Math.max(0, noun.start - 32), noun.start))
    return isFirst || isBehindUser(mail, noun)
  }
  return (
    noun.meaning === 'verification' ||
    ((noun.meaning === 'probable' || noun.meaning === 'password' || noun.meaning === 'invitation') &&
      noun.yours)
  )
}

/** "User: ines Password: a1b2c3": a label behind that of the user and a value, on one line. */
function isBehindUser({ lower, words }: MailText, { start }: Noun): boolean {
  const from = Math.max(startOfLine(lower, start), start - USER_REACH)
  return wordsFrom(words, from, start).some(
    ({ kinds, end }) => (kinds & USER) !== 0 && BETWEEN_LABELS.test(lower.slice(end, start)),
  )
}

const USER = bits('user', 'signIn')
const USER_REACH = 80
/** A colon, the name of a user, and what separates it from the next label. */
const BETWEEN_LABELS = /^ ?: ?[^\s:,;]{1,64}[ \t,;/|]{1,3}(?:\p{L}{1,12} ?){0,2}$/u

/** "New password": a label, though no word says that it is the reader's own. */
function isPasswordLabel({ meaning, yours }: Noun): boolean {
  return meaning === 'password' && !yours
}

/** Up to three words from the start of the line. */
const FIRST_OF_LINE = /(?:^|\n)[ \t*•·–-]{0,4}\p{L}[\p{L}\p{M}'’-]{0,14}(?: [\p{L}\p{M}'’-]{1,12}){0,2} ?$/u

/**
 * Behind a label, up to the end of the line: letters, digits and marks, in quotes or not. Without a digit, letters as
 * no name has them, or capitals beside each other and a mark behind letters: "YCBDoGoxz#iK".
 */
const PASSWORD =
  /^(?:[ \t]{0,12}[:=]\s{0,3}|\t[ \t]{0,3})(["'*]{0,2})((?:(?=[!-~]*\d)(?=[!-~]*[A-Za-z])|(?=(?:[A-Za-z]*[a-z][A-Z]){2})|(?=[A-Za-z]*[a-z][A-Z])(?=[A-Za-z]*[b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ]{5})|(?=[A-Za-z]+(?:[#$%&+=@^~]|[*!][A-Za-z]))(?=[!-~]*[a-z][A-Z])(?=[!-~]*[A-Z]{2}))[!-~]{6,64}?)\1[.,;]?[ \t]*(?:<\/?br ?\/?>)?(?:\n|$)/

/** The same before a note behind a dash or in brackets: "Password: kX7pQ2mN -- change it". */
const WITH_NOTE =
  /^[ \t]{0,12}[:=][ \t]{0,3}(["'*]{0,2})((?=[!-~]*\d)(?=[!-~]*[a-z])(?=[!-~]*[A-Z])[!-~]{8,64}?)\1 (?:(?:-{1,2}|–|—) |\()\p{L}/u

/** Before another clause: "Password: Abc123456, please change it"; where no blanks are written, any letters and digits. */
const BEFORE_CLAUSE =
  /^[ \t]{0,12}[:=][ \t]{0,3}()((?=[A-Za-z0-9]{0,63}\d)(?=[A-Za-z0-9]{0,63}[A-Za-z])[A-Za-z0-9]{6,64}(?=[,;。] ?\p{Lo})|(?=[A-Za-z0-9]{0,63}\d)(?=[A-Za-z0-9]{0,63}[a-z])(?=[A-Za-z0-9]{0,63}[A-Z])[A-Za-z0-9]{8,64}(?=[,;] \p{L}))/u

/**
 * Behind "is", without a colon: all three kinds of characters and a mark, as "Xy7#pQ2!" has; or letters and a mark
 * behind them, "ZPuiDmtf#".
 */
const BEHIND_IS =
  /^ (["'*]{0,2})((?:(?=[!-~]*\d)(?=[!-~]*[a-z])(?=[!-~]*[A-Z])(?=[!-~]*(?:[#$%&+=@^~!]|[*?-][!-~]))|(?=[A-Za-z]{2,63}[#$%&+=@^~])(?=[!-~]*[a-z][A-Z])(?=[!-~]*[A-Z]{2}))[!-~]{6,64}?)\1[.,;]?[ \t]*(?:\n|$)/

/** "パスワードです。 kX7pQ2mN": behind the end of a sentence whose verb comes last, alone to the end of its line. */
const BEHIND_SENTENCE =
  /^[.。]\s{0,3}()((?=[A-Za-z0-9]{0,63}\d)(?=[A-Za-z0-9]{0,63}[a-z])(?=[A-Za-z0-9]{0,63}[A-Z])[A-Za-z0-9]{8,64})[ \t]*(?:\n|$)/

/** Behind a label without a colon: a value with all three kinds of characters, or letters as no name has them. */
const BESIDE =
  /^[ \t]{1,4}()((?:(?=[^\s]{0,63}\d)(?=[^\s]{0,63}[a-z])(?=[^\s]{0,63}[A-Z])|(?=[A-Za-z]{0,63}[a-z][A-Z])(?=[A-Za-z]{0,63}[b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ]{5}))[A-Za-z0-9]{8,64})[ \t]*(?:\n|$)/
const STARTS_LINE = /(?:^|\n)[ \t*•·–-]{0,4}$/

/** "With the password PuMurFm": letters in both cases to the end of the line. */
const LETTERS_BESIDE =
  /^ ()((?=(?:[A-Za-z]{0,16}?[a-z][A-Z]){2}|[A-Z]{2,8}[a-z])[A-Za-z]{6,16})\.?[ \t]*(?:\n|$)/

function lettersBeside(rest: string): RegExpExecArray | null {
  const found = LETTERS_BESIDE.exec(rest)
  return found !== null && isRandomLetters(found[2]!) ? found : null
}

/** The same of all three kinds of characters, and the same on a line below "Your password"; but not "Harbour365". */
const RANDOM_BESIDE =
  /^(?: |[ \t]{0,4}\n\s{0,3})(["'*]{0,2})((?!["'*])(?![A-Z]?[a-z]{2,20}[A-Z]?[a-z]{0,20}\d{1,4}[.,;]?\s)(?=[!-~]{0,63}\d)(?=[!-~]{0,63}[a-z])(?=[!-~]{0,63}[A-Z])[!-~]{8,64}?(?<![.,;?]))\1[.,;]?[ \t]*(?:\n|$)/

function randomBeside(mail: MailText, noun: Noun, rest: string): RegExpExecArray | null {
  const found = RANDOM_BESIDE.exec(rest)
  if (found === null || !found[0].startsWith('\n')) return found
  const isFirst = FIRST_OF_LINE.test(mail.text.slice(Math.max(0, noun.start - 32), noun.start))
  return isFirst &&
    !isNamedElsewhere(mail, { value: found[2]!, start: noun.end + found[0].indexOf(found[2]!) })
    ? found
    : null
}

/**
 * "Password: kX7p#Q2m", "Your password is: kX7p#Q2m", with marks that other codes do not have; or the line
 * "- password kX7pQ2mN".
 */
function statedPassword(mail: MailText, noun: Noun): WordCode | null {
  const { text } = mail
  // Languages that write no blanks have the verb directly behind the noun.
  const is = wordStartingAt(mail, noun.end + 1, IS) ?? wordStartingAt(mail, noun.end, IS)
  const end = is?.end ?? endOfAdjective(mail, noun)
  const rest = text.slice(end, end + 160)
  const isLabel = end === noun.end && STARTS_LINE.test(text.slice(Math.max(0, noun.start - 6), noun.start))
  const isBehindIs = end > noun.end
  const found =
    PASSWORD.exec(rest) ??
    WITH_NOTE.exec(rest) ??
    BEFORE_CLAUSE.exec(rest) ??
    (isLabel ? BESIDE.exec(rest) : null) ??
    (noun.yours ? (lettersBeside(rest) ?? randomBeside(mail, noun, rest)) : null) ??
    (isBehindIs ? (BEHIND_IS.exec(rest) ?? BEHIND_SENTENCE.exec(rest)) : null)
  if (found === null) return null
  const value = found[2]!
  const start = end + found[0].indexOf(value)
  const place = { start, end: start + value.length, value, look: 0, digits: false, doubtful: true }
  const isElse = isOffer(mail, place) || isBookingOrMeeting(mail, place)
  return isElse && !isBelowUser(mail, noun.start) ? null : { value, start }
}

/** Characters from a noun to the colon behind an adjective. */
const ADJECTIVE_MAX = 20
const ADJECTIVE = /^ ([\p{L}\p{M}]{2,16})(?=[ \t]{0,3}:)/u

/** Where "contraseña nueva" ends: "new" may follow the noun. */
function endOfAdjective({ lower }: MailText, { end }: Noun): number {
  const found = ADJECTIVE.exec(lower.slice(end, end + 24))
  return found !== null && saysIn('change', fold(found[1]!)) ? end + found[0].length : end
}

/** A value in quotes with a letter and a digit. */
const QUOTED =
  /["'“”„«»‘’「『] ?((?=[^ ]{0,24}\d)(?=[^ ]{0,24}[A-Za-z])[A-Za-z0-9!#$%&*+=?@^~-]{6,24}) ?["'“”»«’」』]/g
/** No name with a number behind it: "Ines42". */
const RANDOM_VALUE = /\d[^\d]{1,24}\d|[a-z][A-Z]|\d[A-Za-z]/
/** How far from a word for a password a quoted one may be. */
const QUOTED_REACH = { before: 160, after: 60 }
/** The end of the word and a blank: directly behind the word, a value need not be random. */
const DIRECTLY = /^[\p{Ll}\p{M}]{0,8} ?$/u
const QUOTED_MAX = 6
const { latin, other } = LINK_SOURCES.password
const SAYS_PASSWORD = new RegExp(`${latin}|${other}`, 'gu')

/** A password for "Ines" was set to "803et9646m": the only such value in a sentence about one. */
function quotedPassword(mail: MailText): WordCode[] {
  const { text, lower, subjectEnd } = mail
  const found = new Map<string, WordCode>()
  for (const match of matchesOf(text.slice(subjectEnd), QUOTED, QUOTED_MAX)) {
    const value = match[1]!
    const start = subjectEnd + match.index + match[0].indexOf(value)
    const before = lastSentence(lower.slice(Math.max(0, start - QUOTED_REACH.before), start - 1))
    const mustBeDirect = !RANDOM_VALUE.test(value)
    if (mustBeDirect && !isDirectlyBehindPassword(before)) continue
    const end = start + value.length + 1
    if (isOfUser(mail, { start: start - 1, end })) continue
    const after = () => fold(lower.slice(end, end + QUOTED_REACH.after).split(BREAK, 1)[0]!)
    if (mustBeDirect || saysIn('password', fold(before)) || saysIn('password', after()))
      found.set(value, { value, start })
    if (found.size > 1) break
  }
  return found.size === 1 ? [...found.values()] : []
}

/** Characters of the longest word for a password and what may follow it. */
const PASSWORD_WORD_MAX = 64

/** The text ends with a word for a password. */
function isDirectlyBehindPassword(text: string): boolean {
  const end = fold(text.slice(-PASSWORD_WORD_MAX))
  const word = matchesOf(end, SAYS_PASSWORD).at(-1)
  return word !== undefined && DIRECTLY.test(end.slice(word.index + word[0].length))
}

function saysPassword({ lower }: MailText, { start, end }: Noun): boolean {
  return saysIn('password', fold(lower.slice(start, end)))
}

function lastSentence(text: string): string {
  return text.split(BREAK).at(-1)!
}

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
  if (named !== null) return named
  // "Key below needed: kxqzpv": a word that may introduce the value is not what does.
  const colon = text.slice(at, last).search(/:\s/)
  return colon === -1 ? null : valueFrom(mail, noun, at + colon + 1)
}

/** The value of the rest of a line; or a first word that looks like no word. */
function valueFrom(mail: MailText, noun: Noun, at: number): WordCode | null {
  const { text } = mail
  const whole = valueBetween(text, at, endOfLine(text, at))
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
const LAST_ASCII = 127
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
    if (end === tried || !(hasWideColon(mail.lower, place) || isAfterLead(mail.text, place))) continue
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

function nextLine(mail: MailText, noun: Noun): WordCode | null {
  const { text } = mail
  const lineEnd = endOfLine(text, noun.end)
  if (lineEnd - noun.end > MAX_LEAD) return null
  const next = lineAfter(text, lineEnd)
  if (next === null) return null
  const value = valueBetween(text, next.start, next.end)
  if (value === null) return null
  // "Verification code: click the\nbutton", "... have a strong password\nagain."
  if (SMALL_LETTERS.test(value.value) && isProse(mail, noun, next, value)) return null
  // "Choose a password to\nbegin: https://…": the address, which was blanked, is the rest of a sentence.
  if (LETTERS.test(value.value) && next.end - value.start - value.value.length > ADDRESS_MIN) return null
  // A slogan at the top of a mail with the subject "Reset your password".
  if (noun.end <= mail.subjectEnd && SPACED_WORDS.test(value.value) && saysPassword(mail, noun)) return null
  // The name of a sender or of the reader below the last sentence: "iNaturalist", "Anna-Maria".
  if (NAMES.test(value.value) && !isOpen(mail, noun, lineEnd)) return null
  if (isNamedElsewhere(mail, value)) return null
  return accepted(mail, value)
}

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
const RANDOM = /[^aeiouy]{3}|q[^u]|[jvwxz][^aeiouy]|[aeiou]{3}|^[a-f]{8,12}$/
/** Words that are written in one, as names of programs are: "CoopCycle", "iNaturalist", "OpenAI". */
const JOINED_NAMES =
  /^(?:(?:[a-z]{1,12}|[A-Z][a-z]{2,12})(?:[A-Z][a-z]{2,12}){1,4}|(?:[A-Z][a-z]{2,12}){1,4}[A-Z]{2,3})$/
const CAPITALIZED = /^[A-Z][a-z]+$/

/** A day, with its year first or last: "Activated: 2026-11-27". */
const DAY = /^(?:(?:19|20)\d\d([-_])\d{1,2}\1\d{1,2}|\d{1,2}([-_])\d{1,2}\2(?:19|20)\d\d)$/

/** Where Bitcoin, Ethereum or Tron is to be sent. */
const WALLET =
  /^(?:[13][1-9A-HJ-NP-Za-km-z]{25,34}|bc1[0-9a-z]{20,62}|0x[0-9A-Fa-f]{40}|T[1-9A-HJ-NP-Za-km-z]{33})$/

/** The subject has the name of its sender too: "CodeTriage auth failure". */
function isNameInSubject({ text, subjectEnd }: MailText, value: string): boolean {
  return JOINED_NAMES.test(value) && text.slice(0, subjectEnd).includes(value)
}

/** The value as a code, unless it looks like words, a name, a host, or a day. */
function accepted(mail: MailText, { value, start }: WordCode): WordCode | null {
  const code = { value, start }
  if (value.includes('.') && HOST_NAME.test(value)) return null
  if (JOINED_WORDS.test(value)) return occursAgain(mail, value) ? null : code
  if (SPACED_WORDS.test(value))
    return hasWords(mail, start, value.length) || !isOnItsOwn(mail, start) ? null : code
  if (!TOKEN.test(value) || /^[\d.]+$/.test(value) || DAY.test(value) || WALLET.test(value)) return null
  if (NUMBER_AND_NAME.test(value)) return null
  if (/\d/.test(value)) return value.includes('.') || value.length < 4 ? null : code
  if (!isRandomLetters(value) || hasWords(mail, start, value.length)) return null
  return isNameToo(mail, value) ? null : code
}

/** Letters without a digit: a word that a language uses, or a name with one capital, is no code. */
function isRandomLetters(value: string): boolean {
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
  'stale',
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
