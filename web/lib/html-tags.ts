/**
 * How much of an email's HTML the page examines: its first characters, and among them as many of
 * tags and as many of styles. An email may have 40 MB, and the page must not wait for it.
 */
const EXAMINED_CHARACTERS = 10_000_000
const READ_CHARACTERS = 1_000_000
const TAGS_MAX = 50_000
const TAG_CHARACTERS_MAX = 20_000

const TAG_NAME = /^[a-z][a-z0-9-]*/i
const ATTRIBUTE = /([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g

/** A start tag, and the text of a `style` element. */
export interface Tag {
  /** In lower case. */
  name: string
  attributes: string
  css: string
}

export interface ExaminedHtml {
  /** The start tags in their order. */
  tags: Tag[]
  /** Whether all of the HTML was examined. */
  isWhole: boolean
}

let last: { html: string; examined: ExaminedHtml } | undefined

/**
 * Reads the start tags of an email's HTML without building a document. Each character is read a
 * fixed number of times, whatever the HTML is. The last result is kept, because a page asks for it
 * each time that it draws.
 */
export function examine(html: string): ExaminedHtml {
  if (last?.html !== html) last = { html, examined: read(html) }
  return last.examined
}

function read(whole: string): ExaminedHtml {
  const html = whole.slice(0, EXAMINED_CHARACTERS)
  const tags: Tag[] = []
  let characters = 0
  let cssLeft = READ_CHARACTERS
  let isWhole = html.length === whole.length
  let at = 0
  for (let start = html.indexOf('<'); start !== -1; start = html.indexOf('<', at)) {
    if (characters >= READ_CHARACTERS || tags.length === TAGS_MAX) return { tags, isWhole: false }
    characters++
    if (html.startsWith('<!--', start)) {
      // "<!-->" is a whole comment.
      const end = html.indexOf('-->', start + 2)
      if (end === -1) break
      at = end + 3
      continue
    }
    const end = tagEnd(html, start)
    const name = TAG_NAME.exec(html.slice(start + 1, start + 40))?.[0].toLowerCase()
    at = end + 1
    if (name === undefined) continue
    const close = name === 'style' || name === 'script' ? closingTag(html, name, at) : at
    const css = name === 'style' ? html.slice(at, Math.min(close, at + cssLeft)) : ''
    tags.push({ name, attributes: html.slice(start + 1 + name.length, end), css })
    characters += end - start
    cssLeft -= css.length
    if (name === 'style' && at + css.length < close) isWhole = false
    at = close
  }
  return { tags, isWhole }
}

/** The attributes of a tag: their names in lower case, and their values. */
export function* attributesOf({ attributes }: Tag): Generator<[name: string, value: string]> {
  if (attributes === '') return
  for (const [, name = '', double, single, plain] of attributes.matchAll(ATTRIBUTE)) {
    yield [name.toLowerCase(), double ?? single ?? plain ?? '']
  }
}

/** The position of the `>` that ends a tag; one inside a quoted value does not. */
function tagEnd(html: string, start: number): number {
  let quote = ''
  const last = Math.min(html.length, start + TAG_CHARACTERS_MAX)
  for (let i = start + 1; i < last; i++) {
    const character = html.charAt(i)
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '>') return i
    else if ((character === '"' || character === "'") && /[=\s]/.test(html.charAt(i - 1))) quote = character
  }
  return last
}

function closingTag(html: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}`, 'gi')
  pattern.lastIndex = from
  return pattern.exec(html)?.index ?? html.length
}
