import { type Tag, tagAt } from './tags.ts'

/** Receives the pieces of HTML; `from` and `to` are positions in the HTML. */
export interface HtmlVisitor {
  text(from: number, to: number): void
  tag(tag: Tag, from: number, to: number): void
  /** Read before each tag; true ends the walk. */
  readonly isDone: boolean
}

const EXCLAMATION_MARK = 33
const QUOTE = 34
const APOSTROPHE = 39
const SLASH = 47
const ZERO = 48
const COLON = 58
const OPEN = 60
const EQUALS = 61
const CLOSE = 62
const QUESTION_MARK = 63

/**
 * Walks through HTML once, in linear time. This is no parser: it only knows where text, tags,
 * comments and unseen elements begin and end, and it accepts any input.
 */
export function walkHtml(html: string, visitor: HtmlVisitor): void {
  /** Where the text begins that the visitor has not received. */
  let pending = 0
  let unclosed = 0
  for (let open = html.indexOf('<'); open !== -1; ) {
    if (visitor.isDone) return
    const next = html.charCodeAt(open + 1)
    const nameEnd = endOfName(html, open + 1)
    if (nameEnd === -1 && next !== EXCLAMATION_MARK && next !== QUESTION_MARK) {
      // This is a "<" in the text.
      open = nextOpen(html, open + 1)
      continue
    }
    if (open > pending) visitor.text(pending, open)
    if (nameEnd !== -1) {
      const tag = tagAt(html, open + 1, nameEnd)
      let end = unclosed < UNCLOSED_MAX ? endOfTag(html, nameEnd) : NOT_FOUND
      if (end === NOT_FOUND) {
        unclosed++
        end = after(html, '>', nameEnd)
      }
      visitor.tag(tag, open, end)
      pending = tag.unseenEnd === null ? end : endOfUnseen(html, tag.unseenEnd, end)
    } else {
      // This is a comment, or a declaration like "<!doctype" or "<?xml". "<!-->" is a whole comment.
      pending = html.startsWith('<!--', open) ? after(html, '-->', open + 2) : after(html, '>', open)
    }
    open = nextOpen(html, pending)
  }
  if (pending < html.length) visitor.text(pending, html.length)
}

/** Characters that are looked at before a search begins, which takes longer than this. */
const LOOKED_AT = 16

/** The place of the next "<", or -1. */
function nextOpen(html: string, from: number): number {
  const end = Math.min(html.length, from + LOOKED_AT)
  for (let at = from; at < end; at++) if (html.charCodeAt(at) === OPEN) return at
  return html.indexOf('<', end)
}

function isLetter(code: number): boolean {
  const letter = code | 0x20
  return letter >= 97 && letter <= 122
}

/** Where the name of a tag ends that begins at a position, with its slash; -1 if none begins there. */
function endOfName(html: string, from: number): number {
  let end = html.charCodeAt(from) === SLASH ? from + 1 : from
  if (!isLetter(html.charCodeAt(end))) return -1
  for (end++; end < html.length; end++) {
    const code = html.charCodeAt(end)
    if (!isLetter(code) && !(code >= ZERO && code <= COLON)) break
  }
  return end
}

/**
 * Characters of a tag outside of its values. Quotes that are not balanced would make each tag reach to the
 * end of the mail.
 */
const TAG_STEPS_MAX = 250
/**
 * Tags whose quotes are not balanced. Behind them each tag ends at the first `>`: otherwise a text of such tags would
 * be read once from each of them.
 */
const UNCLOSED_MAX = 16
const NOT_FOUND = -1

/**
 * Returns the position behind the `>` of a tag; one inside a quoted attribute value does not count. `NOT_FOUND` if an
 * unbalanced quote hides it, which must not hide the rest of the mail.
 */
function endOfTag(html: string, from: number): number {
  for (let at = from, steps = 0; at < html.length && steps < TAG_STEPS_MAX; at++, steps++) {
    const char = html.charCodeAt(at)
    if (char === CLOSE) return at + 1
    if (char === EQUALS) {
      const quote = html.charCodeAt(at + 1)
      if (quote !== QUOTE && quote !== APOSTROPHE) continue
      at = html.indexOf(quote === QUOTE ? '"' : "'", at + 2)
      if (at === -1) break
    }
  }
  return NOT_FOUND
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found === -1 ? html.length : found + mark.length
}

/** Returns where the content of an element that is never shown ends. */
function endOfUnseen(html: string, end: RegExp, from: number): number {
  end.lastIndex = from
  return end.exec(html)?.index ?? html.length
}
