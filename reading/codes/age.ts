import { isSpacedLetter } from '../lexicon/letters.ts'
import { withoutAccents } from '../lexicon/plain.ts'
import { LINK_SOURCES } from '../lexicon/tree.ts'
import { bits, hasWord, type Word } from '../lexicon/words.ts'
import { endOfLine, type Place } from './layout.ts'
import { firstAfter, lastBefore, type MailText, wordStartingAt } from './mail-text.ts'
import type { Noun } from './nouns.ts'
import { BREAK } from './phrases.ts'

const STALE = bits('stale')
const REPLACED_NEXT = bits('replacedNext')
const REPLACED_BEFORE = bits('replacedBefore')
const IS = bits('is')

/** How far from a value the word may be that calls it old. */
const REACH = 80

/** Such words of one mail. A mail with a code has a few. */
const SIGNS_MAX = 100

/** How far if the word may mean something else: room for "code" and its ending. */
const BESIDE = 16

/** What a mark between a word and a value adds to their distance, because a clause ends there. */
const CLAUSE = 30
const CLAUSE_MARK = /[,;(–—\n]| - /g

/** The words of a mail that call a value old, used, replaced or expired. */
function signsIn(mail: MailText): Word[] {
  const signs = STALE | REPLACED_NEXT | REPLACED_BEFORE
  if ((mail.kinds & signs) === 0) return []
  return longest(mail.words.filter(({ kinds }) => (kinds & signs) !== 0)).slice(0, SIGNS_MAX)
}

/** Without the words that are a part of "został zastąpiony kodem", which leads to the new code. */
function longest(words: Word[]): Word[] {
  const covered = new Set<number>()
  for (const { start, end, kinds } of words)
    if ((kinds & REPLACED_BEFORE) !== 0) for (let at = start; at < end; at++) covered.add(at)
  if (covered.size === 0) return words
  return words.filter(
    ({ start, end, kinds }) =>
      (kinds & REPLACED_BEFORE) !== 0 || !(covered.has(start) && covered.has(end - 1)),
  )
}

/**
 * The values of a mail that it calls old, used, replaced or expired, and those that only quoted
 * text has.
 */
export function staleValues(mail: MailText, values: ReadonlyMap<string, readonly Place[]>): Set<string> {
  mail.signs ??= { words: signsIn(mail) }
  const { signs } = mail
  const { words } = signs
  // The only value of a mail is what it is about, quoted or not.
  if (values.size > 1 && signs.isQuoted === undefined) signs.isQuoted = quotes(mail)
  const stale = values.size > 1 && signs.isQuoted ? onlyQuoted(values, signs.isQuoted) : new Set<string>()
  if (words.length === 0) return stale
  const places = [...values].flatMap(([value, its]) => its.map((place) => ({ ...place, value })))
  places.sort((a, b) => a.start - b.start)
  for (const word of words) {
    const after = firstAfter(places, word.end)
    const before = lastBefore(places, word.start)
    if (after !== undefined && isLabelled(mail, word, after)) {
      stale.add(after.value)
      continue
    }
    const toAfter = after === undefined ? Infinity : toFollowing(mail, word, after)
    const toBefore = before === undefined ? Infinity : toPreceding(mail, word, before)
    if (toAfter === Infinity && toBefore === Infinity) continue
    stale.add(toAfter <= toBefore ? after!.value : before!.value)
  }
  return stale
}

/** The values whose places are all quoted. If all values are, the text is that of a forwarded message, or indented. */
function onlyQuoted(
  values: ReadonlyMap<string, readonly Place[]>,
  isQuoted: (place: number) => boolean,
): Set<string> {
  const quoted = new Set<string>()
  for (const [value, places] of values)
    if (places.length > 0 && places.every(({ start }) => isQuoted(start))) quoted.add(value)
  return quoted.size < values.size ? quoted : new Set()
}

/** Right behind the word is a noun, and right behind that the value: "482913 Old code: 114902", "以前のコード 114902". */
function isLabelled(mail: MailText, { kinds, end }: Word, { start }: Place): boolean {
  if ((kinds & STALE) === 0) return false
  const noun = firstAfter(mail.nouns, end)
  // "114902 已失效 验证码：482913": where no blanks are written, one ends the clause.
  const gap = isSpacedLetter(mail.lower.charCodeAt(end - 1)) ? ' ' : ''
  if (noun === undefined || noun.end > start || mail.lower.slice(end, noun.start) !== gap) return false
  return BEFORE_VALUE.test(mail.lower.slice(noun.end, start))
}

const BEFORE_VALUE = /^ ?[:：]? ?[([]?$/

/** "Old code: 114902", "código anterior: 114902"; but not "the code for your old address: 118203". */
function toFollowing(mail: MailText, word: Word, { start }: Place): number {
  if ((word.kinds & (STALE | REPLACED_NEXT)) === 0) return Infinity
  const gap = mail.lower.slice(word.end, start)
  // "114902 (expired)", but not "Code (old): 114902".
  if (CLOSES.test(gap) && BEHIND_VALUE.test(mail.text.slice(Math.max(0, word.start - 24), word.start)))
    return Infinity
  const isOfNext = (word.kinds & STALE) === 0
  const isOfNoun = isOfNext || !LETTER.test(gap) || isBeside(mail, word) || nounIn(mail, word.end, start)
  // "The old code (114902)": the value in brackets is the old code.
  return isOfNoun ? distance(mail, word.end, start - (OPENS.test(gap) ? 1 : 0)) : Infinity
}

/** "114902 has expired", "114902 (old code)"; but not "118203 (old address)". */
function toPreceding(mail: MailText, word: Word, { end }: Place): number {
  if ((word.kinds & REPLACED_BEFORE) !== 0 && word.start - end <= BESIDE)
    return BREAK.test(mail.lower.slice(end, word.start)) ? Infinity : word.start - end
  if ((word.kinds & STALE) === 0) return Infinity
  const isBare = !LETTER.test(mail.lower.slice(end, word.start))
  const isOfCode =
    !isBare ||
    ends(mail, word, ENDS) ||
    nounIn(mail, word.end, word.end + 24) ||
    NUMBER_NEXT.test(mail.lower.slice(word.end, word.end + 24))
  if (!isOfCode) return Infinity
  return isSaidOfIt(mail, word, end) ? word.start - end : distance(mail, end, word.start)
}

/** Whether the end of a clause or of a sentence follows a word. */
function ends(mail: MailText, word: Word, mark: RegExp): boolean {
  // "is" may precede it, where the verb comes last.
  const is = wordStartingAt(mail, word.end, IS) ?? wordStartingAt(mail, word.end + 1, IS)
  const end = is?.end ?? word.end
  return mark.test(mail.lower.slice(end, end + 8))
}

/** The end of a sentence, and up to three words of the next one. */
const NEXT_SENTENCE =
  /^\p{L}{0,4}(?:[^\p{L}\p{N}]{1,8}((?:[\p{L}\p{M}'’]{1,16} ){0,2}[\p{L}\p{M}'’]{1,48} ?)|["')\]*]{0,3}[.!。]\s{0,4})$/u
const ENDS_SENTENCE = /^ ?(?:[.!。।։]|\r?\n|$)/

/** "204816. It has expired.", "204816. This code has lapsed.", after a value that ends at a place. */
function isSaidOfIt(mail: MailText, word: Word, from: number): boolean {
  if (word.start - from > REACH) return false
  if (!ends(mail, word, ENDS_SENTENCE)) return false
  const found = NEXT_SENTENCE.exec(mail.lower.slice(from, word.start))
  if (found === null) return false
  const subject = found[1] ?? ''
  const start = word.start - subject.length
  const noun = firstAfter(mail.nouns, start)
  if (noun !== undefined && noun.end < word.start - WORD_MAX) return false
  // "Your old code has expired."
  return !hasWord(mail.words, STALE, start, word.start)
}

/** The longest verb between "this code" and "expired". */
const WORD_MAX = 6

/** "was replaced by 730518": the new code follows. */
const NUMBER_NEXT = /^(?: \p{L}{1,6}){0,2} \d/u

const LETTER = /\p{L}/u
const OPENS = / [([]$/
const CLOSES = /^\p{L}{0,4}[)\]]/u
const BEHIND_VALUE = /[A-Z\d] ?[([][^()[\]]{0,16}$/
const ENDS = /^\s*(?:[)\].,;!。।።]|\n|$)/

/** A noun ends right before the word. */
function isBeside({ nouns }: MailText, { start }: Word): boolean {
  const noun = lastBefore(nouns, start)
  return noun !== undefined && start - noun.end <= 2
}

function nounIn({ lower, nouns }: MailText, from: number, to: number): boolean {
  const noun = firstAfter(nouns, from)
  return noun !== undefined && noun.start < to && /^[^)\].,;\n]*$/.test(lower.slice(from, noun.start))
}

/** The distance of a word and a value in one sentence; infinite if they are in different ones. */
function distance({ lower }: MailText, from: number, to: number): number {
  if (to - from > REACH) return Infinity
  const gap = lower.slice(from, to)
  if (BREAK.test(gap.trimEnd())) return Infinity
  return gap.trimEnd().length + CLAUSE * (gap.match(CLAUSE_MARK)?.length ?? 0)
}

/** "-----Original Message-----", whatever its language. */
const RULE = /^ ?-{2,} ?\p{L}[^\n]{0,60}\p{L} ?-{2,} ?$/u
/** Where an address was: addresses are blanked. */
const ADDRESS = / {5,}/
/** The verb on a line of its own: "wrote:". */
const VERB = /^\p{L}[\p{L} ]{2,20}[:：]\r?\n/u
/** A year or a time. */
const DATE = /(?<!\d)20\d\d(?!\d)|\d[:.]\d\d/
/** A field of a header. In some languages a blank precedes the colon. */
const FIELD = /^ ?\*?\p{L}[\p{L}\p{M}'\u0f0b ]{0,24}:/u
/** The most UTF-16 units of a FIELD, of whose letters each may take two. */
const FIELD_MAX = 64
/** The field that every mail program writes above a message that is answered or forwarded. */
const SUBJECT_FIELD = new RegExp(
  `^ ?\\*?(?:${LINK_SOURCES.subject.latin}|${LINK_SOURCES.subject.other}) ?:`,
  'u',
)
const QUOTE_MARK = /^[ \t]*([>|])/

/**
 * Whether a place is in quoted text: a line that begins with ">" or "|", or anything below the line
 * that introduces the message that is answered or forwarded.
 */
function quotes(mail: MailText): ((place: number) => boolean) | null {
  const { text, subjectEnd } = mail
  const below = startOfQuote(mail)
  if (below === Infinity && !text.includes('>') && !text.includes('|')) return null
  return (place) => {
    if (place < subjectEnd) return false
    return place >= below || isInQuotedLine(text, place)
  }
}

/** A line that begins with ">", or with a "|" that is not the side of a frame. */
function isInQuotedLine(text: string, place: number): boolean {
  const mark = QUOTE_MARK.exec(text.slice(text.lastIndexOf('\n', place) + 1, place))?.[1]
  if (mark !== '|') return mark === '>'
  return !text.slice(place, endOfLine(text, place)).trimEnd().endsWith('|')
}

const BEGINS_RULE = /-- ?\p{L}/u

/** Whether a line has an address, which was blanked, and a date. */
function mayAttribute(text: string, from: number): boolean {
  for (let address = text.indexOf('     ', from); address !== -1; ) {
    const end = endOfLine(text, address)
    if (DATE.test(text.slice(text.lastIndexOf('\n', address) + 1, end))) return true
    address = text.indexOf('     ', end)
  }
  return false
}

function startOfQuote({ text, lower, nouns, subjectEnd: from }: MailText): number {
  // Most mails have neither a rule, nor a line with an address and a date, nor three fields.
  const hasRule = text.includes('--') && BEGINS_RULE.test(text)
  if (!hasRule && !mayAttribute(text, from) && !mayHaveFields(text, from)) return Infinity
  let fields = 0
  /** The fields are those of a header, and not of a record: "From: Kestrel <…>", "Subject: …". */
  let isHeader = false
  let isBelowRule = false
  for (let at = from; at < text.length; ) {
    const end = endOfLine(text, at)
    if (end > at) {
      const line = text.slice(at, Math.min(end, at + 300))
      if ((line.includes('--') && RULE.test(line)) || isAttribution(line, text.slice(end + 1, end + 40)))
        return end
      if (line.includes(':') && FIELD.test(line) && !isLabelOfCode(nouns, at, line.indexOf(':'))) {
        fields++
        isHeader ||=
          isBelowRule || ADDRESS.test(line) || SUBJECT_FIELD.test(withoutAccents(lower.slice(at, at + 40)))
      } else if (line.trim() !== '') {
        fields = 0
        isHeader = false
        isBelowRule = line.startsWith('_____')
      }
    }
    if (fields >= 3 && isHeader) return at
    at = end + 1
  }
  return Infinity
}

/** "Password: kX7pQ2mN" is no field of a header: it is in the record of an account. */
function isLabelOfCode(nouns: Noun[], start: number, colon: number): boolean {
  const noun = firstAfter(nouns, start)
  return noun !== undefined && noun.end <= start + colon
}

/** Whether three lines have a colon where the one of a FIELD may be. */
function mayHaveFields(text: string, from: number): boolean {
  let lines = 0
  for (let colon = text.indexOf(':', from); colon !== -1; ) {
    if (colon - text.lastIndexOf('\n', colon) <= FIELD_MAX && ++lines === 3) return true
    const end = text.indexOf('\n', colon)
    colon = end === -1 ? -1 : text.indexOf(':', end)
  }
  return false
}

/** "On 23 November 2026 at 10:02, Kestrel <…> wrote:". */
function isAttribution(line: string, next: string): boolean {
  if (!ADDRESS.test(line) || !DATE.test(line)) return false
  return /[:：]\s*$/.test(line) || VERB.test(next)
}
