/** Receives the pieces of HTML; `from` and `to` are positions in the HTML. */
export interface HtmlVisitor {
  text(from: number, to: number): void
  /** `name` is in lower case, with a leading slash for a closing tag. */
  tag(name: string, from: number, to: number): void
  /** Asked before each tag; true ends the walk. */
  isDone?(): boolean
}

const EXCLAMATION_MARK = 33
const QUOTE = 34
const APOSTROPHE = 39
const SLASH = 47
const ZERO = 48
const EQUALS = 61
const CLOSE = 62
const QUESTION_MARK = 63

const LOWER_S = 115
const LOWER_T = 116

/** Elements whose content is never shown, and their ends. Their names begin with s or t. */
const UNSEEN = new Map([
  ['style', /<\/style/gi],
  ['script', /<\/script/gi],
  ['title', /<\/title/gi],
  ['template', /<\/template/gi],
])

/**
 * Walks through HTML once, in linear time. This is no parser: it only knows where text, tags,
 * comments and unseen elements begin and end, and it accepts any input.
 */
export function walkHtml(html: string, visitor: HtmlVisitor): void {
  /** Where the text begins that the visitor has not received. */
  let pending = 0
  for (let open = html.indexOf('<'); open !== -1; ) {
    if (visitor.isDone?.()) return
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
  return code === SLASH || isLetter(code)
}

function isLetter(code: number): boolean {
  const letter = code | 0x20
  return letter >= 97 && letter <= 122
}

const COLON = 58
const LAST_CAPITAL = 90

/**
 * The name of the tag whose name begins at a position, in lower case; empty if none begins there.
 */
function tagName(html: string, from: number): string {
  let end = html.charCodeAt(from) === SLASH ? from + 1 : from
  if (!isLetter(html.charCodeAt(end))) return ''
  let isLower = html.charCodeAt(end) > LAST_CAPITAL
  for (end++; end < html.length; end++) {
    const code = html.charCodeAt(end)
    const isName = isLetter(code)
    if (!isName && !(code >= ZERO && code <= COLON)) break
    if (isName && code <= LAST_CAPITAL) isLower = false
  }
  const name = html.slice(from, end)
  return isLower ? name : name.toLowerCase()
}

/**
 * Characters of a tag outside of its values. Quotes that are not balanced would make each tag reach to the
 * end of the mail.
 */
const TAG_STEPS_MAX = 250

/**
 * Returns the position behind the `>` of a tag; one inside a quoted attribute value does not count.
 */
function endOfTag(html: string, from: number): number {
  if (html.charCodeAt(from) === CLOSE) return from + 1
  const firstClose = html.indexOf('>', from)
  if (firstClose === -1) return html.length
  for (let at = from, steps = 0; at < html.length && steps < TAG_STEPS_MAX; at++, steps++) {
    const char = html.charCodeAt(at)
    if (char === CLOSE) return at + 1
    if (char === EQUALS) {
      const quote = html.charCodeAt(at + 1)
      if (quote !== QUOTE && quote !== APOSTROPHE) continue
      at = html.indexOf(quote === QUOTE ? '"' : "'", at + 2)
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

/**
 * Returns where the content of an element that is never shown ends; `from` for all other elements.
 */
function endOfUnseen(html: string, name: string, from: number): number {
  const first = name.charCodeAt(0)
  const end = first === LOWER_S || first === LOWER_T ? UNSEEN.get(name) : undefined
  if (end === undefined) return from
  end.lastIndex = from
  return end.exec(html)?.index ?? html.length
}
