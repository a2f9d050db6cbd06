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
  return pieces(html, false, enough).replace(/[ \t\n\f\v]{2,}|[\f\v]/g, strongestBreak)
}

/**
 * Returns the text of HTML for readers: links with their addresses, list items with a mark, cells
 * separated by a blank.
 */
export function htmlText(html: string): string {
  return pieces(html, true, Number.POSITIVE_INFINITY)
    .replace(/[ \t\n\f\v]{2,}|[\t\f\v]/g, (run) => {
      const twice = run.includes(BREAK) && run.indexOf(BREAK) !== run.lastIndexOf(BREAK)
      return twice ? '\n\n' : strongestBreak(run).replace(NEXT_CELL, ' ')
    })
    .trim()
}

/** White space that has to become one space. */
const RUN = /[\t\n\r\f\v]| {2}/

function pieces(html: string, forReaders: boolean, enough: number): string {
  const parts: string[] = []
  let length = 0
  /** The address of the current link, and the number of parts before it. */
  let link: { url: string; from: number } | null = null
  function endLink(): void {
    if (link === null) return
    const words = parts.slice(link.from).join('').trim()
    if (words !== link.url && words !== '') parts.push(` [${link.url}]`)
    link = null
  }
  walkHtml(html, {
    text(from, to) {
      const source = html.slice(from, to)
      const text = RUN.test(source) ? source.replace(/[ \t\n\r\f\v]+/g, ' ') : source
      const piece = text.includes('&') ? decodeHTML(text) : text
      parts.push(piece)
      if (piece !== ' ') length += piece.length
    },
    isDone: () => length >= enough,
    tag(name, from, to) {
      const mark = BREAKS.get(name)
      if (mark !== undefined) parts.push(mark)
      if (!forReaders) {
        if (name === 'img') parts.push(codeInAlternative(html.slice(from, to)))
        return
      }
      if (name === 'li') parts.push('* ')
      else if (name === '/a') endLink()
      else if (name === 'a') {
        endLink()
        const url = attribute(html.slice(from, to), HREF)?.trim()
        link = url !== undefined && /^(?:https?|mailto|tel):/i.test(url) ? { url, from: parts.length } : null
      }
    },
  })
  endLink()
  // Readers see a no-break space as a space, and search for a space.
  return parts.join('').replaceAll('\u00a0', ' ')
}

const ALTERNATIVE = attributePattern('alt')

/**
 * The alternative text of a picture if it has a number: some senders show their code as a picture.
 */
function codeInAlternative(tag: string): string {
  const words = attribute(tag, ALTERNATIVE) ?? ''
  return /\d{3}/.test(words) ? ` ${words} ` : ''
}

/**
 * Empty layout elements leave runs of white space; a run means no more than the strongest break in
 * it.
 */
function strongestBreak(run: string): string {
  if (run.includes(BLANK_LINE)) return '\n\n'
  if (run.includes(NEW_LINE) || run.includes(BREAK)) return '\n'
  return run.includes(NEXT_CELL) ? NEXT_CELL : ' '
}
