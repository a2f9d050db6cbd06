/** Receives the pieces of HTML; `from` and `to` are positions in the HTML. */
export interface HtmlVisitor {
  text(from: number, to: number): void
  /** `name` is in lower case, with a leading slash for a closing tag. */
  tag(name: string, from: number, to: number): void
}

const TAG_NAME = /\/?[a-z][a-z0-9:]*/iy

const EXCLAMATION_MARK = 33
const QUOTE = 34
const APOSTROPHE = 39
const SLASH = 47
const EQUALS = 61
const CLOSE = 62
const QUESTION_MARK = 63

/** Elements whose content is never shown, and their ends. */
const UNSEEN = new Map([
  ['style', /<\/style/gi],
  ['script', /<\/script/gi],
  ['title', /<\/title/gi],
  ['template', /<\/template/gi],
])

/**
 * Walks through HTML once, in linear time. This is no parser: it only knows where text, tags, comments and unseen
 * elements begin and end, and it accepts any input.
 */
export function walkHtml(html: string, visitor: HtmlVisitor): void {
  /** Where the text begins that the visitor has not received. */
  let pending = 0
  for (let open = html.indexOf('<'); open !== -1; ) {
    const next = html.charCodeAt(open + 1)
    const name = isTagStart(next) ? tagName(html, open + 1) : ''
    if (name === '' && next !== EXCLAMATION_MARK && next !== QUESTION_MARK) {
      // This is a "<" in the text.
      open = html.indexOf('<', open + 1)
      continue
    }
    if (open > pending) visitor.text(pending, open)
    if (name !== '') {
      const end = endOfTag(html, open + 1 + name.length)
      visitor.tag(name, open, end)
      pending = endOfUnseen(html, name, end)
    } else {
      // This is a comment, or a declaration like "<!doctype" or "<?xml".
      pending = html.startsWith('<!--', open) ? after(html, '-->', open + 4) : after(html, '>', open)
    }
    open = html.indexOf('<', pending)
  }
  if (pending < html.length) visitor.text(pending, html.length)
}

function isTagStart(code: number): boolean {
  const letter = code | 0x20
  return code === SLASH || (letter >= 97 && letter <= 122)
}

function tagName(html: string, from: number): string {
  TAG_NAME.lastIndex = from
  return TAG_NAME.exec(html)?.[0].toLowerCase() ?? ''
}

/** Returns the position behind the `>` of a tag; one inside a quoted attribute value does not count. */
function endOfTag(html: string, from: number): number {
  const firstClose = html.indexOf('>', from)
  if (firstClose === -1) return html.length
  for (let at = from; at < html.length; at++) {
    const char = html.charCodeAt(at)
    if (char === CLOSE) return at + 1
    if ((char === QUOTE || char === APOSTROPHE) && html.charCodeAt(at - 1) === EQUALS) {
      at = html.indexOf(html.charAt(at), at + 1)
      // An unbalanced quote must not hide the rest of the mail.
      if (at === -1) return firstClose + 1
    }
  }
  return firstClose + 1
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found === -1 ? html.length : found + mark.length
}

/** Returns where the content of an element that is never shown ends; `from` for all other elements. */
function endOfUnseen(html: string, name: string, from: number): number {
  const end = UNSEEN.get(name)
  if (end === undefined) return from
  end.lastIndex = from
  return end.exec(html)?.index ?? html.length
}
