import { attribute, attributePattern, HREF } from './attribute.ts'
import { belongApart } from './glued.ts'
import { isBlank, Output, READERS_BREAKS, SEARCHED_BREAKS } from './output.ts'
import { BLANK_LINE, BREAK, type Tag } from './tags.ts'
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
  return new TextReader(html, false, enough).read()
}

/**
 * Returns the text of HTML for readers: links with their addresses, list items with a mark, cells
 * separated by a blank.
 */
export function htmlText(html: string): string {
  return new TextReader(html, true, Number.POSITIVE_INFINITY).read().shown.trim()
}

/** Tags in which text is searched. Of 3,600 mails none had more than a hundred above its code. */
const SEARCHED_TAGS = 300

/** Characters that are read of a text between two tags for each one that is wanted: entities are longer. */
const WRITTEN_MAX = 2

/** The text of most HTML is an eighth of it. */
const TEXT_SHIFT = 3

/** Blocks of an earlier message below the answer: Gmail, Yahoo and Outlook. */
const QUOTED_BLOCK =
  /\sclass\s*=\s*["']?(?:gmail_quote|yahoo_quoted)|\sid\s*=\s*["']?(?:divRplyFwdMsg|appendonsend)/i
/** A line as other mail programs write it above an earlier message. */
const QUOTE_LINE = `${BLANK_LINE}-- quote --${BLANK_LINE}`
/** The mark of a quoted line. */
const QUOTE_MARK = '> '
/** The tag of an earlier message, as mail programs write it. */
const QUOTE = /\stype\s*=\s*["']?cite|class\s*=\s*["']?[^"'>]{0,40}quote/i

/** Characters of the texts of two elements that are compared. */
const PIECE_MAX = 48

class TextReader implements HtmlVisitor {
  isDone = false
  private readonly html: string
  private readonly forReaders: boolean
  private readonly enough: number
  private readonly shown: Output
  private readonly hidden: Output
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
  /** Where the text of the last element begins and ends. */
  private pieceFrom = 0
  private pieceTo = 0
  /** The last line break that was looked for. */
  private lineEnd = -1

  constructor(html: string, forReaders: boolean, enough: number) {
    this.html = html
    this.forReaders = forReaders
    this.enough = enough
    const breaks = forReaders ? READERS_BREAKS : SEARCHED_BREAKS
    this.shown = new Output(breaks, Math.min(html.length, enough) >> TEXT_SHIFT)
    this.hidden = new Output(breaks, 0)
    this.visibility = forReaders ? null : Visibility.of(html)
  }

  read(): { shown: string; hidden: string } {
    walkHtml(this.html, this)
    this.shown.endLink()
    return { shown: this.shown.take(), hidden: this.hidden.take() }
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
    const { html, shown } = this
    if (isBlankText(html, from, to)) {
      shown.addSpace()
      return
    }
    if (!this.forReaders) {
      if (shown.isContinuedBy(html, from, to) && this.belongsApart(from, to)) shown.addSpace()
      this.pieceFrom = from
      this.pieceTo = to
    }
    if (this.visibility === null && this.quotes + this.struck + this.indented === 0)
      this.length += shown.addHtml(html, from, to)
    else
      this.length += this.place(shown.isContinuedBy(html, from, to), (output) =>
        output.addHtml(html, from, to),
      )
  }

  private belongsApart(from: number, to: number): boolean {
    const { html, pieceFrom, pieceTo } = this
    // A comment, or a place where a word may be broken, sets nothing apart.
    if (/^<(?:!|wbr)/i.test(html.slice(pieceTo, pieceTo + 4))) return false
    const before = html.slice(Math.max(pieceFrom, pieceTo - PIECE_MAX), pieceTo)
    return belongApart(before, html.slice(from, Math.min(to, from + PIECE_MAX)))
  }

  /** Adds text where a browser shows it, or apart; returns its length. */
  private place(isJoined: boolean, add: (output: Output) => number): number {
    const { shown, hidden, visibility } = this
    if (this.quotes + this.struck === 0 && (visibility === null || visibility.shows)) {
      shown.keep()
      if (this.indented > 0 && shown.isAtBreak) shown.add(QUOTE_MARK)
      const length = add(shown)
      const isColored = visibility !== null && (isJoined || shown.mayBeCode) && visibility.hidesByColor()
      if (!isColored) return length
      shown.undo()
    }
    const length = add(hidden)
    hidden.addBreak(BLANK_LINE)
    return length
  }

  private addAlternative(words: string): void {
    if (words === '') return
    this.place(false, (output) => {
      output.add(words)
      return words.length
    })
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
    else if (!isEnd) this.addAlternative(codeInAlternative(this.html.slice(from, to)))
  }
}

/** Whether a piece of text is white space. Most pieces are: the line break between two tags. */
export function isBlankText(html: string, from: number, to: number): boolean {
  let first = from
  while (first < to && isBlank(html.charCodeAt(first))) first++
  return first === to
}

const ALTERNATIVE = attributePattern('alt')

/**
 * The alternative text of a picture if it has a number: some senders show their code as a picture.
 */
function codeInAlternative(tag: string): string {
  const words = attribute(tag, ALTERNATIVE) ?? ''
  return /\d{3}/.test(words) ? ` ${words} ` : ''
}
