import { table } from '../lexicon/letters.ts'
import type { Place } from './layout.ts'
import { isAlphanumeric, isDigit, type Token, tokenAt } from './tokens.ts'

/** Between the groups of one code, on a line or over lines. */
const GAP_ON_LINE = /^(?: {1,3}|[ \t]?[·•|][ \t]?| - |\t)$/
const GAP = /^\s{1,12}$/

const PLUS = 0x2b
const LINE_FEED = 0x0a
const DASH = 0x2d
const SPACE = 0x20

/** A longer number is no group of a code, of a card or of an account. */
const GROUP_MAX = 5

/** The digit groups that follow a token with no more than a gap between them, the token first. */
export function digitRun(text: string, first: Token): Token[] {
  const run = [first]
  // Nearly every number has no other one near it, so check that first.
  if (nextNearDigit(text, first.end) === -1) return run
  const international = text.charCodeAt(first.start - 1) === PLUS
  if (!international && (first.glued || first.end - first.start > GROUP_MAX)) return run
  if (!isShortNumber(first)) return run
  let overLines = false
  while (run.length < 12) {
    const last = run.at(-1)!
    const start = nextNearDigit(text, last.end)
    if (start === -1) break
    const next = tokenAt(text, start, last.end)
    if (next.start !== start || next.glued || !isShortNumber(next)) break
    const gap = text.slice(last.end, start)
    if (run.length === 1) overLines = gap.includes('\n')
    if (!(overLines ? isGapOverLines(text, gap, last, next) : gap === ' ' || GAP_ON_LINE.test(gap))) break
    run.push(next)
  }
  return run
}

/**
 * Over lines only short groups belong together, each alone on its line: a list of whole codes stays
 * a list.
 */
function isGapOverLines(text: string, gap: string, last: Token, next: Token): boolean {
  const size = next.end - next.start
  return (
    GAP.test(gap) &&
    gap.includes('\n') &&
    size <= 3 &&
    size === last.end - last.start &&
    endsLine(text, next.end)
  )
}

function isCapital(code: number): boolean {
  return code >= 0x41 && code <= 0x5a
}

function endsLine(text: string, from: number): boolean {
  let at = from
  while (at < text.length && at < from + 12 && ' \t'.includes(text[at]!)) at++
  return at >= text.length || text.charCodeAt(at) === LINE_FEED
}

function nextNearDigit(text: string, from: number): number {
  const to = Math.min(text.length, from + 13)
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (isDigit(code)) return at
    if (isAlphanumeric(code)) return -1
  }
  return -1
}

function isShortNumber({ start, end, isNumber }: Token): boolean {
  return isNumber && end - start <= 16
}

/** A code in groups: what is to be typed and where it ends. A null value is skipped as a whole. */
export interface Grouped {
  value: string | null
  end: number
  /** It may be a telephone number too, so it needs a clear introduction. */
  doubtful?: boolean
}

/** Digits of a code in many groups: "482 139 012", "48213 90127". A card has more. */
const LONG_MAX = 12

/**
 * Reads a run of groups: a code, a phone, card or account number, or (null) unrelated neighbours.
 */
export function groupedCode(text: string, run: Token[]): Grouped | null {
  if (run.length === 1) return null
  const first = run[0]!
  const size = first.end - first.start
  const total = run.reduce((sum, token) => sum + token.end - token.start, 0)
  const whole = { value: null, end: run.at(-1)!.end }
  if (text.charCodeAt(first.start - 1) === PLUS) return whole
  const unequal = run.findIndex((token) => token.end - token.start !== size)
  const equal = unequal === -1 ? run : run.slice(0, unequal)
  // "482 913 30 minutes": a rest of another size is another number, unless all together are a
  // telephone's.
  if (total <= 8 && equal.length > 1 && size >= 2 && size <= 4) {
    // "482 139 01" ends its line, and is one number.
    if (unequal !== -1 && endsLine(text, withoutStop(text, whole.end)))
      return { value: digitsOf(text, run), end: whole.end, doubtful: true }
    const { end } = equal.at(-1)!
    // Cells of a row may hold a code, or unrelated numbers.
    return { value: digitsOf(text, equal), end, doubtful: text.slice(first.start, end).includes('\t') }
  }
  // "6417 03" to the end of its line, but not "March 2026 12".
  const isInTwo = total === 6 && run.length === 2 && size === 4 && !/^(?:19|20)/.test(text.slice(first.start))
  if (isInTwo && endsLine(text, withoutStop(text, whole.end)))
    return { value: digitsOf(text, run), end: whole.end, doubtful: true }
  if (total < 9) return null
  if (total <= LONG_MAX && isInThousands(text, run))
    return { value: digitsOf(text, run), end: whole.end, doubtful: true }
  return unequal === -1 && size >= 3 && total <= LONG_MAX
    ? { value: digitsOf(text, run), end: whole.end, doubtful: true }
    : whole
}

/**
 * Where the groups end that a token is the first one of: "7318 5 509", "KXQ7 Z 3MW". They reach to the end of the line
 * or of its sentence, each is short, and each has a digit or is one capital. -1 if it is alone.
 */
export function endOfGroups(text: string, { start, end }: Place): number {
  if (text.charCodeAt(end) !== SPACE || end - start > GROUP_MAX + PREFIX_MAX) return -1
  if (end - start > GROUP_MAX && !text.slice(start, end).includes('-')) return -1
  let at = end
  for (let n = 0; n < GROUPS_MAX && text.charCodeAt(at) === SPACE; n++) {
    const next = endOfGroup(text, at + 1)
    if (next === -1) break
    at = next
  }
  return at > end && endsLine(text, withoutStop(text, at)) ? at : -1
}

/** More groups are a row of a table. */
const GROUPS_MAX = 24
/** Characters before the digits of a first group: "AB-". */
const PREFIX_MAX = 3

/** Where a group ends that begins at a place; -1 for a longer one, a word, and a number with its unit: "10min". */
function endOfGroup(text: string, from: number): number {
  let digits = 0
  let end = from
  for (
    let code = text.charCodeAt(end);
    end - from <= GROUP_MAX && isAlphanumeric(code);
    code = text.charCodeAt(++end)
  )
    if (isDigit(code)) digits++
  const length = end - from
  if (length === 0 || length > GROUP_MAX) return -1
  if (digits === 0) return length === 1 && isCapital(text.charCodeAt(from)) ? end : -1
  return digits < length && UNIT.test(text.slice(from, end)) ? -1 : end
}

const UNIT = /^\d+(?:[a-z]+|Min|MIN|Std)$/

/** "4 471 920 385" to the end of its line: threes behind the first digits, as large numbers are written. */
function isInThousands(text: string, [first, ...rest]: Token[]): boolean {
  // A telephone number begins with a zero, or is too short for so many groups.
  if (rest.length < 3 || first!.end - first!.start > 3 || text[first!.start] === '0') return false
  return rest.every(({ start, end }) => end - start === 3) && endsLine(text, rest.at(-1)!.end)
}

function withoutStop(text: string, end: number): number {
  return text[end] === '.' ? end + 1 : end
}

function digitsOf(text: string, run: Token[]): string {
  return run.map((token) => text.slice(token.start, token.end)).join('')
}

/** Groups of letters and digits of one length and case, with single blanks: "XK42 99QP". */
const MIXED_GROUPS = 6

/**
 * The groups of letters and digits that a token with a digit is one of, or null if it is alone or the groups may be
 * words as well. The value keeps its blanks.
 */
export function mixedGroups(
  text: string,
  token: Token,
  floor: number,
): { start: number; end: number; value: string } | null {
  const size = token.end - token.start
  if (size < 3 || size > 6 || token.glued) return null
  const groups = [text.slice(token.start, token.end)]
  let { start, end } = token
  for (let next = groupAt(text, end + 1, size); next !== null; next = groupAt(text, end + 1, size)) {
    if (text[end] !== ' ' || groups.push(next) > MIXED_GROUPS) break
    end += 1 + size
  }
  for (
    let next = groupAt(text, start - 1 - size, size);
    next !== null && start - 1 - size >= floor && text[start - 1] === ' ';
    next = groupAt(text, start - 1 - size, size)
  ) {
    if (groups.unshift(next) > MIXED_GROUPS) break
    start -= 1 + size
  }
  if (groups.length === 1) return null
  // "4829 13ab 77" at the end of a line is one value.
  const rest = REST.exec(text.slice(end, end + size + 2))?.[1]
  if (rest !== undefined) {
    groups.push(rest)
    end += 1 + rest.length
  }
  if (groups.length > MIXED_GROUPS) return null
  const withDigit = groups.filter((group) => /\d/.test(group)).length
  // "MVV7 NNLE ETKB AUSC" on a line of its own: groups without a digit belong to the others.
  const isLine = groups.length > 2 && (start === 0 || text[start - 1] === '\n') && endsLine(text, end)
  if (isLine && /^[A-Z0-9]+$/.test(groups.join(''))) return { start, end, value: groups.join(' ') }
  if (withDigit < 2) return null
  if (!groups.some((group) => /\d/.test(group) && /[A-Za-z]/.test(group))) return null
  const isOneCase = /^[A-Z0-9]+$/.test(groups.join('')) || /^[a-z0-9]+$/.test(groups.join(''))
  if (!isOneCase || withDigit * 2 < groups.length) return null
  return { start, end, value: groups.join(' ') }
}

/** A last group with fewer characters. */
const REST = /^ ([A-Za-z]?\d[A-Za-z0-9]*)\.?(?:\s*\n|$)/

/** The letters and digits at a place, if exactly as many as given are between two marks. */
function groupAt(text: string, start: number, size: number): string | null {
  if (start < 0 || isAlphanumeric(text.charCodeAt(start - 1))) return null
  for (let at = start; at < start + size; at++) if (!isAlphanumeric(text.charCodeAt(at))) return null
  const after = text.charCodeAt(start + size)
  return isAlphanumeric(after) || after === DASH ? null : text.slice(start, start + size)
}

const MAX_SPACED = 10

/**
 * Single characters with gaps between them, as table cells, spans or lines give: "4 8 2 9 1 3". The
 * digit at `at` is the first digit; capitals may precede it.
 */
export function spacedCharacters(
  text: string,
  at: number,
  floor: number,
): { start: number; end: number; value: string } | null {
  if (!isLone(text, at)) return null
  const places = [at]
  for (let place = lone(text, at, -1, floor); place !== -1; place = lone(text, place, -1, floor)) {
    places.unshift(place)
    if (places.length > MAX_SPACED) return null
  }
  let overLines: boolean | null = null
  for (let place = lone(text, at, 1, text.length); place !== -1; place = lone(text, place, 1, text.length)) {
    const breaks = text.slice(places.at(-1)! + 1, place).includes('\n')
    overLines ??= breaks
    // "4 8 2 9" and, below it, "5 minutes"
    if (breaks !== overLines || (overLines && !endsLine(text, place + 1))) break
    places.push(place)
    if (places.length > MAX_SPACED) return null
  }
  dropArticles(text, places)
  if (places.length < 4) return null
  return { start: places[0]!, end: places.at(-1)! + 1, value: places.map((place) => text[place]).join('') }
}

/** The next lone character in a direction, at most twelve gap characters away. */
function lone(text: string, from: number, step: 1 | -1, limit: number): number {
  for (let n = 1; n <= 13; n++) {
    const at = from + step * n
    if (step === 1 ? at >= limit : at < limit) return -1
    const code = text.charCodeAt(at)
    if (isDigit(code) || isCapital(code)) return n > 1 && isLone(text, at) ? at : -1
    if (code === DASH && text[at - 1] === '\t' && text[at + 1] === '\t') continue
    if (code < 128 ? !GAP_CHARACTERS[code] : code !== MIDDLE_DOT && code !== BULLET) return -1
  }
  return -1
}

const GAP_CHARACTERS = table(' \t\n|')
const SIDE_CHARACTERS = table(' \t\n|*"\'[](){}<>.,;:!?-')
const MIDDLE_DOT = 0xb7
const BULLET = 0x2022

/** Neither a letter nor a digit touches it. Letters of scripts without spaces do not count. */
function isLone(text: string, at: number): boolean {
  return isSide(text, at - 1) && isSide(text, at + 1)
}

function isSide(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return true
  const code = text.charCodeAt(at)
  return code < 128 ? SIDE_CHARACTERS[code]! : code === MIDDLE_DOT || code >= 0x530
}

/** The sentence around the digits may begin or end with "I" or "A". */
function dropArticles(text: string, places: number[]): void {
  const digits = places.filter((place) => isDigit(text.charCodeAt(place))).length
  if (digits !== places.length - 1) return
  if ('AI'.includes(text[places.at(-1)!]!)) places.pop()
  else if ('AI'.includes(text[places[0]!]!)) places.shift()
}
