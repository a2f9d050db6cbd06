import { isNativeDigit, isWhite } from '../lexicon/letters.ts'
import { textOfUnits } from '../units.ts'
import { References } from './references.ts'
import { BLANK_LINE, BREAK, NEW_LINE, NEXT_CELL } from './tags.ts'

const SPACE = 32
const AMPERSAND = 38
const LAST_ASCII = 127
const NO_BREAK_SPACE = 160

const FIRST_MARK = 9
const LAST_MARK = 12
/** The bit of a mark in a set: one for each code from NEXT_CELL to BLANK_LINE. */
const markBit = (code: number): number => 1 << (code - FIRST_MARK)
const HAS_CELL = markBit(NEXT_CELL.charCodeAt(0))
const HAS_NEW_LINE = markBit(NEW_LINE.charCodeAt(0))
const HAS_BREAK = markBit(BREAK.charCodeAt(0))
const HAS_BLANK_LINE = markBit(BLANK_LINE.charCodeAt(0))
/** The set has BREAK more than once. */
const TWO_BREAKS = 1 << 4
const MARKS = (TWO_BREAKS << 1) - 1
/** The run has white space. */
const HAS_BLANK = 1 << 5

/** The run with one more mark, or with white space. */
function withBreak(run: number, code: number): number {
  if (code > LAST_MARK) return run | HAS_BLANK
  return run | ((run & markBit(code)) === HAS_BREAK ? TWO_BREAKS : markBit(code))
}

/**
 * Empty layout elements leave runs of white space; a run means no more than the strongest break in
 * it.
 */
function strongestBreak(marks: number): string {
  if ((marks & HAS_BLANK_LINE) !== 0) return '\n\n'
  if ((marks & (HAS_NEW_LINE | HAS_BREAK)) !== 0) return '\n'
  return (marks & HAS_CELL) !== 0 ? NEXT_CELL : ' '
}

const ALL_MARKS = Array.from({ length: MARKS + 1 }, (_, marks) => marks)
/** What becomes of a run of white space and marks in a text that is searched, by the set of its marks. */
export const SEARCHED_BREAKS = ALL_MARKS.map(strongestBreak)
/** The same in a text for readers. */
export const READERS_BREAKS = ALL_MARKS.map((marks) => {
  if ((marks & TWO_BREAKS) !== 0) return '\n\n'
  const mark = strongestBreak(marks)
  return mark === NEXT_CELL ? ' ' : mark
})

/** What would continue an address right before it. */
const WORD = /^[\p{L}\p{N}]/u
/** Capitals in a row that may be a code. */
const CAPITALS = 4
/** The color of a longer text always counts, so that it need not be searched. */
const PIECE_MAX = 2000
const NO_LINK = -1
const REFERENCES = new References()
/** The codes of a text to which nothing was added. */
const NO_CODES = new Uint16Array(0)
/** Room for the breaks around a piece. */
const BREAKS_ROOM = 8

/**
 * A text that is made of pieces of HTML: references decoded, each run of white space and marks as one break. It is
 * written as numbers, because a string for each piece costs more than the piece.
 */
export class Output {
  readonly #breaks: readonly string[]
  readonly #firstRoom: number
  #codes = NO_CODES
  #length = 0
  /** All codes together, as bits. */
  #allBits = 0
  /** The white space and the marks behind the last character. */
  #run = 0
  /** The last code of the last piece, which may be white space, or a mark. */
  #last = SPACE
  /** Where the words of the current link begin. */
  #wordsFrom = NO_LINK
  #url = ''
  /** Whether the last piece is the address of a link. */
  #isAddress = false
  /** Characters of the text that breaks became. */
  #breakUnits = 0
  /** The state that `undo` returns to. */
  #kept = { length: 0, run: 0, last: SPACE }

  /** @param room how long the text will be, or less */
  constructor(breaks: readonly string[], room: number) {
    this.#breaks = breaks
    this.#firstRoom = room
  }

  /** The text up to now. */
  take(): string {
    if (this.#run !== 0) this.#length = this.#flushed(this.#room(0), this.#length, this.#run)
    this.#run = 0
    return textOfUnits(this.#codes, this.#length, this.#allBits)
  }

  /** Whether nothing was added after the last break. */
  get isAtBreak(): boolean {
    return this.#last >= FIRST_MARK && this.#last <= LAST_MARK
  }

  /** Whether a piece of HTML would continue a word of the text. */
  isContinuedBy(html: string, from: number, to: number): boolean {
    return isInWord(this.#last) && isInWord(this.#firstOf(html, from, to).charCodeAt(0))
  }

  /** Adds the text of a piece of HTML; returns its length, with one character for each run of white space. */
  addHtml(html: string, from: number, to: number): number {
    if (this.#isAddress) this.#endAddress(this.#firstOf(html, from, to))
    const codes = this.#room(to - from)
    const before = this.#length - this.#breakUnits
    let length = this.#length
    let run = this.#run
    let last = this.#last
    let allBits = this.#allBits
    let blanks = 0
    for (let at = from; at < to; at++) {
      let code = html.charCodeAt(at)
      if (code === AMPERSAND) {
        const decoded = REFERENCES.at(html, at, to)
        at = REFERENCES.end - 1
        code = decoded.charCodeAt(decoded.length - 1)
        if (decoded.length > 1) {
          if (run !== 0) length = this.#flushed(codes, length, run)
          run = 0
          codes[length++] = decoded.charCodeAt(0)
        }
      } else if (isBlank(code)) {
        while (at + 1 < to && isBlank(html.charCodeAt(at + 1))) at++
        code = SPACE
      }
      if (isBreak(code)) {
        run = withBreak(run, code)
        last = code
        blanks++
        continue
      }
      if (run !== 0) length = this.#flushed(codes, length, run)
      run = 0
      codes[length++] = code
      allBits |= code
    }
    if (to > from) this.#last = run === 0 ? codes[length - 1]! : last
    this.#length = length
    this.#run = run
    this.#allBits = allBits
    return length - this.#breakUnits - before + blanks
  }

  /** Adds a text that has no references. */
  add(text: string): void {
    const codes = this.#room(text.length)
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      this.#last = code
      if (isBreak(code)) {
        this.#run = withBreak(this.#run, code)
        continue
      }
      if (this.#run !== 0) this.#length = this.#flushed(codes, this.#length, this.#run)
      this.#run = 0
      codes[this.#length++] = code
      this.#allBits |= code
    }
  }

  /** Keeps the state for `undo`. */
  keep(): void {
    const kept = this.#kept
    kept.length = this.#length
    kept.run = this.#run
    kept.last = this.#last
  }

  /** Takes back what was added since `keep`. */
  undo(): void {
    const { length, run, last } = this.#kept
    this.#length = length
    this.#run = run
    this.#last = last
  }

  /** Whether what was added since `keep` may be a code, or a piece of one: only such text is hidden by colors. */
  get mayBeCode(): boolean {
    const from = this.#kept.length
    const to = this.#length
    if (to - from > PIECE_MAX) return true
    for (let at = from, capitals = 0; at < to; at++) {
      const code = this.#codes[at]!
      if (code >= 48 && code <= 57) return true
      capitals = code >= 65 && code <= 90 ? capitals + 1 : 0
      if (capitals === CAPITALS) return true
      if (code > LAST_ASCII && isNativeDigit(code, this.#codes[at + 1]!)) return true
    }
    return false
  }

  /** Adds a space, unless there is one, or a break. */
  addSpace(): void {
    if (this.#last <= SPACE) return
    this.#run |= HAS_BLANK
    this.#last = SPACE
    this.#isAddress = false
  }

  /** Adds a break; two line breaks are more than one. */
  addBreak(mark: string): void {
    this.#last = mark.charCodeAt(0)
    this.#run = withBreak(this.#run, this.#last)
  }

  /** Begins a link, whose words are followed by its address unless they are the address. */
  beginLink(url: string | undefined): void {
    this.endLink()
    if (url === undefined || !LINKED.test(url)) return
    this.#url = url
    this.#wordsFrom = this.#length
  }

  endLink(): void {
    let from = this.#wordsFrom
    if (from === NO_LINK) return
    this.#wordsFrom = NO_LINK
    const codes = this.#codes
    let to = this.#length
    while (from < to && isWhite(codes[from]!)) from++
    if (from === to) return
    while (isWhite(codes[to - 1]!)) to--
    if (!this.#isUrl(from, to)) {
      this.#run |= HAS_BLANK
      this.add(`[${this.#url}]`)
    }
    this.#isAddress = true
  }

  /** Whether a part of the text is the address of the link. */
  #isUrl(from: number, to: number): boolean {
    if (to - from !== this.#url.length) return false
    for (let at = from; at < to; at++) if (this.#codes[at] !== this.#url.charCodeAt(at - from)) return false
    return true
  }

  #endAddress(first: string): void {
    this.#isAddress = false
    if ((this.#run & MARKS) === 0 && WORD.test(first)) this.#run |= HAS_BLANK
  }

  /** The first character of a piece. */
  #firstOf(html: string, from: number, to: number): string {
    const first = html.charCodeAt(from)
    if (first === AMPERSAND) return REFERENCES.at(html, from, to)
    return isBlank(first) ? ' ' : String.fromCodePoint(html.codePointAt(from)!)
  }

  /** Writes the break that a run means; returns the length of the text with it. */
  #flushed(codes: Uint16Array, length: number, run: number): number {
    const text = this.#breaks[run & MARKS]!
    for (let at = 0; at < text.length; at++) codes[length + at] = text.charCodeAt(at)
    this.#breakUnits += text.length
    return length + text.length
  }

  /** The codes, with room for some more. */
  #room(more: number): Uint16Array {
    const needed = this.#length + more + BREAKS_ROOM
    if (needed <= this.#codes.length) return this.#codes
    const codes = new Uint16Array(Math.max(this.#firstRoom, 2 * needed))
    codes.set(this.#codes.subarray(0, this.#length))
    this.#codes = codes
    return codes
  }
}

const LINKED = /^(?:https?|mailto|tel):/i

/** White space and marks. */
function isBreak(code: number): boolean {
  if (code > SPACE) return code === NO_BREAK_SPACE
  return code === SPACE || (code >= FIRST_MARK && code <= LAST_MARK)
}

/** White space in HTML. */
export function isBlank(code: number): boolean {
  return code === SPACE || (code >= 9 && code <= 13)
}

/** A letter or a digit, or any character that is not ASCII. */
function isInWord(code: number): boolean {
  const letter = code | 0x20
  return (letter >= 97 && letter <= 122) || (code >= 48 && code <= 57) || code > LAST_ASCII
}
