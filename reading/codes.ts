import { staleValues } from './codes/age.ts'
import { type Candidate, findCandidates, findLetterCandidates } from './codes/candidates.ts'
import { evidenceOf, isDiscussion, isForComment, isOfRepository, isOfWriter } from './codes/evidence.ts'
import { endOfLine, type Place, withoutWraps } from './codes/layout.ts'
import { findLists, isListOfCodes, type ValueList } from './codes/lists.ts'
import { findLoneValue } from './codes/lone-value.ts'
import { labelOf, type MailText, readWords, type SearchableText } from './codes/mail-text.ts'
import { matchesOf } from './codes/matches.ts'
import type { Noun } from './codes/nouns.ts'
import { isOtherNumber, labelBefore, withoutSubjectNumber } from './codes/other-numbers.ts'
import { hasOwnNoun, isOneMore } from './codes/pairs.ts'
import { isWorthScoring, mayBeSender, scoreOf } from './codes/score.ts'
import { LONG, SCORE } from './codes/scores.ts'
import { passwordsBelowUser, statedPassword, withMark } from './codes/stated-passwords.ts'
import { askedTokens, longTokens } from './codes/token-codes.ts'
import { isOfUnknownLabel } from './codes/trust.ts'
import { typedToken } from './codes/typed-tokens.ts'
import { passwordBesideUser } from './codes/user-passwords.ts'
import { findWordCodes } from './codes/word-codes.ts'
import type { WordCode } from './codes/word-value.ts'
import { searchableText } from './html/text.ts'
import { table } from './lexicon/letters.ts'
import { isPlain, plain, withoutAccents, withoutAddresses, withoutEncodings } from './lexicon/plain.ts'
import { wordsFrom } from './lexicon/words.ts'
import type { CodeDetail } from './message.ts'
import { SEARCH_UNITS, type SearchBudget } from './search-budget.ts'

/**
 * Characters of text that are searched. A code is near the top, so the rest of 40 MB is not read.
 */
export const CODE_SEARCH_WINDOW = 8 * 1024

/** Characters of HTML whose text is searched: most of it is layout. */
const HTML_SEARCH_WINDOW = 128 * 1024

const SUBJECT_WINDOW = 1000

/** Characters of hidden text that are searched. In 21 mails of the tests it had a code, in the first 64. */
const HIDDEN_SEARCH_WINDOW = 1024

/** Candidates that are scored. A mail with a code has fewer than ten that are worth it. */
const MAX_WEIGHED = 10

/** A text part of this length is complete: if it has no word about codes, neither has the HTML. */
const REAL_TEXT = 1000

/** Of 12 mails whose text had the code that their HTML lacked, the HTML had at most 23 words and two candidates. */
const REPORT_WORDS = 100
const REPORT_CANDIDATES = 10
const REPORT_NOUNS = 12

/** What the words and numbers of a text cost, in units of the budget. */
const WORD_COST = 60
const NOUN_COST = 400
const CANDIDATE_COST = 200

/** A mail with more has a list of recovery codes, which counts as a whole. */
const MAX_CODES = 10

/**
 * The last line of a message for one site: "@example.com #747723", with the embedding site after
 * it, if any.
 */
const BOUND = /^@[\w.-]+ #([\w-]{3,32})(?= *(?:@[\w.-]+ *)?$)/gm

export interface SearchedMail {
  subject: string
  text: string
  html: string | null
  /** The text was made of the HTML, and says nothing more. */
  isTextOfHtml?: boolean
}

/**
 * Returns the verification codes of a mail, best first, without duplicates, each with its kind and
 * the words of the mail that show it; `[]` when the mail is not for verification.
 *
 * A code is returned as the reader types it: digits without their grouping ("73 91 05" is 739105),
 * letters and digits with their dashes ("XK42-99QP-7M3D"), and "G-482913" as 482913, because there
 * the site shows the "G-" itself.
 */
export function findCodeDetails(
  mail: SearchedMail,
  budget: SearchBudget = { left: SEARCH_UNITS },
): CodeDetail[] {
  const subject = plain(mail.subject.slice(0, SUBJECT_WINDOW))
  let made: MailText | undefined
  const ofText = () =>
    readWords(searchable(subject, withoutWraps(mail.text.slice(0, CODE_SEARCH_WINDOW)), mail))
  const text = () => (made ??= ofText())
  if (mail.html === null) return codesIn(text(), budget)
  const mustSpeak = mail.text.length >= REAL_TEXT
  if (mustSpeak && !mail.isTextOfHtml && !speaksOfCodes(text())) return []
  // HTML separates table cells, which a text part may join, so it is searched first.
  const { shown, hidden } = searchableText(mail.html.slice(0, HTML_SEARCH_WINDOW), CODE_SEARCH_WINDOW)
  const search = (words: MailText) =>
    mustSpeak && mail.isTextOfHtml && !speaksOfCodes(words) ? [] : codesIn(words, budget)
  const body = shown.slice(0, CODE_SEARCH_WINDOW)
  const ofHtml = readWords(searchable(subject, body, mail))
  let codes = search(ofHtml)
  const isOther = !mail.isTextOfHtml && body !== mail.text.slice(0, CODE_SEARCH_WINDOW)
  if (codes.length === 0 && isOther && !isReport(ofHtml)) codes = codesIn(text(), budget)
  if (codes.length > 0) return codes
  // The line that an inbox shows beside the subject is often hidden in the mail itself.
  const preview = hidden.slice(0, HIDDEN_SEARCH_WINDOW)
  return MAY_HOLD_CODE.test(preview) ? search(readWords(searchable(subject, preview, mail))) : codes
}

const MAY_HOLD_CODE = /\d.{0,8}\d.{0,8}\d|[A-Z]{4}|[A-Z]\d[A-Z]|\d[A-Z]{1,8}\d/

function searchable(
  subjectLine: string,
  body: string,
  { text: written, html }: SearchedMail,
): SearchableText {
  const isAscii = isPlain(subjectLine) && isPlain(body)
  const subject = isAscii ? subjectLine : withoutPictures(subjectLine).trimStart()
  const shown = withoutStrayMarks(isAscii ? body : withoutPictures(plain(body)))
  const text = withoutEncodings(withoutAddresses(`${subject}\n\n${shown}`))
  const lower = isAscii ? text.toLowerCase() : withoutAccents(text.toLowerCase())
  return { text, lower, subjectEnd: subject.length, bound: domainBoundCodes(shown), written: html ?? written }
}

/**
 * Origin-bound one-time codes (the WICG draft of that name), which browsers fill in by themselves.
 */
function domainBoundCodes(text: string): string[] {
  return text.includes(' #') ? matchesOf(text, BOUND).map((match) => match[1]!) : []
}

/**
 * Backslashes at the ends of words come from markup that was escaped twice: `\<b\>405726`. `\n` is a
 * line break that a program did not make.
 */
function withoutStrayMarks(marked: string): string {
  const unquoted = marked.includes('`') ? marked.replace(AS_CODE, '*$1*') : marked
  const bare = unquoted.includes('*')
    ? unquoted.replace(BOLD_NUMBER, '$2').replace(BOLD_LINE, '$1$3')
    : unquoted
  const plainly = bare.includes('_') ? bare.replace(UNDERLINED, '*$2*') : bare
  const unmarked = plainly.includes('**') ? plainly.replace(BOLD_LABEL, '$1$2') : plainly
  const untagged = unmarked.includes('[/') ? unmarked.replace(FORUM_TAG, ' ') : unmarked
  const text = mayBeDecorated(untagged) ? untagged.replace(DECORATED, '$1$2$4') : untagged
  if (!text.includes('\\')) return text
  return text.replace(/\\n(?=[\s\\]|$)/g, '\n ').replace(/(?<=^|\s|\\)\\|\\(?=\s|\\|$)/g, ' ')
}

/** "👉 482913 👈", and digits on keys, "4️⃣8️⃣2️⃣9️⃣". */
function withoutPictures(text: string): string {
  if (!PICTURE.test(text)) return text
  return text.replace(KEYS, '').replace(PICTURES, (picture) => ' '.repeat(picture.length))
}

const PICTURE = /[\ud83c-\ud83e]|\u20e3|[\u2600-\u27bf]/
const KEYS = /\ufe0f?\u20e3|\ufe0f/g
const PICTURES = /[\ud83c-\ud83e][\udc00-\udfff]|[\u2600-\u27bf]/g

/** A value that Markdown shows in the type of programs: "`482913`". */
const AS_CODE = /`([^\s`]{1,60})`/g

/** A number amid its sentence in bold type: "*482913*를 입력하세요". */
const BOLD_NUMBER = /(?<=\S ?)(?<![*\p{L}\p{N}-])(\*{1,2})([A-Z\d]*\d[A-Z\d]{2,9})\1(?!\*)(?= ?\S)/gu

/** Words in bold type that have a line of their own. */
const BOLD_LINE = /(?<![^\n])([ \t]*)(\*{1,2})(\p{Ll}[^*\n]{2,60})\2(?=[ \t]*(?:\n|$))/gu

/** The emphasis of Markdown: "Your _code_ is", "__482913__". */
const UNDERLINED = /(?<![\p{L}\p{N}_])(__?)(?=[\p{L}\p{N}])([^_\n]{1,60})\1(?![\p{L}\p{N}_])/gu

/** A label in bold type: "**Password**: ", "**Code:** ". */
const BOLD_LABEL = /\*\*(\p{L}[^*\n]{0,40})\*\*(?= ?:)|\*\*(\p{L}[^*\n]{0,40}:)\*\*/gu

/** Marks on both sides of a line, apart from it: "** 482913 **", "=== XK42-99QP ===". */
const DECORATED = /(^|\n)([ \t]*)([*=#~]{1,8}|-{3,8}) ([^\s*=#~-][^\n*=#~]{2,40}) \3[ \t]*(?=\n|$)/g
const DECORATES = table('*=#~-')

/** Whether a line ends with such a mark. A search would look at each character and not only at the ends. */
function mayBeDecorated(text: string): boolean {
  for (let end = -1; end < text.length; ) {
    end = endOfLine(text, end + 1)
    let last = end - 1
    while (last >= 0 && ' \t'.includes(text.charAt(last))) last--
    if (last >= 0 && DECORATES[text.charCodeAt(last)]) return true
  }
  return false
}

/** The markup of forums: "[b]405726[/b]". */
const FORUM_TAG = /\[\/?(?:b|i|u|code|center|color|font|size)(?:=[^\]\n]{1,30})?\]/gi

/** Whether a mail has so many words of the lexicon, or numbers, that a text beside it needs no search as well. */
function isReport({ words, nouns, candidates }: MailText): boolean {
  return words.length > REPORT_WORDS || nouns.length > REPORT_NOUNS || candidates > REPORT_CANDIDATES
}

function speaksOfCodes(mail: MailText): boolean {
  return mail.nouns.length > 0 || mail.purposes.length > 0 || mail.bound.length > 0
}

function codesIn(mail: MailText, budget: SearchBudget): CodeDetail[] {
  if (isOfRepository(mail)) return []
  const codes = bestCodes(mail, budget)
  if (codes.length === 0) return codes
  const isTold = isDiscussion(mail)
  return codes.filter((code) => (isTold ? isForComment(mail, code) : !isOfWriter(mail, code)))
}

/** Tries the clearest evidence first; weaker evidence counts only if that left doubt. */
function bestCodes(mail: MailText, budget: SearchBudget): CodeDetail[] {
  const ranking = new Ranking(mail)
  for (const value of mail.bound) ranking.add(value, SCORE.stated)
  const all = findCandidates(mail.text)
  mail.candidates = all.length
  budget.left -= mail.words.length * WORD_COST + mail.nouns.length * NOUN_COST + all.length * CANDIDATE_COST
  const found = withoutSubjectNumber(mail, all)
  // Without a noun or numbers, no list matters.
  const lists = found.length > 2 || mail.nouns.length > 0 ? findLists(mail.text) : []
  for (const list of lists) if (isListOfCodes(mail, list)) ranking.addList(list)
  const candidates = lists.length === 0 ? found : found.filter((candidate) => !isListed(lists, candidate))
  weigh(mail, candidates, ranking)
  if (ranking.hasTorn(mail.text)) addWhole(mail, ranking)
  const passwords = mail.nouns.filter(({ meaning }) => meaning === 'password')
  if (passwords.length > 0 && ranking.best >= SCORE.wordCode) {
    const below = passwordsBelowUser(mail, passwords)
    for (const { value, start } of below.length > 0 ? below : passwordBesideUser(mail))
      ranking.add(value, SCORE.signsIn, { start, end: start + value.length })
  }
  if (ranking.hasOnlyStale) addReplacement(mail, candidates, ranking)
  // A word, or a number without a label, is a code only in a short mail.
  if (mail.text.length > LONG) return ranking.values()
  if (ranking.hasOnlyPasswords)
    for (const { value, start } of tokensBesidePassword(mail))
      ranking.add(value, SCORE.signsIn, { start, end: start + value.length })
  if (ranking.best < SCORE.wordCode && mail.nouns.length > 0) {
    if (mail.nouns.some((noun) => isClear(mail, noun))) weigh(mail, lettersIn(mail, candidates), ranking)
    if (ranking.best < SCORE.wordCode)
      for (const { value, start } of findWordCodes(mail))
        if (!isListed(lists, { start }))
          ranking.add(value, SCORE.wordCode, { start, end: start + value.length })
  }
  if (ranking.best < SCORE.wordCode)
    for (const { value, start } of typedToken(mail))
      ranking.add(value, SCORE.wordCode, { start, end: start + value.length })
  if (ranking.best < SCORE.enough) {
    const lone = findLoneValue(mail, candidates)
    if (lone !== null) ranking.add(lone.value, SCORE.loneValue, lone)
  }
  return ranking.values()
}

/** "Activation code: TzDowRGU65xAaV9jZnHV", or 'enter the code "9d7cc4d337"', beside a first password. */
function tokensBesidePassword(mail: MailText): WordCode[] {
  const isNamed = mail.nouns.some(({ meaning }) => meaning === 'verification')
  return isNamed ? [...longTokens(mail), ...askedTokens(mail)] : askedTokens(mail)
}

/** "Your password is Gpf=Zk5e7", of which "Zk5e7" was found: the whole value. */
function addWhole(mail: MailText, ranking: Ranking): void {
  for (const noun of mail.nouns.slice(0, MAX_WEIGHED)) {
    const whole = statedPassword(mail, noun)
    if (whole === null || LABELLED.test(whole.value)) continue
    const place = { start: whole.start, end: whole.start + whole.value.length }
    if (ranking.hasInside(place)) ranking.add(whole.value, Math.max(SCORE.signsIn, ranking.best), place)
  }
}

/** "Your code was 114902. It has expired. Here is a new one: 730518": a value like the old code. */
function addReplacement(mail: MailText, candidates: Candidate[], ranking: Ranking): void {
  for (const candidate of candidates.slice(0, MAX_WEIGHED)) {
    const { value, start, doubtful } = candidate
    if (doubtful || !ranking.isLikeKnown(candidate) || isOtherNumber(mail, candidate)) continue
    if (labelBefore(mail, start) === null) ranking.add(value, SCORE.enough, candidate)
  }
}

/** "token=Zk5e7", "T=482913" */
const LABELLED = /^(?:[a-z]{3,12}=|[A-Za-z]{1,12}=\d+$)/
const MARKS_OF_PASSWORD = '!#$%&*+=?@^~_-'
const MARK_OF_PASSWORD = `[${MARKS_OF_PASSWORD}]`
const JOINING = table(MARKS_OF_PASSWORD)
/** Marks in a row, and with the letter or digit beside them. */
const MARKS_MAX = 6
const JOINED_MAX = MARKS_MAX + 1
const JOINED_BEFORE = new RegExp(`[A-Za-z\\d]${MARK_OF_PASSWORD}{1,${MARKS_MAX}}$`)
const JOINED_AFTER = new RegExp(`^${MARK_OF_PASSWORD}{1,${MARKS_MAX}}[A-Za-z\\d]`)

/** A value of a list is a code only with all others. */
function isListed(lists: ValueList[], { start }: { start: number }): boolean {
  return lists.some((list) => start >= list.start && start < list.end)
}

/** Groups of capitals are mostly names and words, so they need more evidence than a bare "code". */
function isClear(mail: MailText, { meaning, yours }: Noun): boolean {
  if (meaning === 'code') return yours && (mail.purposes.length > 0 || mail.hasExpiry || mail.hasWarning)
  return meaning === 'verification' || meaning === 'probable' || meaning === 'invitation'
}

/** Groups of capitals that are neither words of the lexicon nor pieces of other candidates. */
function lettersIn(mail: MailText, others: Candidate[]): Candidate[] {
  return findLetterCandidates(mail.text).filter(({ start, end }) => {
    for (const word of wordsFrom(mail.words, start, start + 1)) if (word.end === end) return false
    return !others.some((other) => start < other.end && other.start < end)
  })
}

interface Weighed {
  candidate: Candidate
  score: number
}

function weigh(mail: MailText, candidates: Candidate[], ranking: Ranking): void {
  const weighed: Weighed[] = []
  let stated: Candidate | null = null
  /** The last code that looks like nothing else. */
  let clear: Candidate | null = null
  for (const candidate of candidates) {
    const isNext = stated !== null && isOneMore(mail, stated, candidate)
    if (!isNext && !isWorthScoring(mail, candidate)) continue
    if (++ranking.weighed > MAX_WEIGHED) break
    if (!isNext && candidate.doubtful && clear !== null && !hasOwnNoun(mail, clear, candidate)) continue
    const score = isNext ? SCORE.stated : scoreOf(mail, candidate)
    if (score >= SCORE.enough) {
      const hasMark = mail.text.charAt(candidate.end) === '!'
      weighed.push({ candidate: hasMark ? withMark(mail, candidate) : candidate, score })
    }
    if (score >= SCORE.stated) stated = candidate
    if (score >= SCORE.startsLine && !candidate.doubtful) clear = candidate
  }
  for (const { candidate, score } of withoutNames(mail, weighed))
    ranking.add(candidate.value, score + candidate.look / 4, candidate)
}

/** Without the values beside a clear code that may be the name of its sender: "Your OTP for WSO2 is 482913". */
function withoutNames(mail: MailText, weighed: Weighed[]): Weighed[] {
  if (weighed.length < 2 || weighed.every(({ candidate }) => candidate.digits)) return weighed
  const named = weighed.map(({ candidate, score }) => mayBeSender(mail, candidate, score))
  const code = weighed.find((_, n) => !named[n])?.candidate
  if (code === undefined) return weighed
  const shape = shapeOf(code.value)
  return weighed.filter(
    ({ candidate }, n) =>
      !named[n] || shapeOf(candidate.value) === shape || hasOwnNoun(mail, code, candidate),
  )
}

/** Where a value has digits, capitals and small letters: several codes of one mail have one shape. */
function shapeOf(value: string): string {
  return value.replace(/\d/g, '0').replace(/[A-Z]/g, 'A').replace(/[a-z]/g, 'a')
}

class Ranking {
  /** The candidates that were scored. */
  weighed = 0
  private readonly mail: MailText
  private readonly scores = new Map<string, number>()
  private readonly places = new Map<string, Place[]>()
  private readonly listed = new Set<string>()
  /** The values that are not old; null after a change. */
  private current: Array<[value: string, score: number]> | null = null
  /** The result, likewise. */
  private details: CodeDetail[] | null = null

  constructor(mail: MailText) {
    this.mail = mail
  }

  add(value: string, score: number, place?: Place): void {
    const before = this.scores.get(value)
    // A code that occurs in the subject and in the body is more likely.
    this.scores.set(value, before === undefined ? score : Math.max(before, score) + SCORE.again)
    const places = this.places.get(value) ?? []
    if (place !== undefined) places.push(place)
    this.places.set(value, places)
    this.current = null
    this.details = null
  }

  addList({ values, places }: ValueList): void {
    for (const [n, value] of values.entries()) {
      this.add(value, SCORE.stated, places[n])
      this.listed.add(value)
    }
  }

  /** The score of the best value that the mail does not call old. */
  get best(): number {
    return Math.max(SCORE.none, ...this.fresh().map(([, score]) => score))
  }

  /** Whether the mail calls all values old, apart from what it quotes. */
  get hasOnlyStale(): boolean {
    return this.scores.size > 0 && this.fresh().length === 0
  }

  /** Whether all values are passwords, and the mail has a word for a code without a value. */
  get hasOnlyPasswords(): boolean {
    if (this.mail.nouns.every(({ meaning }) => meaning === 'password' || meaning === 'other')) return false
    const values = this.values()
    return values.length > 0 && values.every(({ kind }) => kind === 'password')
  }

  /** Whether marks join a value to more letters or digits, so that it may be a part of a password. */
  hasTorn(text: string): boolean {
    return [...this.places.values()].some((places) =>
      places.some(
        ({ start, end }) =>
          (JOINING[text.charCodeAt(start - 1)] &&
            JOINED_BEFORE.test(text.slice(Math.max(0, start - JOINED_MAX), start))) ||
          (JOINING[text.charCodeAt(end)] && JOINED_AFTER.test(text.slice(end, end + JOINED_MAX))),
      ),
    )
  }

  /** Whether a value is only a part of what is at a place. */
  hasInside({ start, end }: Place): boolean {
    return [...this.places.values()].some((places) =>
      places.some((one) => one.start >= start && one.end <= end && one.end - one.start < end - start),
    )
  }

  /** Whether a value is new and is as long as one of the others, with digits alone or with letters as well. */
  isLikeKnown({ value, digits }: Candidate): boolean {
    if (this.scores.has(value)) return false
    return [...this.scores.keys()].some((known) => {
      if (known.length !== value.length || /^\d+$/.test(known) !== digits) return false
      // "PIXEL8", "PRO365": a word and its number, unless the old code has that form too.
      return digits || /\d[A-Z]/.test(value) || shapeOf(known) === shapeOf(value)
    })
  }

  /** The best ones, best first. An old code is one of them only if there is no other. */
  values(): CodeDetail[] {
    this.details ??= this.find()
    return this.details
  }

  private find(): CodeDetail[] {
    const fresh = this.fresh()
    const rest = fresh.length > 0 ? fresh : [...this.scores]
    if (rest.length === 1) return [this.evidenceOf(rest[0]![0])]
    const best = Math.max(...rest.map(([, score]) => score))
    const values = rest
      .filter(([, score]) => score >= best - SCORE.margin)
      .sort(([, a], [, b]) => b - a)
      .map(([value]) => value)
      .filter((value, _, all) => !all.some((other) => this.isPartOf(value, other)))
    return this.withoutUnknown(values)
      .filter((value, n) => n < MAX_CODES || this.listed.has(value))
      .map((value) => this.evidenceOf(value))
  }

  private evidenceOf(value: string): CodeDetail {
    return evidenceOf(this.mail, value, this.places.get(value)?.[0], this.listed.has(value))
  }

  /**
   * Without "Bank code: 1641663" beside "Verification code: 809587": its kind is not known, and it has another shape than
   * "Phone code: 881203" has, which may be typed too.
   */
  private withoutUnknown(values: string[]): string[] {
    if (values.length < 2) return values
    const labelled = values.map((value) => ({ value, noun: labelOf(this.mail, this.places.get(value)?.[0]) }))
    const named = labelled.find(({ noun }) => noun?.meaning === 'verification')
    if (named === undefined) return values
    const shape = shapeOf(named.value)
    const isUnknown = ({ value, noun }: (typeof labelled)[number]) =>
      noun !== undefined &&
      shapeOf(value) !== shape &&
      isOfUnknownLabel(this.mail, noun, this.places.get(value)![0]!)
    return labelled.filter((one) => !isUnknown(one)).map(({ value }) => value)
  }

  /** Whether a value is only a part of another one: "b0VwT" of the password "b0VwT(93kz". */
  private isPartOf(value: string, other: string): boolean {
    if (value === other || !other.includes(value)) return false
    const places = this.places.get(value)!
    const whole = this.places.get(other)!
    const isInside = ({ start, end }: Place) =>
      whole.some((place) => place.start <= start && place.end >= end)
    // One that is bound to a site has no place.
    return places.length > 0 && places.every(isInside)
  }

  private fresh(): Array<[value: string, score: number]> {
    if (this.scores.size === 0) return []
    if (this.current === null) {
      const stale = staleValues(this.mail, this.places)
      // A list of codes is old as a whole or not at all.
      if ([...this.listed].some((value) => !stale.has(value)))
        for (const value of this.listed) stale.delete(value)
      this.current = [...this.scores].filter(([value]) => !stale.has(value))
    }
    return this.current
  }
}
