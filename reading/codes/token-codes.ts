import { fold } from '../lexicon/plain.ts'
import { bits, hasWord } from '../lexicon/words.ts'
import { saysIn } from '../links/phrases.ts'
import type { Candidate } from './candidates.ts'
import { endOfGroups } from './groups.ts'
import { isInSubject, type MailText, wordStartingAt } from './mail-text.ts'
import { matchesOf } from './matches.ts'
import { isNamedElsewhere } from './names.ts'
import type { Noun } from './nouns.ts'
import { joinedValues } from './pairs.ts'
import { asksBefore, endsWithIs, firstSentence, lastSentence, startsWithVerb } from './phrases.ts'
import { isRandom, MIXED_HEX } from './tokens.ts'
import { asksToEnter, isMeeting, isOffer, isTrusted } from './trust.ts'
import { asCandidate, MAX_TRIED, type WordCode } from './word-value.ts'

const IS = bits('is')
const YOURS = bits('yours')
const INVITATION = bits('invitation')

/** Letters and digits, as no word and few names have them. */
const LONG_TOKEN =
  /^(?:(?=(?:.*\d){2})(?=(?:.*[A-Za-z]){2})|(?=(?:.*[a-z][A-Z]){3})(?=.*[^aeiouy]{5}))[A-Za-z0-9]{12,90}$/
/** What follows a token that ends its sentence, and the end of a line. */
const ENDS_SENTENCE = /^[\s"'”»)]{0,8}[.。।]?[ \t]{0,8}(?:\n|$)/
/** Behind a colon, another sentence may follow in the same line. */
const BEFORE_SENTENCE = /^[.。] \p{Lu}/u
/** A value in quotes or not, with a digit before a letter, and no part of a larger one; or a UUID. */
const ASKED =
  /^ (?:["“„«]([A-Za-z0-9]{5,64})["”“»]|([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[A-Za-z0-9]{5,64})(?![\p{L}\p{N}@"_/+-]|[.:=~#&!*]+[\p{L}\p{N}]))/u
const DIGIT_IN_LETTERS = /\d[A-Za-z]/
/** Without quotes it has all three kinds of characters, as no word of small letters and no unit has. */
const ALL_KINDS = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])/
/** Letters in both cases as no name has them: "zpFEqE". */
const RANDOM_LETTERS =
  /^(?=(?:[A-Za-z]*[a-z][A-Z]){2})(?=[A-Za-z]*[b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ]{3})[A-Za-z]{5,12}$/
/** Three letters and a dash, and more letters and digits than a group of a code has. */
const PREFIXED = /^ ?[:=]? ?[A-Z]{3}-([A-Z\d]{6,8})(?![\p{L}\p{N}_-])/u

/** "Your OTP is NMP-L3W5SDKD", as in Singapore: the page shows the letters, and the reader types the rest. */
export function prefixed(mail: MailText, noun: Noun): WordCode | null {
  if (!mail.lower.slice(noun.start, noun.end).endsWith('otp')) return null
  const end =
    wordStartingAt(mail, noun.end + 1, IS)?.end ?? wordStartingAt(mail, noun.end + 1, YOURS)?.end ?? noun.end
  const shown = PREFIXED.exec(mail.text.slice(end, end + 20))
  return shown === null ? null : { value: shown[1]!, start: end + shown[0].length - shown[1]!.length }
}

/** Several digits among the letters from a to f, as no word and no name has them. */
const HEX_DIGITS = String.raw`${MIXED_HEX}[\da-f]{8,64}`
const HEX = new RegExp(`^${HEX_DIGITS}$`)

/** Behind a value that is no part of a larger one. */
const END = String.raw`(?![\p{L}\p{N}@_/+{}<>$%^|\\-]|[.:=~#&!*]+[\p{L}\p{N}])`
/** Such digits directly behind a noun. */
const HEX_BEHIND = new RegExp(`^ (${HEX_DIGITS})${END}`, 'u')
/** Letters and digits in groups, directly behind a noun. */
const GROUPS = String.raw`(?=[A-Z-]{0,23}\d|[a-z-]{0,23}\d)[A-Za-z0-9]{1,12}(?:-[A-Za-z0-9]{1,12}){1,3}`
const DASHED = new RegExp(`^ ["“„«]?(${GROUPS})${END}`, 'u')
/** A date, a telephone number, "30-min", "2-factor", "1-Jan". */
const NO_TOKEN = /^(?:[\d-]+|\d{1,2}-[A-Za-z]+)$/

/**
 * "Use the invitation code SONNE-KITA-5R", "activation code 7ad02f91c4": a value right behind a noun that cannot mean
 * another kind of code.
 */
export function namedTokens(mail: MailText): WordCode[] {
  for (const noun of mail.nouns.slice(0, MAX_TRIED)) {
    if (noun.meaning !== 'verification' && noun.meaning !== 'invitation') continue
    const end = endOfSuffix(mail.text, noun.end)
    const is = wordStartingAt(mail, end + 1, IS)
    // In "kód pozvánky", the word for an invitation follows.
    const invitation = wordStartingAt(mail, end + 1, INVITATION)
    const from = is !== undefined && endsWithIs(mail, noun, is.end) ? is.end : (invitation?.end ?? end)
    const behind = mail.text.slice(from, from + 80)
    const value = DASHED.exec(behind)?.[1] ?? HEX_BEHIND.exec(behind)?.[1]
    if (value === undefined || NO_TOKEN.test(value)) continue
    const start = from + behind.indexOf(value)
    const isGroup = endOfGroups(mail.text, { start, end: start + value.length }) !== -1
    if (isGroup || isNamedElsewhere(mail, { value, start })) continue
    if (isTrustedWord(mail, noun, { value, start }) && !reportsCreation(mail, start))
      return joinedValues(mail, { value, start })
  }
  return []
}

/** 'Enter the code "8d2d130a45"', "enter the code 9o1qjF": a value right behind a noun that is to be typed. */
export function askedTokens(mail: MailText): WordCode[] {
  for (const noun of mail.nouns.slice(0, MAX_TRIED)) {
    if (noun.meaning === 'password' || noun.meaning === 'other' || !asksBefore(mail, noun)) continue
    const shown = ASKED.exec(mail.text.slice(noun.end, noun.end + 80))
    if (shown === null) continue
    const value = (shown[1] ?? shown[2])!
    const isRandom = RANDOM_LETTERS.test(value)
    if (!isRandom && !DIGIT_IN_LETTERS.test(value)) continue
    const isOdd = isRandom || ALL_KINDS.test(value) || HEX.test(value.replaceAll('-', ''))
    if (shown[1] === undefined && !isOdd) continue
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
  return saysIn('created', fold(`${lastSentence(before)}${firstSentence(after)}`))
}

/** What the nouns mean that may be labels of long tokens. */
const LABELS: ReadonlySet<Noun['meaning']> = new Set(['verification', 'probable', 'invitation'])

/** Long tokens right behind a noun, "Confirmation code 4b5e90a968d1757b", or alone below one. */
export function longTokens(mail: MailText): WordCode[] {
  const { text } = mail
  const nouns = mail.nouns.filter(({ meaning }) => LABELS.has(meaning))
  for (const noun of nouns.slice(0, MAX_TRIED)) {
    const from = endOfSuffix(text, noun.end)
    const shown = /^(:?)[ \t"'“„«(*`]{1,4}([A-Za-z0-9]+)/.exec(text.slice(from, from + 80))
    if (shown === null || !LONG_TOKEN.test(shown[2]!)) continue
    const end = from + shown[0].length
    if (noun.meaning === 'invitation' && !isLabelOfInvitation(mail, noun, shown, end)) continue
    const rest = text.slice(end, end + 8)
    if (
      ENDS_SENTENCE.test(rest) ||
      (shown[1] !== '' && BEFORE_SENTENCE.test(rest)) ||
      startsWithVerb(mail, noun, end)
    )
      return [{ value: shown[2]!, start: end - shown[2]!.length }]
  }
  const mayBeAlone = nouns.some(({ meaning }) => meaning !== 'invitation') || isBareButAsked(mail)
  const alone = mayBeAlone && text.length <= ALONE_MAX ? tokenAlone(mail) : null
  return alone === null ? [] : [alone]
}

/** "Invitation code: 8f2c…", for a reader who was invited; "An invitation 8f2c…" may be the name of one. */
function isLabelOfInvitation(mail: MailText, noun: Noun, [, colon, value]: string[], end: number): boolean {
  const start = end - value!.length
  const isMeant = isInSubject(mail, 'invitation') || mail.hasExpiry || mail.purposes.length > 0
  return (
    colon !== '' &&
    isMeant &&
    isTrustedWord(mail, noun, { value: value!, start }) &&
    !reportsCreation(mail, start)
  )
}

/** "To change your password, enter the code below": no other kind of code is in the mail. */
function isBareButAsked(mail: MailText): boolean {
  return (
    (mail.purposes.length > 0 || (mail.hasExpiry && mail.hasWarning)) &&
    mail.nouns.every(({ meaning }) => meaning === 'code' || meaning === 'password') &&
    asksToEnter(mail)
  )
}

/** Where a word with endings that the lexicon does not have ends. */
function endOfSuffix(text: string, from: number): number {
  return from + /^[\p{L}\p{M}]{0,8}/u.exec(text.slice(from, from + 8))![0].length
}

/** Letters and digits, a UUID, or all that base64 has for addresses. */
const LINE_OF_TOKEN =
  /^[ \t*`]*([A-Za-z0-9]{12,64}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?=[\w-]{0,90}\d)(?=(?:[\w-]{0,90}?[a-z][A-Z]){3})[A-Za-z0-9][\w-]{22,90}[A-Za-z0-9])[ \t*`]*$/gm
/** A longer mail has tokens of other kinds. */
const ALONE_MAX = 1200

/** The only long token that is alone on its line, in a mail that asks to enter a code. */
function tokenAlone(mail: MailText): WordCode | null {
  const isAsked = asksToEnter(mail) || mail.nouns[0]!.end <= mail.subjectEnd
  if (!mail.hasWarning || !isAsked) return null
  const lines = matchesOf(mail.text, LINE_OF_TOKEN).filter(([, value]) =>
    LONG_TOKEN.test(value!.replace(/[-_]/g, '')),
  )
  const [only] = lines
  if (only === undefined || lines.length > 1) return null
  return { value: only[1]!, start: only.index + only[0].indexOf(only[1]!) }
}

/** A value with a letter and a digit, alone on its line. */
const LINE_OF_VALUE =
  /^[ \t]{0,12}((?=[!-~]{0,90}\d)(?=[!-~]{0,90}[A-Za-z])[A-Za-z0-9][\w!.~+-]{10,88}[A-Za-z0-9])[ \t]{0,4}$/gm
/** What precedes the value of an address. */
const BEFORE_IN_LINK = /[=/]$/
const PARAGRAPH_REACH = 200
/** Characters of the text or the HTML in which the link may be. */
const LINK_WINDOW = 128 * 1024

/**
 * "Use this code to restore your password:", and below it "214!8NMHRX9GD…": whatever a value alone on its line looks
 * like, it is a code if a link of the mail has it as well. Orders and vouchers have other codes.
 */
export function valueOfLink(mail: MailText): WordCode[] {
  const { text, nouns, subjectEnd } = mail
  if (!nouns.some(({ meaning }) => meaning === 'verification')) return []
  const written = mail.written.slice(0, LINK_WINDOW)
  for (const match of matchesOf(text, LINE_OF_VALUE, VALUES_TRIED)) {
    const value = match[1]!
    const start = match.index + match[0].indexOf(value)
    const above = text.slice(Math.max(subjectEnd, match.index - PARAGRAPH_REACH), match.index).trimEnd()
    const paragraph = above.slice(above.lastIndexOf('\n\n') + 1)
    if (start < subjectEnd || !paragraph.endsWith(':')) continue
    const from = match.index - PARAGRAPH_REACH
    const isNamed = nouns.some(
      (noun) => noun.meaning === 'verification' && noun.start >= from && noun.end <= start,
    )
    if (!isNamed) continue
    const inLink = written.indexOf(value)
    const places = [inLink, written.indexOf(value, inLink + 1)]
    if (places.some((place) => place > 0 && BEFORE_IN_LINK.test(written.slice(place - 1, place))))
      return [{ value, start }]
  }
  return []
}

const VALUES_TRIED = 4

/** "Your new password: 804615273948". */
const PASSWORD_OF_DIGITS = /^\d{11,16}$/

export function isTrustedWord(mail: MailText, noun: Noun, code: WordCode): boolean {
  const candidate = asCandidate(code)
  if (noun.meaning !== 'password') return isTrusted(mail, noun, candidate, true)
  // "Here is your password", and nothing else about signing in.
  const isClear =
    mail.purposes.length > 0 ||
    (noun.yours && PASSWORD_OF_DIGITS.test(code.value)) ||
    (isRightBelow(mail, noun, code) && isRandom(code.value) && !isOfSomethingElse(mail, candidate))
  return isClear && !isOffer(mail, candidate)
}

/** Eight characters or more behind "your password", or "your password is", with nothing else between them. */
function isRightBelow(mail: MailText, noun: Noun, { value, start }: WordCode): boolean {
  const from = wordStartingAt(mail, noun.end + 1, IS)?.end ?? noun.end
  return noun.yours && value.length >= 8 && /^[\s:"'“„«]*$/.test(mail.text.slice(from, start))
}

/** The password of a meeting, a network, or a file. */
function isOfSomethingElse(mail: MailText, candidate: Candidate): boolean {
  return (
    isMeeting(mail, candidate) || hasWord(mail.words, NETWORK, 0, mail.lower.length) || FILE.test(mail.lower)
  )
}

const NETWORK = bits('network')
const FILE = /(?<![a-z])(?:pdf|zip)(?![a-z])/
