import { isWhite, LAST_ASCII, table } from '../lexicon/letters.ts'
import { bits } from '../lexicon/words.ts'
import { endOfLine, type Place } from './layout.ts'
import { lastBefore, type MailText, wordStartingAt } from './mail-text.ts'
import { isAlphanumeric } from './tokens.ts'
import { isTrusted } from './trust.ts'

/** Values of one shape, each on its own line or in its own cell: recovery codes, or other numbers. */
export interface ValueList {
  start: number
  end: number
  values: string[]
  places: Place[]
}

/** A list of fewer values may be a few numbers by chance; one of more is data. */
const VALUES_MIN = 3
const VALUES_MAX = 24

/** Characters between the word for the codes and the list. */
const BELOW = 400

/** Letters and digits up to another character, because a search that tries each part of them finds no more. */
const GROUP = '[A-Za-z0-9]{2,12}(?![A-Za-z0-9])'
/**
 * A value in groups, "8f3k-29dm", "48213 90127", "a8f2.9dmx", whose lengths are compared later; or a longer one of
 * digits and letters in both cases, which no account and no device has.
 */
const VALUE = new RegExp(
  `^(?:${GROUP}(?:[ .:_-]${GROUP}){0,5}|(?=[A-Za-z]*\\d)(?=[A-Z\\d]*[a-z])(?=[a-z\\d]*[A-Z])[A-Za-z0-9]{13,32})$`,
)
/** The last group of a value with a mark that prices, times and names of files have as well. */
const MARKED = /[.:_]([A-Za-z0-9]+)$/
/** The number of an entry or its mark: "1. ", "a) ", "#1 ", "[1] ", "- ", "• ". */
const NUMBERING = /^(?:\d{1,2}[.):]|[a-j]\)|#\d{1,2}[.):]?|[[(]\d{1,2}[\])]|[-*•·\u2460-\u2473])[ \t]+/
/** A number without a mark, if it counts the entries. */
const BARE_NUMBERING = /^(\d{1,2})[ \t]+(?=[A-Za-z0-9])/
const MAY_NUMBER = table('0123456789-*#[(abcdefghij')
/** "•", "·", and digits in circles. */
const OTHER_BULLETS = [0x2022, 0xb7, ...Array.from({ length: 20 }, (_, n) => 0x2460 + n)]
const SHORTEST = 5
const LONGEST = 32

const TAB = 9
const LINE_FEED = 10
const SPACE = 32
const COMMA = 44
const BAR = 124

/** The lists of lines, or of the cells of a table, in order; linear in the text. */
export function findLists(text: string): ValueList[] {
  const lists: ValueList[] = []
  /** Values without other text between them. */
  let places: Place[] = []
  let blankLines = 0
  const finish = () => {
    if (places.length >= VALUES_MIN && mayBeList(text, places)) lists.push(...listsOf(text, places))
    if (places.length > 0) places = []
  }
  const hasCells =
    text.includes('\t') || hasCellBehind(text, ',') || hasCellBehind(text, '  ') || hasCellBehind(text, ' | ')
  const hasRows = hasRow(text)
  if (!hasCells && !hasRows && !mayBeLines(text)) return []
  let endOfRow = 0
  /** The last number of an entry without a mark. */
  let counted = 0
  const isNext = (number: number) => {
    if (number !== counted + 1 && (number !== 1 || counted === 1)) return false
    counted = number
    return true
  }
  for (let at = 0, end = 0; at <= text.length; at = end + 1) {
    end = endOfCell(text, at, hasCells)
    if (hasRows && at >= endOfRow) endOfRow = at + lengthOfRow(text, at)
    if (at < endOfRow) end = endOfValue(text, at, end)
    const mayBeNumber = end - at <= ENTRY_NUMBER_MAX && ENDS_NUMBER[text.charCodeAt(end - 1)]
    if (mayBeNumber && isEntryNumber(text.slice(at, end), places.length === 0)) continue
    // A longer one is no value, and most other lines end with a mark.
    if (end - at > LINE_MAX || (end > at && MARKS[text.charCodeAt(end - 1)])) {
      blankLines = 0
      finish()
      continue
    }
    const place = cellAt(text, at, end, isNext)
    if (place.start === place.end) {
      if (++blankLines > 2) finish()
      continue
    }
    blankLines = 0
    if (isValue(text, place)) places.push(place)
    else finish()
  }
  finish()
  return lists
}

/** Characters of a cell with a value, its numbering and what is around it. */
const LINE_MAX = LONGEST + 16

/**
 * Whether as many lines follow one another as a list has, of the length of a value and without a mark at their end,
 * apart from lines that may be blank or the number of an entry. Four of five mails have none.
 */
function mayBeLines(text: string): boolean {
  for (let at = 0, lines = 0; at <= text.length; ) {
    const end = endOfLine(text, at)
    const length = end - at
    const isMarked = length > 0 && MARKS[text.charCodeAt(end - 1)]!
    if (length > LINE_MAX || (isMarked && length > ENTRY_NUMBER_MAX)) lines = 0
    else if (length >= SHORTEST && !isMarked && ++lines === VALUES_MIN) return true
    at = end + 1
  }
  return false
}

/** The number of an entry in a cell of its own. */
const ENTRY_NUMBER = /^[ \t]*#?(\d{1,2})[.)]?[ \t]*$/
/** Characters of such a cell. A longer one has a value behind its number. */
const ENTRY_NUMBER_MAX = 8

/** Characters that such a number ends with. */
const ENDS_NUMBER = table('.) \t0123456789')

/** Whether a cell has only the number of an entry. That of the first one is 1. */
function isEntryNumber(cell: string, isFirst: boolean): boolean {
  const number = ENTRY_NUMBER.exec(cell)?.[1]
  return number !== undefined && (!isFirst || Number(number) === 1)
}

function isValue(text: string, { start, end }: Place): boolean {
  const mayBe = isAlphanumeric(text.charCodeAt(start)) && isAlphanumeric(text.charCodeAt(end - 1))
  return end - start >= SHORTEST && mayBe && VALUE.test(text.slice(start, end))
}

/** Whether some values have a digit or groups; most are the words of a menu: "Settings", "Privacy", "Terms". */
function mayBeList(text: string, places: Place[]): boolean {
  return DIGIT_OR_GROUPS.test(text.slice(places[0]!.start, places.at(-1)!.end))
}

const DIGIT_OR_GROUPS = /\d|\S[ -]\S/

/** The lists among values: those of one shape that follow one another. */
function listsOf(text: string, places: Place[]): ValueList[] {
  const lists: ValueList[] = []
  const shapes = places.map(({ start, end }) => shapeOf(text.slice(start, end)))
  for (let from = 0, to = 1; to <= places.length; to++) {
    if (to < places.length && areAlike(shapes[from] ?? null, shapes[to] ?? null)) continue
    const list = shapes[from] === null ? null : listOf(text, places.slice(from, to))
    if (list !== null) lists.push(list)
    from = to
  }
  return lists
}

/** The list of values of one shape; null if they make no list. Where one has letters, all keep what is between groups. */
function listOf(text: string, places: Place[]): ValueList | null {
  const shown = places.map(({ start, end }) => text.slice(start, end))
  const hasLetters = shown.some((value) => /[A-Za-z]/.test(value))
  const values = hasLetters ? shown : shown.map((value) => value.replace(/\D/g, ''))
  return isList(values) ? { start: places[0]!.start, end: places.at(-1)!.end, values, places } : null
}

/** Marks that no value and no number of an entry ends with. */
const MARKS = table('.:!?')
/** Marks around a value, and the one that may follow an entry. */
const AROUND = table('"\'`*<>[]()')
const BEHIND = table(',;')

/** A value, to the end of its cell or of its line. */
const CELL = new RegExp(
  `(?:\\d{1,2}[.):][ \\t]+)?${GROUP}(?:[ -]${GROUP}){0,5}(?: {2,}[A-Za-z0-9]|, ?[A-Za-z0-9]| \\| [A-Za-z0-9]|[ \\r]{0,20}$)`,
  'my',
)

const DASHED = '[A-Za-z0-9]{2,8}(?:-[A-Za-z0-9]{2,8}){1,4}'
/** Values in one line, with a blank between them and a dash inside of each: "C0EF-D910 DD12-2F9A …". */
const ROW = new RegExp(`${DASHED}(?: ${DASHED}){1,23} {0,4}$`, 'my')
/** Characters of the shortest one. */
const ROW_MIN = 11

/** Whether a text has such a line. Most lines have no dash, or end with a mark. */
function hasRow(text: string): boolean {
  for (let dash = text.indexOf('-'); dash !== -1; ) {
    const at = text.lastIndexOf('\n', dash) + 1
    const end = endOfLine(text, dash)
    const last = text.charCodeAt(end - 1)
    if (end - at >= ROW_MIN && (last === SPACE || isAlphanumeric(last))) {
      ROW.lastIndex = at
      if (ROW.test(text)) return true
    }
    dash = text.indexOf('-', end)
  }
  return false
}

/** How long a row of such values is that begins at a place and ends with its line; 0 if none does. */
function lengthOfRow(text: string, at: number): number {
  ROW.lastIndex = at
  return ROW.exec(text)?.[0].length ?? 0
}

/** The first blank of a part of such a line, or the end of that part. */
function endOfValue(text: string, at: number, end: number): number {
  const blank = text.indexOf(' ', at)
  return blank === -1 || blank > end ? end : blank
}

/** Whether a value follows the end of a cell with this mark. Most commas have no value behind them. */
function hasCellBehind(text: string, mark: ',' | '  ' | ' | '): boolean {
  for (let at = text.indexOf(mark); at !== -1; ) {
    const next = behindSeparator(text, at, text.charCodeAt(at))
    CELL.lastIndex = next
    if (isAlphanumeric(text.charCodeAt(at - 1)) && isAlphanumeric(text.charCodeAt(next)) && CELL.test(text))
      return true
    at = text.indexOf(mark, next)
  }
  return false
}

/**
 * Where the cell at a place ends: at a line end or a tab, and between letters or digits at blanks, as in columns of
 * plain text, or at a comma. A loop, because a search would try its expression at each character.
 */
function endOfCell(text: string, from: number, hasCells: boolean): number {
  if (!hasCells) return endOfLine(text, from)
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > COMMA) continue
    if (code === LINE_FEED || code === TAB) return at
    if ((code !== SPACE && code !== COMMA) || !isAlphanumeric(text.charCodeAt(at - 1))) continue
    if (isAlphanumeric(text.charCodeAt(behindSeparator(text, at, code)))) return at
  }
  return text.length
}

/** The place behind a comma, behind more than one blank, or behind a bar between blanks. */
function behindSeparator(text: string, at: number, code: number): number {
  if (code === COMMA) return text.charCodeAt(at + 1) === SPACE ? at + 2 : at + 1
  const next = text.charCodeAt(at + 1)
  if (next === BAR && text.charCodeAt(at + 2) === SPACE) return at + 3
  if (next !== SPACE) return at
  let end = at + 2
  while (text.charCodeAt(end) === SPACE) end++
  return end
}

/**
 * Where the value of the cell at a place begins and ends, without the numbering of a list and the marks around it.
 * @param isNext whether a number counts the entries
 */
function cellAt(text: string, at: number, end: number, isNext: (number: number) => boolean): Place {
  let start = at
  while (start < end && isAside(text.charCodeAt(start))) start++
  let last = end
  while (last > start && isAside(text.charCodeAt(last - 1))) last--
  start = Math.min(start + lengthOfNumbering(text, start, end, isNext), last)
  if (last > start && BEHIND[text.charCodeAt(last - 1)]) last--
  while (last - start > 1 && AROUND[text.charCodeAt(start)] && AROUND[text.charCodeAt(last - 1)]) {
    start++
    last--
  }
  return { start, end: last }
}

/** White space, or the bar between two cells. */
function isAside(code: number): boolean {
  return code === BAR || isWhite(code)
}

function lengthOfNumbering(
  text: string,
  start: number,
  end: number,
  isNext: (number: number) => boolean,
): number {
  const first = text.charCodeAt(start)
  if (first <= LAST_ASCII ? !MAY_NUMBER[first]! : !OTHER_BULLETS.includes(first)) return 0
  const cell = text.slice(start, end)
  const marked = NUMBERING.exec(cell)
  if (marked !== null) return marked[0].length
  const bare = BARE_NUMBERING.exec(cell)
  return bare !== null && isNext(Number(bare[1])) ? bare[0].length : 0
}

/** What values of one list have in common. */
interface Shape {
  /** The lengths of the groups and what is between them. */
  lengths: string
  /** How many words there are, if all groups are words; they differ in length: "coral-anvil". */
  words: number
}

/** The shape of a value; null if it is too short or too long, or if it is a sentence, as "Thanks" is below a list. */
function shapeOf(shown: string): Shape | null {
  if (SENTENCE.test(shown)) return null
  if (!SEPARATOR.test(shown)) return { lengths: String(shown.length), words: 0 }
  const length = shown.replace(/[ -]/g, '').length
  if (length < SHORTEST || length > LONGEST) return null
  const isOfWords = /^[a-z]+(?:-[a-z]+)+$/.test(shown)
  return { lengths: lengthsOfGroups(shown), words: isOfWords ? shown.split('-').length : 0 }
}

const SENTENCE = /^(?!.*[b-df-hj-np-tv-xz]{4})[A-Z][a-z]+(?: [a-z]+)*$/

function areAlike(one: Shape | null, other: Shape | null): boolean {
  if (one === null || other === null) return one === other
  return one.lengths === other.lengths || (one.words > 0 && one.words === other.words)
}

/** A value with the length of each group in its place: "5-5" for "K4QZ7-2MNB1". */
export function lengthsOfGroups(value: string): string {
  return value.replace(/[A-Za-z0-9]+/g, (group) => String(group.length))
}

const SEPARATOR = /[ -]/

/** Different values, most of them in groups or with digits, and none that is a word or a date. */
function isList(values: string[]): boolean {
  if (values.length < VALUES_MIN || values.length > VALUES_MAX || new Set(values).size < values.length)
    return false
  const marked = values.flatMap((value) => MARKED.exec(value)?.[1] ?? [])
  const mixed = values.filter((value) => /\d/.test(value) && /[A-Za-z]/.test(value)).length
  if (marked.length > 0 && (new Set(marked).size < values.length || mixed * 2 < values.length)) return false
  const withDigits = values.filter((value) => /\d/.test(value)).length
  // They have one shape, so the first one shows whether they are in groups.
  return (
    withDigits * 2 >= values.length ||
    (SEPARATOR.test(values[0]!) && values.every((value) => /^(?:[a-z\d -]+|[A-Z\d -]+)$/.test(value)))
  )
}

/** "Your sign-in code: 771204", "Your code is 771204.": the value of a noun that introduces no list. */
const HAS_VALUE = /^\s{0,3}["'*]{0,2}(?=[A-Za-z]{0,11}\d)([A-Za-z0-9]{4,12})["'*]{0,2}[ \t.。]*\n([ \t]*\n)?/u
const COLON_BEHIND = /^ ?[:：]/
const IS = bits('is')

/** Whether a list is one of codes: the nearest word for a code above it says so. */
export function isListOfCodes(mail: MailText, list: ValueList): boolean {
  // "Your backup codes for your password:"
  const codes = mail.nouns.filter(({ meaning }) => meaning !== 'password')
  const noun = lastBefore(codes, list.start)
  if (noun === undefined || list.start - noun.end > BELOW) return false
  const behind = mail.text.slice(noun.end, list.start)
  const lead =
    COLON_BEHIND.exec(behind)?.[0].length ?? (wordStartingAt(mail, noun.end + 1, IS)?.end ?? 0) - noun.end
  const [, own, blankLine] = (lead > 0 && HAS_VALUE.exec(behind.slice(lead))) || []
  if (own !== undefined && (blankLine !== undefined || own.length !== list.values[0]!.length)) return false
  const value = list.values[0]!
  const place = { start: list.start, end: list.places[0]!.end, value, look: 0, digits: false, doubtful: true }
  return isTrusted(mail, noun, place, true)
}
