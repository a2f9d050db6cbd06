import { table } from '../lexicon/letters.ts'
import { lastBefore, type MailText } from './mail-text.ts'
import { isTrusted } from './trust.ts'

/** Values of one shape, each on its own line or in its own cell: recovery codes, or other numbers. */
export interface ValueList {
  start: number
  end: number
  values: string[]
  places: Array<{ start: number; end: number }>
}

/** A list of fewer values may be a few numbers by chance; one of more is data. */
const VALUES_MIN = 3
const VALUES_MAX = 24

/** Characters between the word for the codes and the list. */
const BELOW = 400

/** A value in groups: "8f3k-29dm", "48213 90127", "a8f2.9dmx". Group lengths are compared later. */
const VALUE = /^[A-Za-z0-9]{2,12}(?:[ .:_-][A-Za-z0-9]{2,12}){0,5}$/
/** The last group of a value with a mark that prices, times and names of files have as well. */
const MARKED = /[.:_]([A-Za-z0-9]+)$/
/** The number of an entry or its mark: "1. ", "- ", "• ". */
const NUMBERING = /^(?:\d{1,2}[.):]|[-*•·])[ \t]+/
const MAY_NUMBER = table('0123456789-*')
const SHORTEST = 5
const LONGEST = 32

/** The lists of lines, or of the cells of a table, in order; linear in the text. */
export function findLists(text: string): ValueList[] {
  const lists: ValueList[] = []
  let current: ValueList | null = null
  let shape = ''
  let blankLines = 0
  const finish = () => {
    if (current !== null && isList(current.values)) lists.push(current)
    current = null
  }
  const hasCells = text.includes('\t') || CELL.test(text)
  for (let at = 0, end = 0; at <= text.length; at = end + 1) {
    end = endOfCell(text, at, hasCells)
    // A longer one is no value, and most other lines end with a mark.
    if (end - at > LONGEST + 16 || (end > at && MARKS[text.charCodeAt(end - 1)])) {
      blankLines = 0
      finish()
      continue
    }
    const { start, end: last } = cellAt(text, at, end)
    if (start === last) {
      if (++blankLines > 2) finish()
      continue
    }
    blankLines = 0
    const shown = text.slice(start, last)
    const its = shapeOf(shown)
    if (its === null || its !== shape) finish()
    if (its === null) continue
    shape = its
    current ??= { start, end: last, values: [], places: [] }
    current.end = last
    current.values.push(/[A-Za-z]/.test(shown) ? shown : shown.replace(/\D/g, ''))
    current.places.push({ start, end: last })
  }
  finish()
  return lists
}

/** Marks that no value and no number of an entry ends with. */
const MARKS = table('.,:;!?)]"\'>')

/** A value between two ends of cells, or behind the last one of its line. Most commas have none. */
const CELL =
  /[A-Za-z0-9](?: {2,}|, ?)(?:\d{1,2}[.):][ \t]+)?[A-Za-z0-9]{2,12}(?:[ -][A-Za-z0-9]{2,12}){0,5}(?: {2,}[A-Za-z0-9]|, ?[A-Za-z0-9]|[ \r]{0,20}$)/m

/** Also two columns of plain text, and values on one line with commas between them. */
const CELL_END = /[\n\t]|(?<=[A-Za-z0-9])(?: {2,}|, ?)(?=[A-Za-z0-9])|$/g

function endOfCell(text: string, from: number, hasCells: boolean): number {
  if (hasCells) {
    CELL_END.lastIndex = from
    return CELL_END.exec(text)!.index
  }
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

/** Where the value of the cell at a place begins and ends, without the numbering of a list. */
function cellAt(text: string, at: number, end: number): { start: number; end: number } {
  const cell = text.slice(at, end)
  const start = at + cell.length - cell.trimStart().length
  const last = at + cell.trimEnd().length
  const isNumbered = MAY_NUMBER[text.charCodeAt(start)] ?? true
  const numbering = isNumbered ? (NUMBERING.exec(text.slice(start, end))?.[0].length ?? 0) : 0
  return { start: Math.min(start + numbering, Math.max(start, last)), end: Math.max(start, last) }
}

/** The lengths and separators of a value's groups; null if it is no value. */
function shapeOf(shown: string): string | null {
  if (shown.length < SHORTEST || !VALUE.test(shown)) return null
  if (!SEPARATOR.test(shown)) return String(shown.length)
  const length = shown.replace(/[ -]/g, '').length
  if (length < SHORTEST || length > LONGEST) return null
  // Words differ in length: "coral-anvil".
  if (/^[a-z]+(?:-[a-z]+)+$/.test(shown)) return shown.replace(/[a-z]+/g, 'w')
  return shown.replace(/[A-Za-z0-9]+/g, (group) => String(group.length))
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
  const inGroups = values.filter((value) => SEPARATOR.test(value)).length
  return (
    withDigits * 2 >= values.length ||
    (inGroups > 0 && values.every((value) => /^(?:[a-z -]+|[A-Z -]+)$/.test(value)))
  )
}

/** Whether a list is one of codes: the nearest word for a code above it says so. */
export function isListOfCodes(mail: MailText, list: ValueList): boolean {
  const noun = lastBefore(mail.nouns, list.start)
  if (noun === undefined || list.start - noun.end > BELOW) return false
  const value = list.values[0]!
  const place = { start: list.start, end: list.places[0]!.end, value, look: 0, digits: false, doubtful: true }
  return isTrusted(mail, noun, place, true)
}
