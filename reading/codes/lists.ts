import { isWhite, table } from '../lexicon/letters.ts'
import { endOfLine, type Place } from './layout.ts'
import { lastBefore, type MailText } from './mail-text.ts'
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

/**
 * A value in groups, "8f3k-29dm", "48213 90127", "a8f2.9dmx", whose lengths are compared later; or a longer one of
 * digits and letters in both cases, which no account and no device has.
 */
const VALUE =
  /^(?:[A-Za-z0-9]{2,12}(?:[ .:_-][A-Za-z0-9]{2,12}){0,5}|(?=[A-Za-z]*\d)(?=[A-Z\d]*[a-z])(?=[a-z\d]*[A-Z])[A-Za-z0-9]{13,32})$/
/** The last group of a value with a mark that prices, times and names of files have as well. */
const MARKED = /[.:_]([A-Za-z0-9]+)$/
/** The number of an entry or its mark: "1. ", "a) ", "- ", "• ". */
const NUMBERING = /^(?:\d{1,2}[.):]|[a-j]\)|[-*•·\u2460-\u2473])[ \t]+/
const MAY_NUMBER = table('0123456789-*abcdefghij')
/** "•", "·", and digits in circles. */
const OTHER_BULLETS = [0x2022, 0xb7, ...Array.from({ length: 20 }, (_, n) => 0x2460 + n)]
const SHORTEST = 5
const LONGEST = 32

const TAB = 9
const LINE_FEED = 10
const SPACE = 32
const COMMA = 44
const LAST_ASCII = 127

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
  const hasCells = text.includes('\t') || hasCellBehind(text, ',') || hasCellBehind(text, '  ')
  const hasRows = hasRow(text)
  let endOfRow = 0
  for (let at = 0, end = 0; at <= text.length; at = end + 1) {
    end = endOfCell(text, at, hasCells)
    if (hasRows && at >= endOfRow) endOfRow = at + lengthOfRow(text, at)
    if (at < endOfRow) end = endOfValue(text, at, end)
    const mayBeNumber = end - at <= ENTRY_NUMBER_MAX && ENDS_NUMBER[text.charCodeAt(end - 1)]
    if (mayBeNumber && isEntryNumber(text.slice(at, end), places.length === 0)) continue
    // A longer one is no value, and most other lines end with a mark.
    if (end - at > LONGEST + 16 || (end > at && MARKS[text.charCodeAt(end - 1)])) {
      blankLines = 0
      finish()
      continue
    }
    const place = cellAt(text, at, end)
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

/** The number of an entry in a cell of its own. */
const ENTRY_NUMBER = /^[ \t]*(\d{1,2})[.)][ \t]*$/
/** Characters of such a cell. A longer one has a value behind its number. */
const ENTRY_NUMBER_MAX = 8

/** Characters that such a number ends with. */
const ENDS_NUMBER = table('.) \t')

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
    if (to < places.length && shapes[to] === shapes[from]) continue
    const list = shapes[from] === null ? null : listOf(text, places.slice(from, to))
    if (list !== null) lists.push(list)
    from = to
  }
  return lists
}

/** The list of values of one shape; null if they are none. */
function listOf(text: string, places: Place[]): ValueList | null {
  const values = places.map(({ start, end }) => {
    const shown = text.slice(start, end)
    return /[A-Za-z]/.test(shown) ? shown : shown.replace(/\D/g, '')
  })
  return isList(values) ? { start: places[0]!.start, end: places.at(-1)!.end, values, places } : null
}

/** Marks that no value and no number of an entry ends with. */
const MARKS = table('.,:;!?)]"\'>')

/** A value, to the end of its cell or of its line. */
const CELL =
  /(?:\d{1,2}[.):][ \t]+)?[A-Za-z0-9]{2,12}(?:[ -][A-Za-z0-9]{2,12}){0,5}(?: {2,}[A-Za-z0-9]|, ?[A-Za-z0-9]|[ \r]{0,20}$)/my

const DASHED = '[A-Za-z0-9]{2,8}-[A-Za-z0-9]{2,8}'
/** Three or more values in one line, with a blank between them and a dash inside of each: "C0EF-D910 DD12-2F9A …". */
const ROW = new RegExp(`${DASHED}(?: ${DASHED}){2,23} {0,4}$`, 'my')
/** Characters of the shortest one. */
const ROW_MIN = 20

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

/** In a text with such a line, the others may have fewer. */
const REST_OF_ROW = new RegExp(`${DASHED}(?: ${DASHED}){1,23} {0,4}$`, 'my')

/** How long a row of such values is that begins at a place and ends with its line; 0 if none does. */
function lengthOfRow(text: string, at: number): number {
  REST_OF_ROW.lastIndex = at
  return REST_OF_ROW.exec(text)?.[0].length ?? 0
}

/** The first blank of a part of such a line, or the end of that part. */
function endOfValue(text: string, at: number, end: number): number {
  const blank = text.indexOf(' ', at)
  return blank === -1 || blank > end ? end : blank
}

/** Whether a value follows the end of a cell with this mark. Behind most commas there is none. */
function hasCellBehind(text: string, mark: ',' | '  '): boolean {
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

/** The place behind a comma or behind more than one blank. */
function behindSeparator(text: string, at: number, code: number): number {
  if (code === COMMA) return text.charCodeAt(at + 1) === SPACE ? at + 2 : at + 1
  if (text.charCodeAt(at + 1) !== SPACE) return at
  let end = at + 2
  while (text.charCodeAt(end) === SPACE) end++
  return end
}

/** Where the value of the cell at a place begins and ends, without the numbering of a list. */
function cellAt(text: string, at: number, end: number): Place {
  let start = at
  while (start < end && isWhite(text.charCodeAt(start))) start++
  let last = end
  while (last > start && isWhite(text.charCodeAt(last - 1))) last--
  const first = text.charCodeAt(start)
  const isNumbered = first <= LAST_ASCII ? MAY_NUMBER[first]! : OTHER_BULLETS.includes(first)
  const numbering = isNumbered ? (NUMBERING.exec(text.slice(start, end))?.[0].length ?? 0) : 0
  return { start: Math.min(start + numbering, last), end: last }
}

/** The lengths and separators of a value's groups; null if they are too short or too long. */
function shapeOf(shown: string): string | null {
  if (!SEPARATOR.test(shown)) return String(shown.length)
  const length = shown.replace(/[ -]/g, '').length
  if (length < SHORTEST || length > LONGEST) return null
  // Words differ in length: "coral-anvil".
  if (/^[a-z]+(?:-[a-z]+)+$/.test(shown)) return shown.replace(/[a-z]+/g, 'w')
  return lengthsOfGroups(shown)
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
    (SEPARATOR.test(values[0]!) && values.every((value) => /^(?:[a-z -]+|[A-Z -]+)$/.test(value)))
  )
}

/** "Your sign-in code: 771204": the value of a noun that introduces no list. */
const HAS_VALUE = /^ ?[:：] ?(?=[A-Za-z]{0,11}\d)([A-Za-z0-9]{4,12})[ \t.]*\n/

/** Whether a list is one of codes: the nearest word for a code above it says so. */
export function isListOfCodes(mail: MailText, list: ValueList): boolean {
  const noun = lastBefore(mail.nouns, list.start)
  if (noun === undefined || list.start - noun.end > BELOW) return false
  const own = HAS_VALUE.exec(mail.text.slice(noun.end, list.start))?.[1]
  if (own !== undefined && own.length !== list.values[0]!.length) return false
  const value = list.values[0]!
  const place = { start: list.start, end: list.places[0]!.end, value, look: 0, digits: false, doubtful: true }
  return isTrusted(mail, noun, place, true)
}
