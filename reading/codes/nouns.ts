import { OTHER_CODE } from '../lexicon/language.ts'
import { isSpacedLetter, LAST_ASCII, table, wordStart } from '../lexicon/letters.ts'
import { fold } from '../lexicon/plain.ts'
import { bits, hasWord, NOUN_KINDS, partsOf, shareLanguage, type Word, wordsFrom } from '../lexicon/words.ts'
import { saysIn } from '../links/phrases.ts'
import { hasDigitsIn, isDigit } from './tokens.ts'
import { isPassOfUser } from './users.ts'

/**
 * - `verification`: can only be a verification code.
 * - `probable`: a confirmation or access code. A booking or a meeting has these as well.
 * - `invitation`: a code for a sign-up form, unless the mail offers a reward for passing it on.
 * - `code`: a code of an unknown kind.
 * - `password`: a password, which most mails only mention.
 * - `other`: a code of another kind, as in "postal code".
 */
export type Meaning = 'verification' | 'probable' | 'invitation' | 'code' | 'password' | 'other'

/** A word for a code in a mail, with the meaning that its neighbours give it. */
export interface Noun {
  start: number
  end: number
  meaning: Meaning
  /** The code is the reader's own, as in "your code", or the noun stands alone as a label. */
  yours: boolean
  word: Word
}

const CODE = bits('code')
const VERIFICATION = bits('verificationCode')
const PASSWORD = bits('password')
const PROVES = bits('verify', 'signIn', 'reset', 'secret')
const MAY_PROVE = bits('confirm', 'access')
const CONFIRMS = bits('confirm')
/** What a mail that asks for a code says apart from its label. */
const ASKS = PROVES | CONFIRMS
const INVITATION = bits('invitation')
const YOURS = bits('yours')
const OTHER_NUMBER = bits('otherNumber')
const LABELS = bits('verify', 'confirm')
const VERIFIES = bits('verify')
const IS = bits('is')
const FREE = bits('yours', 'is', 'enter')
const PASS = bits('password', 'access')
const NETWORK = bits('network')
const MEETING = bits('meeting')

const SPACE = 0x20
const COLON = 0x3a
const DASH = 0x2d

/** More nouns than any real mail has. It bounds the work for a mail that consists of nouns. */
const NOUNS_MAX = 16

/** The nouns of a mail in order. None is inside of another. */
export function findNouns(text: string, lower: string, words: Word[]): Noun[] {
  const found: Noun[] = []
  let examined = 0
  for (const word of words) {
    if ((word.kinds & NOUN_KINDS) === 0 && !isLabel(text, lower, word)) continue
    if ((word.kinds & PASS) === PASS && !isPassOfUser(text, lower, words, word)) continue
    if (++examined > NOUNS_MAX) break
    const last = found.at(-1)
    if (last !== undefined && word.start < last.end) {
      // "sms-code" inside of "sms-codes for you": the longer one that begins no later says more
      if (word.start > last.start || word.end <= last.end) continue
      found.pop()
    }
    const noun = nounOf(phraseAround(text, lower, words, word))
    if (noun === null) continue
    const isOfNetwork =
      noun.meaning === 'password' &&
      (isBehindNetwork(lower, words, noun.start) || isNameOfNetwork(lower, words, noun))
    const isOther =
      isOfNetwork ||
      isBelowMeeting(lower, words, noun.start) ||
      isNumberOfPayment(lower, words, noun) ||
      isOfLatinThing(text, noun)
    found.push(isOther ? { ...noun, meaning: 'other', yours: false } : noun)
  }
  return found
}

/**
 * "Confirmation: 482913" and "Verification: XY7Z89" leave the noun out; "registration confirmed: HGVR3" and
 * "Verified: XY7Z89" have none.
 */
function isLabel(text: string, lower: string, { start, end, kinds }: Word): boolean {
  if ((kinds & LABELS) === 0 || !isBeforeColon(text, end)) return false
  if (STARTS_NUMBER.test(text.slice(end, end + 10))) return true
  const isBeforeMixed = (kinds & VERIFIES) !== 0 && STARTS_MIXED.test(text.slice(end, end + 14))
  return isBeforeMixed && saysIn('confirming', fold(lower.slice(start, end)))
}

/** Whether a colon, behind a blank or not, is at a place. */
function isBeforeColon(text: string, place: number): boolean {
  const code = text.charCodeAt(place)
  return (code === SPACE ? text.charCodeAt(place + 1) : code) === COLON
}

/** "Número de confirmação: 0482913" near an amount: the number of a payment. */
function isNumberOfPayment(lower: string, words: Word[], { start, end, word }: Noun): boolean {
  if ((word.kinds & (NOUN_KINDS | CONFIRMS)) !== CONFIRMS) return false
  const isNumber = (one: Word) =>
    (one.kinds & OTHER_NUMBER) !== 0 &&
    BETWEEN.test(lower.slice(one.end, start)) &&
    shareLanguage(one, OTHER_NUMBER, word, CONFIRMS)
  if (!wordsFrom(words, start - NUMBER_REACH, start).some(isNumber)) return false
  if (!AMOUNT.test(lower.slice(Math.max(0, start - AMOUNT_REACH), end + AMOUNT_REACH))) return false
  return !words.some((one) => (one.kinds & ASKS) !== 0 && (one.end <= start || one.start >= end))
}

/** How far before a label "number of" may begin. */
const NUMBER_REACH = 16
const BETWEEN = /^ ?(?:\p{L}{1,3} )?$/u
const AMOUNT =
  /\d[.,]\d\d ?(?:[€£$¥₹₪₺₽₴]|eur|usd|gbp|chf|brl|tl|pln|zł|kr)(?!\p{L})|(?:[€£$¥₹₪₺]|(?<!\p{L})(?:eur|usd|gbp|chf|brl)) ?\d[\d.,]*[.,]\d\d(?!\d)/u
const AMOUNT_REACH = 200

/** How far before a password the word for a wireless network may be. */
const NETWORK_REACH = 80

/** "Wi-Fi: Harbour-Guest, password: kX7pQ2mN": the password of a network proves nothing to the sender of the mail. */
export function isBehindNetwork(lower: string, words: Word[], place: number): boolean {
  return wordsFrom(words, place - NETWORK_REACH, place).some(
    ({ kinds, end }) => (kinds & NETWORK) !== 0 && !/\n[ \t]*\n/.test(lower.slice(end, place)),
  )
}

/** "Wifi-jelszó", "Лозинка за Wi-Fi". */
function isNameOfNetwork(lower: string, words: Word[], { start, end }: Noun): boolean {
  return wordsFrom(words, start, end + NETWORK_BEHIND).some(
    (word) => (word.kinds & NETWORK) !== 0 && (word.start < end || TIES.test(lower.slice(end, word.start))),
  )
}

const NETWORK_BEHIND = 10

/** The number of a video meeting, on the line above or before a comma: "881 2047 7719". */
const MEETING_NUMBER = /(?<![\d+] ?)\d{3} \d{3,4} \d{3,4}(?:\s*\n[^\n]{0,40}|[,;] ?)$/
const MEETING_NUMBER_MAX = 64
/** Digits of the shortest one. */
const MEETING_DIGITS = 9
const OF_MEETING = /^\d{3} \d{4} \d{4}/
const ID = /(?<!\p{L})id(?!\p{L})/u
const BEFORE_NUMBER = /[:：] ?$/
const SERVICE = /(?<!\p{L})(?:zoom|webex) ?[:：]? ?$/u
const LABEL_MAX = 60

/** "Meeting ID: 881 2047 7719", above "Passcode: 330418"; the label of the number is one of a meeting. */
function isBelowMeeting(lower: string, words: Word[], place: number): boolean {
  if (!hasDigitsIn(lower, place - MEETING_NUMBER_MAX, place, MEETING_DIGITS)) return false
  const before = lower.slice(Math.max(0, place - MEETING_NUMBER_MAX), place)
  const found = MEETING_NUMBER.exec(before)
  if (found === null) return false
  const number = place - before.length + found.index
  const from = Math.max(lower.lastIndexOf('\n', number) + 1, number - LABEL_MAX)
  const label = lower.slice(from, number)
  if (SERVICE.test(label)) return true
  // A telephone number has other groups: "Appointments: 881 204 7719".
  if (!ID.test(label) && !OF_MEETING.test(found[0])) return false
  return BEFORE_NUMBER.test(label) && hasWord(words, MEETING, from, number)
}

/** A word of Latin letters that a word of a script without spaces is written behind. */
const LATIN = /(?<![A-Za-z])([A-Za-z]{2,16}) ?$/
const LATIN_MAX = 18
/** Meetings and files, whose passwords are for everyone who has them. */
const SHARED = /^(?:zoom|webex|teams|zip|pdf|rar)$/i
/** Things and places with codes that prove nothing. */
const THINGS = /^(?:jan|ean|upc|isbn|issn|sku|gps|vip|web|html|css|json|xml|sql|java|python|ascii)$/i
/** The word for the password of a meeting, and in other mails for a code. */
const PASSCODE = 'パスコード'

/** "ZIPパスワード", "JANコード": a thing is named in Latin letters; but not "Zoom認証コード". */
function isOfLatinThing(text: string, { start, meaning, word }: Noun): boolean {
  if (text.charCodeAt(start) <= LAST_ASCII || isSpacedLetter(text.charCodeAt(start))) return false
  const name = LATIN.exec(text.slice(Math.max(0, start - LATIN_MAX), start))?.[1]
  if (name === undefined) return false
  if (meaning === 'verification') return SHARED.test(name) && text.startsWith(PASSCODE, word.start)
  return SHARED.test(name) || (meaning === 'code' && THINGS.test(name))
}

const STARTS_NUMBER = /^ ?: ?[*"'«([]{0,2}(?:\d[ -]?){3}/
/** Two digits and two capitals, to the end of the line. */
const STARTS_MIXED = /^ ?: ?(?=[A-Z]*\d[A-Z]*\d)(?=\d*[A-Z]\d*[A-Z])[A-Z\d]{6,8}(?:\n|$)/
const STARTS_VALUE = /^ ?: ?[^\s]/

/** Longest phrase around a noun, and how far after the noun a word still qualifies it. */
const BEFORE = 32
const AFTER = 40
const QUALIFIES_AFTER = 28

/** A word that may be a noun, and the words of its phrase. */
interface Phrase {
  lower: string
  word: Word
  /**
   * Where the phrase starts, and where the whole word does: "Sicherheitscode" starts before "code".
   */
  start: number
  head: number
  /** All words of the mail. */
  words: Word[]
  /** The parts of a compound, the words before it, and the words after it. */
  compound: Word[]
  leading: Word[]
  trailing: Word[]
}

function phraseAround(text: string, lower: string, words: Word[], word: Word): Phrase {
  const { start, end } = word
  const head = wordStart(lower, start)
  const from = phraseStart(lower, start)
  return {
    lower,
    word,
    start: from,
    head,
    words,
    compound: head < start ? partsOf(text, lower, head, start) : [],
    leading: wordsFrom(words, from, head).filter((one) => one.end <= start),
    trailing: wordsFrom(words, end, phraseEnd(lower, end)),
  }
}

function nounOf(phrase: Phrase): Noun | null {
  const { word, head } = phrase
  const { kinds } = word
  if ((kinds & VERIFICATION) !== 0 && !isAttached(phrase, OTHER_CODE))
    return { start: head, end: word.end, meaning: 'verification', yours: true, word }
  const yours = isYours(phrase)
  const noun = (meaning: Meaning, end = word.end): Noun => ({ start: head, end, meaning, yours, word })
  // "password to confirm the payment"; that of an account or a customer is one too
  if ((kinds & (PASSWORD | CODE)) === PASSWORD)
    return noun(hasKind(CONFIRMS, phrase.trailing) ? 'verification' : 'password')
  if (isOtherCode(phrase)) return { ...noun('other'), yours: false }

  const near = qualifiersOf(phrase)
  const proof = near.find((one) => (one.kinds & PROVES) !== 0)
  if (proof !== undefined) return noun('verification', endWith(word, proof))
  if ((kinds & NOUN_KINDS) === 0) return noun((kinds & PROVES) !== 0 ? 'verification' : 'probable')
  // "TOKEN: K7PM2X9Q", "your token is 802052"
  if ((kinds & CODE) === 0) {
    if (!yours || !introducesValue(phrase)) return null
    return noun(isPreceded(phrase, INVITATION) ? 'invitation' : 'code')
  }
  if ((kinds & INVITATION) !== 0 || isPreceded(phrase, INVITATION)) return noun('invitation')
  const invitation = followedBy(phrase, INVITATION, TIES)
  if (invitation !== undefined) return noun('invitation', endWith(word, invitation))
  const hint = [word, ...near].find((one) => (one.kinds & MAY_PROVE) !== 0)
  if (hint !== undefined) return noun('probable', endWith(word, hint))
  return isPartOfAnotherWord(phrase) ? null : noun('code')
}

function introducesValue({ lower, word: { end }, trailing }: Phrase): boolean {
  if (STARTS_VALUE.test(lower.slice(end, end + 4))) return true
  return trailing.some(({ kinds, start }) => (kinds & IS) !== 0 && start <= end + 1)
}

/** "código de acesso 4821": the noun's phrase ends where its last word does. */
function endWith(word: Word, qualifier: Word): number {
  return qualifier.start >= word.end ? qualifier.end : word.end
}

function hasKind(kinds: number, words: Word[]): boolean {
  return words.some((word) => (word.kinds & kinds) !== 0)
}

/**
 * Short words that tie a noun to its purpose: "of the" in "code of the order", but not "code in
 * order to".
 */
const TIES = /^[ '-]?(?:(?!(?:in|is|or|and|if|on|as|was|not) )[^ \n]{1,3}[ '-]){0,2}$/

/**
 * Whether a word of these kinds directly precedes the noun, or begins its compound:
 * "Einladungscode".
 */
function isPreceded({ lower, word, head, compound, leading }: Phrase, kinds: number): boolean {
  return (
    // Elsewhere inside of a compound words of other languages are found by chance, and so are longer words than meant:
    // "säkerhetskod" does not begin with the Norwegian "sak".
    compound.some(
      (one) =>
        (one.kinds & kinds) !== 0 &&
        one.start === head &&
        word.start - one.end <= 2 &&
        (kinds !== OTHER_CODE || shareLanguage(one, kinds, word, NOUN_KINDS)),
    ) ||
    leading.some(
      (one) =>
        (one.kinds & kinds) !== 0 &&
        /^[^ ]{0,2}[ -]*$/.test(lower.slice(one.end, head)) &&
        // "Sub2API code": the end of a name is no word.
        !isDigit(lower.charCodeAt(one.start - 1)),
    )
  )
}

/**
 * Whether a word of these kinds follows the noun with no more than `ties` between: "código de
 * cliente".
 */
function isFollowed(phrase: Phrase, kinds: number, ties: RegExp): boolean {
  return followedBy(phrase, kinds, ties) !== undefined
}

function followedBy({ lower, word, trailing }: Phrase, kinds: number, ties: RegExp): Word | undefined {
  return trailing.find((one) => (one.kinds & kinds) !== 0 && ties.test(lower.slice(word.end, one.start)))
}

/**
 * In scripts without spaces, whether a word of these kinds is written together with the noun:
 * "報告識別碼".
 */
function isAttached({ head, leading }: Phrase, kinds: number): boolean {
  return leading.some((one) => (one.kinds & kinds) !== 0 && one.end === head)
}

/**
 * "postal code", "code of the order", "verification code tests"; but not "confirmation code for the
 * order".
 */
function isOtherCode(phrase: Phrase): boolean {
  const { lower, head } = phrase
  if (isBehindNumber(phrase)) return true
  // "e-postverifiseringskode": electronic post has no postal codes.
  if (lower.charCodeAt(head - 1) === DASH && ELECTRONIC.test(lower.slice(Math.max(0, head - 3), head)))
    return false
  const isOther = (one: Word) => shareLanguage(one, OTHER_CODE | OTHER_NUMBER, phrase.word, NOUN_KINDS)
  if (wordsAround(phrase).some(isOther)) return true
  if (isPreceded(phrase, OTHER_CODE) || isFollowed(phrase, OTHER_CODE, /^[ -]$/)) return true
  if (!isFollowed(phrase, OTHER_CODE, TIES)) return false
  return !hasKind(PROVES | MAY_PROVE, phrase.compound) && !hasKind(PROVES | MAY_PROVE, phrase.leading)
}

/**
 * Longer words that end or begin with the noun: "מיקוד" (postal code) ends with "קוד" (code), and
 * "chave pix" (of a payment) begins with "chave" (key).
 */
function wordsAround({ words, word: { start, end }, head }: Phrase): Word[] {
  return wordsFrom(words, head, start + 1).filter((one) =>
    one.start < start ? one.end === end : one.end > end,
  )
}

/** "Company number 304580906 and authorisation code LB002119": a company is registered by both. */
function isBehindNumber({ lower, words, head }: Phrase): boolean {
  if (!hasDigitsIn(lower, head - REGISTERED_MAX, head, REGISTERED_DIGITS)) return false
  const before = lower.slice(Math.max(0, head - REGISTERED_MAX), head)
  const found = REGISTERED.exec(before)
  if (found === null || !saysIn('and', found[1]!)) return false
  const number = head - before.length + found.index
  return hasWord(words, OTHER_NUMBER, number - NUMBER_REACH, number)
}

/** A long number, a word that may be "and", and another word. */
const REGISTERED = /[ :]\d{6,12} (\p{L}{1,4}) (?:[\p{L}\p{M}]{1,16} )?$/u
const REGISTERED_MAX = 40
/** Digits of the shortest one. */
const REGISTERED_DIGITS = 6

const ELECTRONIC = /(?:^|[^\p{L}])e-$/u

function isYours({ lower, word, start, head, leading, trailing }: Phrase): boolean {
  const isClose = (one: Word) => (one.kinds & YOURS) !== 0 && one.end <= word.end + 16
  if ((word.kinds & YOURS) !== 0 || hasKind(YOURS, leading) || trailing.some(isClose)) return true
  return start === head || /^[\s*•·–-]*$/.test(lower.slice(start, head))
}

/** The words that may qualify the noun: its compound's, two words before it, and some after it. */
function qualifiersOf({ lower, word, start, head, compound, leading, trailing }: Phrase): Word[] {
  const phrase = lower.slice(start, head).trimEnd()
  const second = phrase.lastIndexOf(' ', phrase.lastIndexOf(' ') - 1)
  const lastTwo = second === -1 ? start : start + second + 1
  return [
    ...compound,
    ...leading.filter((one) => one.end > lastTwo),
    ...trailing.filter((one) => one.start <= word.end + QUALIFIES_AFTER),
  ]
}

/** In Japanese and Korean compounds only some endings leave a noun free, as in "6桁のコード". */
const EAST_ASIAN = /[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7af]$/
const FREE_ENDING = /[のなたるをがはにでともや的个個此该該这這您是为為]$/

/** "decode", "Unicode", "レコード". */
function isPartOfAnotherWord({ lower, word, start, head, leading }: Phrase): boolean {
  if (head < word.start) return lower.startsWith('code', word.start)
  if (leading.some(({ end, kinds }) => end === head && (kinds & FREE) !== 0)) return false
  if (lower.charCodeAt(word.start - 1) <= LAST_ASCII) return false
  const before = lower.slice(start, word.start)
  return EAST_ASIAN.test(before) && !FREE_ENDING.test(before) && !isSpacedLetter(lower.charCodeAt(word.start))
}

/** Marks between phrases. A table costs less than a search for each character of a phrase. */
const ASCII_MARKS = table('\n\t.:;!?,()[]"|')
const ASCII_MARKS_AND_DIGITS = table('\n\t.:;!?,()[]"|0123456789')
const OTHER_MARKS = '。、，'

function phraseStart(lower: string, end: number): number {
  const floor = Math.max(0, end - BEFORE)
  let start = end
  while (start > floor && !isMark(ASCII_MARKS, lower.charCodeAt(start - 1))) start--
  return start
}

function phraseEnd(lower: string, start: number): number {
  const last = Math.min(lower.length, start + AFTER)
  let end = start
  while (end < last && !isMark(ASCII_MARKS_AND_DIGITS, lower.charCodeAt(end))) end++
  return end
}

function isMark(marks: boolean[], code: number): boolean {
  return code < 128 ? marks[code]! : OTHER_MARKS.includes(String.fromCharCode(code))
}
