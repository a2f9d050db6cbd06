/** What a reader of HTML wants to be told; `from` and `to` are positions in the HTML. */
export interface HtmlVisitor {
  text(from: number, to: number): void
  /** `name` is in lower case, with a leading slash for a closing tag. */
  tag(name: string, from: number, to: number): void
}

const TAG_NAME = /\/?[a-z][a-z0-9:]*/iy

const QUOTE = 34
const APOSTROPHE = 39
const EQUALS = 61
const CLOSE = 62

/** Elements whose content is never shown. */
const UNSEEN: Record<string, RegExp> = {
  style: /<\/style/gi,
  script: /<\/script/gi,
  title: /<\/title/gi,
  template: /<\/template/gi,
}

/**
 * Walks through HTML once, in linear time, and takes anything for HTML. It is no parser: all it knows is where
 * text, tags, comments and unseen elements begin and end.
 */
export function walkHtml(html: string, visitor: HtmlVisitor): void {
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open === -1) {
      visitor.text(at, html.length)
      return
    }
    if (open > at) visitor.text(at, open)
    if (html.startsWith('<!--', open)) {
      at = after(html, '-->', open + 4)
      continue
    }
    TAG_NAME.lastIndex = open + 1
    const name = TAG_NAME.exec(html)?.[0].toLowerCase()
    if (name === undefined) {
      // "<!doctype", "<?xml", or a bare "<" in text
      const declaration = html[open + 1] === '!' || html[open + 1] === '?'
      if (!declaration) visitor.text(open, open + 1)
      at = declaration ? after(html, '>', open) : open + 1
      continue
    }
    const end = endOfTag(html, open + 1 + name.length)
    visitor.tag(name, open, end)
    at = Object.hasOwn(UNSEEN, name) ? closing(html, UNSEEN[name]!, end) : end
  }
}

/** Past the `>` of a tag; one inside a quoted attribute value does not count. */
function endOfTag(html: string, from: number): number {
  const firstClose = html.indexOf('>', from)
  if (firstClose === -1) return html.length
  for (let at = from; at < html.length; at++) {
    const char = html.charCodeAt(at)
    if (char === CLOSE) return at + 1
    if ((char === QUOTE || char === APOSTROPHE) && html.charCodeAt(at - 1) === EQUALS) {
      at = html.indexOf(html[at]!, at + 1)
      // An unbalanced quote must not swallow the rest of the mail.
      if (at === -1) return firstClose + 1
    }
  }
  return firstClose + 1
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found === -1 ? html.length : found + mark.length
}

function closing(html: string, mark: RegExp, from: number): number {
  mark.lastIndex = from
  return mark.exec(html)?.index ?? html.length
}
