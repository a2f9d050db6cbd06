/** CSS and markup beyond these is not examined: an email may have 40 MB of either. */
const TAGS_MAX = 50_000
const CSS_CHARACTERS_MAX = 1_000_000
const TAG_CHARACTERS_MAX = 20_000

const TAG_NAME = /^([a-z][a-z0-9-]*)/i
const ATTRIBUTE = /([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g

/**
 * The features that an email's HTML uses, as signs: `element:video`, `attribute:align`, `property:gap`,
 * `value:display:flex`, `function:calc`, `unit:rem`, `rule:media`, `media:hover`, `pseudo:hover`, `image:webp`.
 * This reads tags and declarations without building a document, so that the page never parses foreign markup.
 */
export function signsIn(html: string): Set<string> {
  const signs = new Set<string>()
  let at = 0
  for (let tags = 0; tags < TAGS_MAX; tags++) {
    const start = html.indexOf('<', at)
    if (start === -1) break
    if (html.startsWith('<!--', start)) {
      const end = html.indexOf('-->', start + 4)
      if (end === -1) break
      at = end + 3
      continue
    }
    const end = tagEnd(html, start)
    const name = TAG_NAME.exec(html.slice(start + 1, start + 40))?.[1]?.toLowerCase()
    at = end + 1
    if (name === undefined) continue
    readTag(name, html.slice(start + 1 + name.length, end), signs)
    if (name === 'style' || name === 'script') {
      const close = closingTag(html, name, at)
      if (name === 'style') readStylesheet(html.slice(at, Math.min(close, at + CSS_CHARACTERS_MAX)), signs)
      at = close
    }
  }
  return signs
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

function readTag(name: string, attributes: string, signs: Set<string>): void {
  signs.add(`element:${name}`)
  for (const [, attribute = '', double, single, plain] of attributes.matchAll(ATTRIBUTE)) {
    const key = attribute.toLowerCase()
    const value = double ?? single ?? plain ?? ''
    signs.add(`attribute:${key}`)
    if (key === 'style') readDeclarations(value, signs)
    if (key === 'src' && name === 'img') readImage(value, signs)
  }
}

function readImage(source: string, signs: Set<string>): void {
  const type =
    /^data:image\/([a-z]+)/i.exec(source)?.[1] ??
    /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(source.slice(0, 2000))?.[1]
  if (source.startsWith('data:')) signs.add('image:data')
  if (type !== undefined) signs.add(`image:${type.toLowerCase()}`)
}

function readStylesheet(css: string, signs: Set<string>): void {
  const text = css.replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, ' ')
  for (const [, rule = '', condition = ''] of text.matchAll(/@([a-z-]+)([^{;]{0,500})/gi)) {
    signs.add(`rule:${rule.toLowerCase()}`)
    for (const [, feature = ''] of condition.matchAll(/\(\s*(?:-webkit-|min-|max-|any-)*([a-z-]+)/gi)) {
      signs.add(`media:${feature.toLowerCase()}`)
    }
  }
  // Selectors end at a brace; what is inside of braces are declarations.
  for (const part of text.split('}')) {
    const brace = part.lastIndexOf('{')
    for (const [, pseudo = ''] of part.slice(0, Math.max(brace, 0)).matchAll(/::?([a-z-]+)/gi)) {
      signs.add(`pseudo:${pseudo.toLowerCase()}`)
    }
    if (brace !== -1) readDeclarations(part.slice(brace + 1), signs)
  }
}

function readDeclarations(css: string, signs: Set<string>): void {
  for (const declaration of css.split(';')) {
    const colon = declaration.indexOf(':')
    if (colon === -1) continue
    const property = declaration.slice(0, colon).trim().toLowerCase()
    if (!/^[a-z-]{1,40}$/.test(property)) continue
    const value = declaration.slice(colon + 1, colon + 500).toLowerCase()
    signs.add(`property:${property}`)
    signs.add(`value:${property}:${value.replace('!important', '').trim()}`)
    for (const [, name = ''] of value.matchAll(/([a-z-]+)\(/g)) signs.add(`function:${name}`)
    for (const [, unit = ''] of value.matchAll(/\d(ch|cm|em|ex|in|mm|pc|pt|px|rem|vh|vmax|vmin|vw)\b/g)) {
      signs.add(`unit:${unit}`)
    }
  }
}
