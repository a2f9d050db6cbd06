import { decodeHTML } from 'entities'
import { attribute, attributePattern, HREF } from './attribute.ts'
import { walkHtml } from './walk.ts'

/** Marks for breaks. A run of white space and marks becomes the strongest break in it. */
const BLANK_LINE = '\f'
const BREAK = '\v'
const NEW_LINE = '\n'
const NEXT_CELL = '\t'

const LINES = 'div tr li section article header footer dt dd option address main nav figure fieldset caption'
const PARAGRAPHS = 'p h1 h2 h3 h4 h5 h6 table ul ol dl blockquote pre hr center form'
const CELLS = 'td th'

/** The break at each tag, for opening and closing tags. */
const BREAKS = new Map<string, string>([
  ['br', BREAK],
  ...breaks(PARAGRAPHS, BLANK_LINE),
  ...breaks(LINES, NEW_LINE),
  ...breaks(CELLS, NEXT_CELL),
])

function breaks(names: string, mark: string): Array<[string, string]> {
  return names.split(' ').flatMap(
    (name): Array<[string, string]> => [
      [name, mark],
      [`/${name}`, mark],
    ],
  )
}

/**
 * Returns the text that HTML shows, in a form to be searched: a line for each block, a blank line
 * around paragraphs, a tab between table cells. Stops when there are `enough` characters.
 */
export function visibleText(html: string, enough = Number.POSITIVE_INFINITY): string {
  return withBreaks(pieces(html, false, enough), strongestBreak)
}

/**
 * Returns the text of HTML for readers: links with their addresses, list items with a mark, cells
 * separated by a blank.
 */
export function htmlText(html: string): string {
  return withBreaks(pieces(html, true, Number.POSITIVE_INFINITY), (marks) => {
    if ((marks & TWO_BREAKS) !== 0) return '\n\n'
    const mark = strongestBreak(marks)
    return mark === NEXT_CELL ? ' ' : mark
  }).trim()
}

function pieces(html: string, forReaders: boolean, enough: number): string {
  const output = new Output()
  let length = 0
  walkHtml(html, {
    text(from, to) {
      const piece = shown(html, from, to)
      output.add(piece)
      if (piece !== ' ') length += piece.length
    },
    isDone: () => length >= enough,
    tag(name, from, to) {
      const mark = BREAKS.get(name)
      if (mark !== undefined) output.add(mark)
      if (!forReaders) {
        if (name === 'img') output.add(codeInAlternative(html.slice(from, to)))
      } else if (name === 'li') output.add('* ')
      else if (name === '/a') output.endLink()
      else if (name === 'a') output.beginLink(attribute(html.slice(from, to), HREF)?.trim())
    },
  })
  output.endLink()
  // Readers see a no-break space as a space, and search for a space.
  return output.text.replaceAll('\u00a0', ' ')
}

/** Text in which each link is followed by its address, unless the words are the address. */
class Output {
  text = ''
  /** The words of the current link. */
  #words: string | undefined
  #url = ''

  add(piece: string): void {
    this.text += piece
    if (this.#words !== undefined) this.#words += piece
  }

  beginLink(url: string | undefined): void {
    this.endLink()
    if (url !== undefined && /^(?:https?|mailto|tel):/i.test(url)) [this.#url, this.#words] = [url, '']
  }

  endLink(): void {
    const words = this.#words?.trim()
    if (words && words !== this.#url) this.text += ` [${this.#url}]`
    this.#words = undefined
  }
}

/** Returns a piece of text as it is shown: entities decoded, white space joined. */
function shown(html: string, from: number, to: number): string {
  const { hasRun, hasEntity } = specials(html, from, to)
  const source = html.slice(from, to)
  const text = hasRun ? source.replace(/[ \t\n\r\f\v]+/g, ' ') : source
  return hasEntity ? decodeHTML(text) : text
}

const AMPERSAND = 38
const SPACE = 32

/**
 * Whether a text has white space that has to become one space, and whether it may have entities.
 * For the few characters between two tags, a loop costs less than two searches.
 */
function specials(html: string, from: number, to: number): { hasRun: boolean; hasEntity: boolean } {
  let hasRun = false
  let hasEntity = false
  for (let at = from; at < to; at++) {
    const code = html.charCodeAt(at)
    if (code === AMPERSAND) hasEntity = true
    else if (code === SPACE) hasRun ||= at > from && html.charCodeAt(at - 1) === SPACE
    else if (code >= 9 && code <= 13) hasRun = true
  }
  return { hasRun, hasEntity }
}

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

/** Replaces each run of spaces and marks by the text that `shown` returns for the marks in it. */
function withBreaks(text: string, shown: (marks: number) => string): string {
  let replaced = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const start = at
    let marks = 0
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code >= FIRST_MARK && code <= LAST_MARK)
        marks |= (marks & markBit(code)) === HAS_BREAK ? TWO_BREAKS : markBit(code)
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
