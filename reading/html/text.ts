import { decodeHTML } from 'entities'
import { attribute, attributePattern, HREF } from './attribute.ts'
import { BLANK_LINE, BREAK, NEW_LINE, NEXT_CELL, type Tag } from './tags.ts'
import { Visibility } from './visibility.ts'
import { type HtmlVisitor, walkHtml } from './walk.ts'

/**
 * Returns the text of HTML in a form to be searched: a line for each block, a blank line around
 * paragraphs, a tab between table cells. Text that a browser does not show is apart, because it must
 * not be joined to the rest, and so is an earlier message that is quoted. Stops when there are `enough` characters.
 */
export function searchableText(
  html: string,
  enough = Number.POSITIVE_INFINITY,
): { shown: string; hidden: string } {
  const { shown, hidden } = new TextReader(html, false, enough).read()
  return { shown: withBreaks(shown, strongestBreak), hidden: withBreaks(hidden, strongestBreak) }
}

/**
 * Returns the text of HTML for readers: links with their addresses, list items with a mark, cells
 * separated by a blank.
 */
export function htmlText(html: string): string {
  return withBreaks(new TextReader(html, true, Number.POSITIVE_INFINITY).read().shown, (marks) => {
    if ((marks & TWO_BREAKS) !== 0) return '\n\n'
    const mark = strongestBreak(marks)
    return mark === NEXT_CELL ? ' ' : mark
  }).trim()
}

/** Tags in which text is searched. Of 3,600 mails none had more than a hundred above its code. */
const SEARCHED_TAGS = 300

/** Characters that are read of a text between two tags for each one that is wanted: entities are longer. */
const WRITTEN_MAX = 2

/** Blocks of an earlier message below the answer: Gmail, Yahoo and Outlook. */
const QUOTED_BLOCK =
  /\sclass\s*=\s*["']?(?:gmail_quote|yahoo_quoted)|\sid\s*=\s*["']?(?:divRplyFwdMsg|appendonsend)/i
/** A line as other mail programs write it above an earlier message. */
const QUOTE_LINE = `${BLANK_LINE}-- quote --${BLANK_LINE}`
/** The mark of a quoted line. */
const QUOTE_MARK = '> '
/** The tag of an earlier message, as mail programs write it. */
const QUOTE = /\stype\s*=\s*["']?cite|class\s*=\s*["']?[^"'>]{0,40}quote/i

class TextReader implements HtmlVisitor {
  isDone = false
  private readonly html: string
  private readonly forReaders: boolean
  private readonly enough: number
  private readonly shown = new Output()
  private readonly hidden = new Output()
  private readonly visibility: Visibility | null
  private length = 0
  private tags = 0
  /** How many blocks around are of an earlier message. */
  private quotes = 0
  /** How many blocks around may be of an earlier message, or show what is important. */
  private indented = 0
  /** How many elements around are crossed out. */
  private struck = 0
  /** How many elements around keep the line breaks of their text. */
  private preformatted = 0
  /** The last line break that was looked for. */
  private lineEnd = -1

  constructor(html: string, forReaders: boolean, enough: number) {
    this.html = html
    this.forReaders = forReaders
    this.enough = enough
    this.visibility = forReaders ? null : Visibility.of(html)
  }

  read(): { shown: string; hidden: string } {
    walkHtml(this.html, this)
    this.shown.endLink()
    // Readers see a no-break space as a space, and search for a space.
    return {
      shown: this.shown.text.replaceAll('\u00a0', ' '),
      hidden: this.hidden.text.replaceAll('\u00a0', ' '),
    }
  }

  text(from: number, to: number): void {
    const end = Math.min(to, from + WRITTEN_MAX * (this.enough - this.length))
    if (this.preformatted === 0) this.addText(from, end)
    else this.addLines(from, end)
    if (this.length >= this.enough || end < to) this.isDone = true
  }

  tag(tag: Tag, from: number, to: number): void {
    const { shown } = this
    if (tag.mark !== '') shown.addBreak(tag.mark)
    if (!this.forReaders) {
      if (++this.tags >= SEARCHED_TAGS) this.isDone = true
      this.visibility?.tag(tag, from, to)
      if (tag.isSearched) this.search(tag, from, to)
    } else if (tag.name === 'li') {
      if (!tag.isEnd) shown.add('* ')
    } else if (tag.name === 'a') {
      if (tag.isEnd) shown.endLink()
      else shown.beginLink(attribute(this.html.slice(from, to), HREF)?.trim())
    }
  }

  private addLines(from: number, to: number): void {
    for (let at = from; at < to; ) {
      const end = Math.min(this.lineEndAt(at), to)
      if (end > at) this.addText(at, end)
      if (end < to) this.shown.addBreak(BREAK)
      at = end + 1
    }
  }

  /** The next line break from a place on. It is kept, because a long line may have thousands of places. */
  private lineEndAt(place: number): number {
    if (this.lineEnd < place) {
      const found = this.html.indexOf('\n', place)
      this.lineEnd = found === -1 ? this.html.length : found
    }
    return this.lineEnd
  }

  private addText(from: number, to: number): void {
    const piece = decoded(this.html, from, to)
    if (piece === ' ') this.shown.addSpace()
    else {
      this.add(piece)
      this.length += piece.length
    }
  }

  /** Adds text where a browser shows it, or apart. */
  private add(piece: string): void {
    const { shown, visibility } = this
    const isShown =
      this.quotes + this.struck === 0 &&
      (visibility === null || visibility.shows(piece, shown.isContinuedBy(piece)))
    if (isShown) shown.add(this.indented > 0 && shown.isAtBreak ? QUOTE_MARK + piece : piece)
    else this.hidden.add(piece + BLANK_LINE)
  }

  private search({ name, isEnd }: Tag, from: number, to: number): void {
    const step = isEnd ? -1 : 1
    if (name === 'blockquote') {
      const isQuote = this.quotes > 0 || (!isEnd && QUOTE.test(this.html.slice(from, to)))
      if (isQuote) this.quotes += step
      else this.indented = Math.max(0, this.indented + step)
    } else if (name === 'div') {
      if (!isEnd && to - from > 16 && QUOTED_BLOCK.test(this.html.slice(from, to))) this.shown.add(QUOTE_LINE)
    } else if (name === 'pre') this.preformatted = Math.max(0, this.preformatted + step)
    else if (name !== 'img') this.struck = Math.max(0, this.struck + step)
    else if (!isEnd) this.add(codeInAlternative(this.html.slice(from, to)))
  }
}

/** What would continue an address right before it. */
const WORD = /^[\p{L}\p{N}]/u

/** Text in which each link is followed by its address, unless the words are the address. */
class Output {
  #text = ''
  #last = SPACE
  /** The breaks behind the last piece. Most follow one another, and are added at once. */
  #marks = 0
  /** The words of the current link. */
  #words: string | undefined
  #url = ''
  /** Whether the last piece is the address of a link. */
  #isAddress = false

  get text(): string {
    this.#addMarks()
    return this.#text
  }

  /** Whether the text ends inside of a word that a piece continues. */
  isContinuedBy(piece: string): boolean {
    return isInWord(this.#last) && isInWord(piece.charCodeAt(0))
  }

  add(piece: string): void {
    if (piece === '') return
    const blank = this.#isAddress && WORD.test(piece) ? ' ' : ''
    const added = (this.#marks === 0 ? blank : MARKS[this.#marks]!) + piece
    this.#marks = 0
    this.#isAddress = false
    this.#text += added
    this.#last = piece.charCodeAt(piece.length - 1)
    if (this.#words !== undefined) this.#words += added
  }

  /** Adds a space, unless there is one, or a break. */
  addSpace(): void {
    if (this.#last > SPACE) this.add(' ')
  }

  /** Whether nothing was added after the last break. */
  get isAtBreak(): boolean {
    return this.#last >= FIRST_MARK && this.#last <= LAST_MARK
  }

  /** Adds a break; two line breaks are more than one. */
  addBreak(mark: string): void {
    this.#last = mark.charCodeAt(0)
    this.#marks = withMark(this.#marks, this.#last)
  }

  beginLink(url: string | undefined): void {
    this.endLink()
    if (url !== undefined && /^(?:https?|mailto|tel):/i.test(url)) [this.#url, this.#words] = [url, '']
  }

  endLink(): void {
    const words = this.#words?.trim()
    if (words && words !== this.#url) {
      this.#addMarks()
      this.#text += ` [${this.#url}]`
      this.#last = CLOSING_BRACKET
    }
    if (words) this.#isAddress = true
    this.#words = undefined
  }

  #addMarks(): void {
    if (this.#marks !== 0) this.#text += MARKS[this.#marks]!
    this.#marks = 0
  }
}

/**
 * Returns a piece of text as it is shown: entities decoded, each run of white space as one space. A loop, because
 * most texts between two tags are short.
 */
function decoded(html: string, from: number, to: number): string {
  if (isBlankText(html, from, to)) return ' '
  let text = ''
  let start = from
  let hasEntity = false
  for (let at = from; at < to; at++) {
    const code = html.charCodeAt(at)
    if (code > SPACE) {
      if (code === AMPERSAND) hasEntity = true
      continue
    }
    if (!isBlank(code)) continue
    let end = at + 1
    while (end < to && isBlank(html.charCodeAt(end))) end++
    if (code !== SPACE || end > at + 1) {
      text += `${html.slice(start, at)} `
      start = end
    }
    at = end - 1
  }
  text += html.slice(start, to)
  return hasEntity ? decodeHTML(text) : text
}

/** Whether a piece of text is white space. Most pieces are: the line break between two tags. */
export function isBlankText(html: string, from: number, to: number): boolean {
  let first = from
  while (first < to && isBlank(html.charCodeAt(first))) first++
  return first === to
}

function isBlank(code: number): boolean {
  return code === SPACE || (code >= 9 && code <= 13)
}

/** A letter or a digit, or any character that is not ASCII. */
function isInWord(code: number): boolean {
  const letter = code | 0x20
  return (letter >= 97 && letter <= 122) || (code >= 48 && code <= 57) || code > 127
}

const AMPERSAND = 38
const CLOSING_BRACKET = 93
const SPACE = 32

const ALTERNATIVE = attributePattern('alt')

/**
 * The alternative text of a picture if it has a number: some senders show their code as a picture.
 */
function codeInAlternative(tag: string): string {
  const words = attribute(tag, ALTERNATIVE) ?? ''
  return /\d{3}/.test(words) ? ` ${words} ` : ''
}

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

/** The set with one more mark. */
function withMark(marks: number, code: number): number {
  return marks | ((marks & markBit(code)) === HAS_BREAK ? TWO_BREAKS : markBit(code))
}

/** The marks of each set as text. */
const MARKS = Array.from({ length: 2 * TWO_BREAKS }, (_, marks) =>
  [NEXT_CELL, NEW_LINE, BREAK, BLANK_LINE]
    .filter((mark) => (marks & markBit(mark.charCodeAt(0))) !== 0)
    .join('')
    .concat((marks & TWO_BREAKS) === 0 ? '' : BREAK),
)

/** Replaces each run of spaces and marks by the text that `shown` returns for the marks in it. */
function withBreaks(text: string, shown: (marks: number) => string): string {
  let replaced = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) > SPACE) continue
    const start = at
    let marks = 0
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code >= FIRST_MARK && code <= LAST_MARK) marks = withMark(marks, code)
      else if (code !== SPACE) break
    }
    if (at - start > 1 || marks !== 0) {
      replaced += text.slice(from, start) + shown(marks)
      from = at
    }
  }
  return replaced + text.slice(from)
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
