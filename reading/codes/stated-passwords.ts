import { fold, isPlain } from '../lexicon/plain.ts'
import { LINK_SOURCES } from '../lexicon/tree.ts'
import { bits, hasWord, NOUN_KINDS, shareLanguage, type Word, wordsFrom } from '../lexicon/words.ts'
import { saysIn } from '../links/phrases.ts'
import type { Candidate } from './candidates.ts'
import { isInSubject, lastBefore, type MailText, wordStartingAt } from './mail-text.ts'
import { matchesOf } from './matches.ts'
import { isNamedElsewhere } from './names.ts'
import type { Noun } from './nouns.ts'
import { endsWithIs, firstSentence, lastSentence } from './phrases.ts'
import { isRandom } from './tokens.ts'
import { isOfferOrBooking } from './trust.ts'
import { isBehindUser, isBelowUser, isBelowUserAndValue, isOfUser } from './users.ts'
import { asCandidate, isRandomLetters, type WordCode } from './word-value.ts'

const IS = bits('is')
const YOURS = bits('yours')
const RESET = bits('reset')
const USER = bits('user')

/** Up to three words from the start of the line. */
const FIRST_OF_LINE = /(?:^|\n)[ \t*•·–-]{0,4}\p{L}[\p{L}\p{M}'’-]{0,14}(?: [\p{L}\p{M}'’-]{1,12}){0,2} ?$/u

/** "New password": a label, though no word says that it is the reader's own. */
export function isPasswordLabel({ meaning, yours }: Noun): boolean {
  return meaning === 'password' && !yours
}

/**
 * Behind a label, up to the end of the line: letters, digits and marks, in quotes or not. Without a digit, letters as
 * no name has them, or capitals beside each other and a mark behind letters: "YCBDoGoxz#iK".
 */
const PASSWORD =
  /^(?:["']?[ \t.]{0,12}[:=]\s{0,3}|[ \t]{0,3}(?:\.{3,24}|[-=]>|→)[ \t]{0,3}|\t[ \t]{0,3})(["'`*]{0,3})((?:(?=[!-~]*\d)(?=[!-~]*[A-Za-z])|(?=(?:[A-Za-z]*[a-z][A-Z]){2})|(?=[A-Za-z]*[a-z][A-Z])(?=[A-Za-z]*[b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ]{5})|(?=[A-Za-z]+(?:[#$%&+=@^~]|[*!][A-Za-z]))(?=[!-~]*[a-z][!-@]?[A-Z])(?=[!-~]*[A-Z]{2}))[!-~]{5,64}?)\1(?:[.,;]?[ \t]*(?:<\/?br ?\/?>)?(?:\n|$)|\. (?=\p{Lu}))/u
/** The same with letters that are not ASCII, and two digits, or one behind a capital: "Kürbis-4711", "grönTal7". */
const WITH_LETTERS =
  /^[ \t]{0,12}[:=][ \t]{0,3}(["'`*]{0,3})((?=[^\s\d]{0,63}\d[^\s\d]{0,63}\d|[^\s\d]{0,63}\p{Ll}\p{Lu}[^\s\d]{0,63}\d)(?=[!-~]{0,63}[\p{Lu}\p{Ll}])(?=[!-~]{0,63}[^\0-\x7f])[A-Za-z0-9!#$%&*+=?@^~\p{Lu}\p{Ll}-]{5,64}?)\1[.,;]?[ \t]*(?:\n|$)/u
/** The same before a note behind a dash or in brackets: "Password: kX7pQ2mN -- change it". */
const WITH_NOTE =
  /^[ \t]{0,12}[:=][ \t]{0,3}(["'`*]{0,3})((?=[!-~]*\d)(?=[!-~]*[a-z])(?=[!-~]*[A-Z])[!-~]{8,64}?)\1 (?:(?:-{1,2}|–|—) |\()\p{L}/u
/** In the brackets of East Asian texts. */
const IN_BRACKETS =
  /^ ?:? ?()[「『]((?=[!-~]{0,63}\d)(?=[!-~]{0,63}[A-Za-z])[!-~]{5,64})[」』](?= ?(?:\n|$|[。.(,]|です))/
/** "Your password for your account:", and on the next line all three kinds of characters and a mark. */
const BELOW_SENTENCE =
  /^ [^\n:.!?]{3,80} ?:[ \t]*\n\s{0,3}()((?=[!-~]{0,63}\d)(?=[!-~]{0,63}[a-z])(?=[!-~]{0,63}[A-Z])(?=[!-~]{0,63}[#$%&+=@^~!?*])[A-Za-z0-9][!-+.0-~-]{5,63})[ \t]*(?:\n|$)/
/** Before another clause: "Password: Abc123456, please change it"; where no blanks are written, any letters and digits. */
const BEFORE_CLAUSE =
  /^[ \t]{0,12}[:=][ \t]{0,3}()((?=[A-Za-z0-9]{0,63}\d)(?=[A-Za-z0-9]{0,63}[A-Za-z])[A-Za-z0-9]{6,64}(?=[,;。] ?\p{Lo})|(?=[A-Za-z0-9]{0,63}\d)(?=[A-Za-z0-9]{0,63}[a-z])(?=[A-Za-z0-9]{0,63}[A-Z])[A-Za-z0-9]{8,64}(?=[,;] \p{L}))/u
/**
 * Behind "is", without a colon: all three kinds of characters and a mark, as "Xy7#pQ2!" has; letters and a mark behind
 * them, "ZPuiDmtf#"; or digits among the letters from a to f.
 */
const BEHIND_IS =
  /^ (["'`*]{0,3})((?!:)(?:(?=[!-~]*\d)(?=[!-~]*[a-z])(?=[!-~]*[A-Z])(?=[!-~]*(?:[#$%&+=@^~!]|[*?-][!-~]))|(?=[A-Za-z]{2,63}[#$%&+=@^~])(?=[!-~]*[a-z][A-Z])(?=[!-~]*[A-Z]{2})|(?=[\da-f]{16,64}\s)(?=(?:[a-f]{0,16}\d){2})(?=(?:\d{0,16}[a-f]){2}))[!-~]{6,64}?)\1(?:[.,;]?[ \t]*(?:\n|$)|\. (?=\p{Lu}))/u
/** Behind "your password is", any letters and digits that begin with no count: "kayak42". */
const PLAIN_BEHIND_IS =
  /^ (["'`*]{0,3})((?=[!-~]*\d)(?=[!-~]*[A-Za-z])(?!\d{1,3}[a-z]+(?![A-Za-z0-9]))[A-Za-z0-9][A-Za-z0-9!#$%&*+=?@^~]{4,63}?)\1(?:[.,;]?[ \t]*(?:\n|$)|\. (?=\p{Lu}))/u
/** "パスワードです。 kX7pQ2mN": behind the end of a sentence whose verb comes last, alone to the end of its line. */
const BEHIND_SENTENCE =
  /^[.。]\s{0,3}()((?=[A-Za-z0-9]{0,63}\d)(?=[A-Za-z0-9]{0,63}[a-z])(?=[A-Za-z0-9]{0,63}[A-Z])[A-Za-z0-9]{8,64})[ \t]*(?:\n|$)/
/** Behind a label without a colon: a value with all three kinds of characters, or letters as no name has them. */
const BESIDE =
  /^[ \t]{1,4}()((?:(?=[^\s]{0,63}\d)(?=[^\s]{0,63}[a-z])(?=[^\s]{0,63}[A-Z])|(?=[A-Za-z]{0,63}[a-z][A-Z])(?=[A-Za-z]{0,63}[b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ]{5}))[A-Za-z0-9]{8,64})[ \t]*(?:\n|$)/
/** Where no blanks are written, directly behind the word: "臨時密碼oZ28Hlbew1。" */
const GLUED =
  /^ ?()((?=[A-Za-z0-9]{0,24}\d)(?=[A-Za-z0-9]{0,24}[a-z])(?=[A-Za-z0-9]{0,24}[A-Z])[A-Za-z0-9]{8,24})(?![!-~])/
/** But not "Office365Pro2021". */
const GLUED_PIECES = { pieces: 5, longest: 5 }
const WITHOUT_BLANKS = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]/

function glued({ text }: MailText, { end }: Noun, rest: string): RegExpExecArray | null {
  const found = WITHOUT_BLANKS.test(text.charAt(end - 1)) ? GLUED.exec(rest) : null
  return found !== null && isRandom(found[2]!, [GLUED_PIECES]) ? found : null
}

/** The label of a user on the same line has a dash as well: "Username - ines, Password - harbour42". */
const BEHIND_DASH = /^ - ()((?=[!-~]{0,63}\d)(?=[!-~]{0,63}[A-Za-z])[!-~]{5,64}?)[.,;]?[ \t]*(?:\n|$)/
/** Without a user, with a mark among letters and digits: "Password - kx7mr$t9", but not "Password - chapter12". */
const MARKED_BEHIND_DASH =
  /^ - ()((?=[!-~]{0,63}\d)(?=[!-~]{0,63}[A-Za-z])(?=[!-~]{0,63}[#$%&+=@^~!?*])[!-~]{6,64}?)[.,;]?[ \t]*(?:\n|$)/

/** @param isLabel the noun begins its line */
function behindDash(mail: MailText, noun: Noun, rest: string, isLabel: boolean): RegExpExecArray | null {
  if (isBehindUser(mail, noun)) return BEHIND_DASH.exec(rest)
  const found = isLabel || beginsLine(mail, noun) ? MARKED_BEHIND_DASH.exec(rest) : null
  return found !== null && !RULE.test(found[2]!) && !isBelowFile(mail, noun) ? found : null
}

/** "min8chars!", "8+chars": what a form demands of a password. */
const RULE = /^(?:min|max)?\d{1,2}\+?[a-z]{4,}!?$/i

/** "File - plan.pdf", above "Password - Sun&Sea2024": the password of a file. */
function isBelowFile({ lower }: MailText, { start }: Noun): boolean {
  const above = lower
    .slice(Math.max(0, start - FILE_REACH), start)
    .split('\n')
    .at(-2)
  return above?.includes(' - ') === true && FILE.test(above)
}

const FILE = /\.(?:pdf|zip|rar|7z|docx?|xlsx?)\s{0,4}$/
const FILE_REACH = 80

const STARTS_LINE = /(?:^|\n)[ \t*•·–-]{0,4}$/
/** "With the password PuMurFm": letters in both cases to the end of the line. */
const LETTERS_BESIDE =
  /^ ()((?=(?:[A-Za-z]{0,16}?[a-z][A-Z]){2}|[A-Z]{2,8}[a-z])[A-Za-z]{6,16})\.?[ \t]*(?:\n|$)/

function lettersBeside(rest: string): RegExpExecArray | null {
  const found = LETTERS_BESIDE.exec(rest)
  return found !== null && isRandomLetters(found[2]!) ? found : null
}

function belowSentence(rest: string): RegExpExecArray | null {
  const found = BELOW_SENTENCE.exec(rest)
  return found !== null && isRandom(found[2]!) ? found : null
}

/** The same of all three kinds of characters, and the same on a line below "Your password"; but not "Harbour365". */
const RANDOM_BESIDE =
  /^(?: |[ \t]{0,4}\n\s{0,3})(["'`*]{0,3})((?!["'*(])(?![A-Z]?[a-z]{2,20}[A-Z]?[a-z]{0,20}\d{1,4}[.,;]?\s)(?=[!-~]{0,63}\d)(?=[!-~]{0,63}[a-z])(?=[!-~]{0,63}[A-Z])[!-~]{8,64}?(?<![.,;?]))\1[.,;]?[ \t]*(?:\n|$)/

function randomBeside(mail: MailText, noun: Noun, rest: string): RegExpExecArray | null {
  const found = RANDOM_BESIDE.exec(rest)
  if (found === null || !found[0].startsWith('\n')) return found
  return beginsLine(mail, noun) &&
    !isNamedElsewhere(mail, { value: found[2]!, start: noun.end + found[0].indexOf(found[2]!) })
    ? found
    : null
}

/** The next word, if it is of one of these kinds. Languages that write no blanks have it directly behind the place. */
function wordBehind(mail: MailText, place: number, kinds: number): Word | undefined {
  return wordStartingAt(mail, place + 1, kinds) ?? wordStartingAt(mail, place, kinds)
}

/** "is" of the language of a noun, behind it; in some languages "your" is between them: "parola ta este". */
function verbBehind(mail: MailText, noun: Noun): Word | undefined {
  const verb = wordBehind(mail, noun.end, IS)
  if (verb !== undefined) return shareLanguage(verb, IS, noun.word, NOUN_KINDS) ? verb : undefined
  const yours = wordBehind(mail, noun.end, YOURS)
  return yours && wordBehind(mail, endOfAbbreviation(mail, yours), IS)
}

/** Where a word ends with the full stop behind it, which abbreviates it before more words: "dvs. este". */
function endOfAbbreviation({ lower }: MailText, { end }: Word): number {
  return ABBREVIATED.test(lower.slice(end, end + 3)) ? end + 1 : end
}

const ABBREVIATED = /^\. \p{Ll}/u

/** The words of a line before a label: "Your", "New temporary". */
const BEFORE_LABEL = bits('yours', 'secret', 'access', 'signIn', 'user')
/** A value with a letter and a digit or a mark, on the line below a label, as "Password" is. */
const BELOW =
  /^[ \t]{0,4}(?:\([^()\n]{1,80}\))?:?[ \t]{0,4}\n\s{0,3}(["'`*]{0,3})((?!["'*])(?=[!-~]{0,63}[A-Za-z])(?=[!-~]{0,63}[\d#$%&+=@^~!?])[!-~]{6,64}?)\1[ \t]*(?:\n|$)/

/** "Windows11" and "Min8chars", which are no password unless the label of a user is above. */
const WORDS_AND_DIGITS =
  /^(?:[A-Z]?[a-z]{2,20}[A-Z]?[a-z]{0,20}\d{1,4}|[A-Z]?[a-z]{2,10}\d[A-Za-z][a-z]{3,20})$/

/** "Your password", and on the next line "Xy7#pQ2!": the line of the label says nothing else. */
function belowLabel(mail: MailText, noun: Noun, rest: string): RegExpExecArray | null {
  if (noun.start <= mail.subjectEnd) return null
  const found = BELOW.exec(rest)
  if (found === null) return null
  if (WORDS_AND_DIGITS.test(found[2]!) && !isBelowUserAndValue(mail, noun.start)) return null
  const from = mail.text.lastIndexOf('\n', noun.start - 1) + 1
  const words = wordsFrom(mail.words, from, noun.start).filter(({ kinds }) => (kinds & BEFORE_LABEL) !== 0)
  let place = from
  for (const { start, end } of words)
    if (start >= place && mail.text.slice(place, start).trim() === '') place = end
  if (/\p{L}/u.test(mail.text.slice(place, noun.start)) && !isAdjective(mail, place, noun.start)) return null
  const value = { value: found[2]!, start: noun.end + found[0].indexOf(found[2]!) }
  return isNamedElsewhere(mail, value) ? null : found
}

/** "New", but not "Reset your". */
function isAdjective({ lower, words }: MailText, from: number, to: number): boolean {
  if (to - from > ADJECTIVE_MAX) return false
  const isVerb = wordsFrom(words, from, to).some(({ kinds, end }) => (kinds & RESET) !== 0 && end <= to)
  return !isVerb && saysIn('change', fold(lower.slice(from, to)))
}

/**
 * "Password: kX7p#Q2m", "Your password is: kX7p#Q2m", with marks that other codes do not have; or the line
 * "- password kX7pQ2mN".
 */
export function statedPassword(mail: MailText, noun: Noun): WordCode | null {
  const { text } = mail
  const is = verbBehind(mail, noun)
  const end = is?.end ?? endOfAdjective(mail, noun)
  const rest = text.slice(end, end + 160)
  if (PROSE.test(rest) && !BELOW_SENTENCE.test(rest)) return null
  const isLabel = end === noun.end && STARTS_LINE.test(text.slice(Math.max(0, noun.start - 6), noun.start))
  const isBehindIs = end > noun.end
  const found =
    (isBehindIs ? BEHIND_IS.exec(rest) : null) ??
    PASSWORD.exec(rest) ??
    (isPlain(rest) ? null : WITH_LETTERS.exec(rest)) ??
    WITH_NOTE.exec(rest) ??
    IN_BRACKETS.exec(rest) ??
    BEFORE_CLAUSE.exec(rest) ??
    (isLabel ? BESIDE.exec(rest) : null) ??
    behindDash(mail, noun, rest, isLabel) ??
    glued(mail, noun, rest) ??
    (is === undefined ? belowLabel(mail, noun, rest) : null) ??
    (noun.yours ? (lettersBeside(rest) ?? randomBeside(mail, noun, rest) ?? belowSentence(rest)) : null) ??
    (isBehindIs ? BEHIND_SENTENCE.exec(rest) : null) ??
    (isStatedAsYours(mail, noun, is) ? PLAIN_BEHIND_IS.exec(rest) : null)
  if (found === null) return null
  const value = found[2]!
  // Below a subject about a password, "Acme.example:" is a label.
  if (DAY_AND_TIME.test(value) || value.endsWith(':')) return null
  const start = end + found[0].indexOf(value)
  const isElse = isOfferOrBooking(mail, asCandidate({ value, start }))
  const isMeant = isBelowUser(mail, noun.start) || isInSubject(mail, 'password')
  return isElse && !isMeant ? null : { value, start }
}

/** Words of a sentence: of all expressions for values, only the one for a value on the next line matches them. */
const PROSE = /^ [\p{Ll}\p{Lo}\p{M}]+ /u

/** "Password requested: 2026-11-30T10:00:00" */
const DAY_AND_TIME = /^\d{4}-\d\d-\d\dT\d\d:/

/** "Your password is", in one language, and not "your one-time password is". */
function isStatedAsYours(mail: MailText, noun: Noun, is: Word | undefined): boolean {
  return is !== undefined && noun.yours && noun.meaning === 'password' && endsWithIs(mail, noun, is.end)
}

/** A candidate before a mark: "Tempk4x9zq57!" at the end of a line, below the word for a password, is one with its mark. */
export function withMark(mail: MailText, candidate: Candidate): Candidate {
  const { text } = mail
  const { start, end, value, digits } = candidate
  if (digits || !/^!(?:\n|$)/.test(text.slice(end, end + 2)) || !/[a-z]/.test(value)) return candidate
  const noun = lastBefore(mail.nouns, start)
  if (noun === undefined || !saysPassword(mail, noun)) return candidate
  return { ...candidate, end: end + 1, value: `${value}!` }
}

/** "Password: kX7pQ2mN" below "Login: ines". */
export function passwordsBelowUser(mail: MailText, passwords: Noun[]): WordCode[] {
  const found = new Map<string, WordCode>()
  for (const noun of passwords) {
    if (!isBelowUser(mail, noun.start)) continue
    const password = statedPassword(mail, noun)
    if (password !== null) found.set(password.value, password)
  }
  return [...found.values()]
}

/** Characters from a noun to the colon behind an adjective. */
export const ADJECTIVE_MAX = 20
const OF_LABEL = bits('yours', 'secret', 'access', 'signIn')
const ADJECTIVE = /^ ([\p{L}\p{M}]{2,16}(?: [\p{L}\p{M}]{2,16})?)(?=[ \t]{0,3}(?::| - |\n))/u

/**
 * Where "contraseña nueva" ends: "new", "initial" or "yours" may follow the noun, or what it is for, and below the label
 * of a user, any adjective.
 */
function endOfAdjective(mail: MailText, { start, end }: Noun): number {
  const found = ADJECTIVE.exec(mail.lower.slice(end, end + 40))
  if (found === null) return end
  const words = fold(found[1]!)
  const last = end + found[0].length
  // "The password PuMurFm", to the end of the line.
  if (!WORDS.test(mail.text.slice(end + 1, last))) return end
  const isOfLabel =
    saysIn('change', words) ||
    saysIn('temporary', words) ||
    isChangedTo(mail, end, last) ||
    hasLabelWord(mail, end, last) ||
    (mail.text[last] !== '\n' && isBelowUser(mail, start))
  return isOfLabel ? last : end
}

/** "Your password was changed to:", in languages whose word for that follows. */
function isChangedTo({ lower }: MailText, end: number, last: number): boolean {
  if (lower[last] !== ':' || !TO.test(lower.slice(end, last))) return false
  return saysIn('changed', fold(lastSentence(lower.slice(Math.max(0, end - CHANGED_REACH), last))))
}

/** In letters as they are compared. */
const TO = /^ (?:to|til|till|na|in|auf|zu|naar|на|إلي|الي)$/
const CHANGED_REACH = 60

const WORDS = /^\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+(?: \p{Lu}?[\p{Ll}\p{Lo}\p{M}]+)?$/u

/** Whether the last word of a label says that the password is the reader's, or what it is for. */
function hasLabelWord({ words }: MailText, from: number, to: number): boolean {
  return wordsFrom(words, from, to).some(({ kinds, end }) => (kinds & OF_LABEL) !== 0 && end === to)
}

/** Whether a label begins its line, with up to three words before the noun. */
export function beginsLine({ text }: MailText, { start }: Noun): boolean {
  return FIRST_OF_LINE.test(text.slice(Math.max(0, start - 32), start))
}

/** A value in quotes with a letter and a digit, or letters as no name has them: "fXtTFjVg". */
const QUOTED =
  /["'“”„«»‘’「『] ?((?:(?=[^ ]{0,24}\d)(?=[^ ]{0,24}[A-Za-z])|(?=(?:[A-Za-z]{0,16}?[a-z][A-Z]){3})|(?=[A-Za-z]{0,24}[a-z][A-Z])(?=[A-Za-z]{0,24}[b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ]{5}))[A-Za-z0-9!#$%&*+=?@^~-]{6,24}) ?["'“”»«’」』]/g
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
export function quotedPassword(mail: MailText): WordCode[] {
  const { text, lower, subjectEnd } = mail
  const found = new Map<string, WordCode>()
  for (const match of matchesOf(text.slice(subjectEnd), QUOTED, QUOTED_MAX)) {
    const value = match[1]!
    const start = subjectEnd + match.index + match[0].indexOf(value)
    const before = lastSentence(lower.slice(Math.max(0, start - QUOTED_REACH.before), start - 1))
    // Letters alone may be the name of a product: "NorthStar".
    if (!/\d/.test(value) && !isBehindIs(mail, start - 1)) continue
    const mustBeDirect = !RANDOM_VALUE.test(value)
    if (mustBeDirect && !isDirectlyBehindPassword(before)) continue
    const end = start + value.length + 1
    if (isOfUser(mail, { start: start - 1, end })) continue
    const after = () => fold(firstSentence(lower.slice(end, end + QUOTED_REACH.after)))
    if (mustBeDirect || saysIn('password', fold(before)) || saysIn('password', after()))
      found.set(value, { value, start })
    if (found.size > 1) break
  }
  return found.size === 1 ? [...found.values()] : []
}

/** Whether "is" of the language of a word for a password is before a quotation mark. */
function isBehindIs(mail: MailText, quote: number): boolean {
  const place = mail.lower.slice(0, quote).trimEnd().length
  return mail.nouns.some(
    (noun) => noun.meaning === 'password' && noun.end <= place && endsWithIs(mail, noun, place),
  )
}

/** The rest of a line that speaks of a password, and below it a value as few names are: "mW3vB9sa". */
const RANDOM_BELOW =
  /^[^\n\d:]{0,40}\n\s{0,3}((?=[A-Za-z0-9]{0,24}\d[A-Za-z])(?=[a-z0-9]{0,24}[A-Z])(?=[A-Z0-9]{0,24}[a-z])[A-Za-z0-9]{8,24})[ \t]*(?:\n|$)/

/** "Yeni şifreniz aşağıda", and on the next line the password, whatever the word for "below" is. */
export function passwordBelow(mail: MailText): WordCode[] {
  if (mail.purposes.length === 0) return []
  for (const noun of mail.nouns) {
    if (noun.meaning !== 'password' || noun.end <= mail.subjectEnd) continue
    const found = RANDOM_BELOW.exec(mail.text.slice(noun.end, noun.end + 80))
    if (found === null) continue
    const value = { value: found[1]!, start: noun.end + found[0].lastIndexOf(found[1]!) }
    const isUser = hasWord(mail.words, USER, noun.end, value.start)
    return isUser || isNamedElsewhere(mail, value) ? [] : [value]
  }
  return []
}

/** Characters of the longest word for a password and what may follow it. */
const PASSWORD_WORD_MAX = 64

/** The text ends with a word for a password. */
function isDirectlyBehindPassword(text: string): boolean {
  const end = fold(text.slice(-PASSWORD_WORD_MAX))
  const word = matchesOf(end, SAYS_PASSWORD).at(-1)
  return word !== undefined && DIRECTLY.test(end.slice(word.index + word[0].length))
}

export function saysPassword({ lower }: MailText, { start, end }: Noun): boolean {
  return saysIn('password', fold(lower.slice(start, end)))
}
