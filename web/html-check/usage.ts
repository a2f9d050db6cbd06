import { attributesOf, examine, type Tag } from '../lib/html-tags.ts'
import { readDeclarations, rulesOf, withoutComments } from './css.ts'
import { selectorSigns } from './selectors.ts'

/**
 * The features that an email's HTML uses, as signs: `element:video`, `attribute:align`, `property:gap`,
 * `value:display:flex`, `function:calc`, `unit:rem`, `rule:media`, `media:hover`, `pseudo:hover`, `image:webp`.
 * This reads tags and declarations without building a document, so that the page never parses foreign markup.
 */
export function signsIn(html: string): Signs {
  const signs = new Signs()
  for (const tag of examine(html).tags) readTag(tag, signs)
  return signs
}

/** Different selectors and declarations that are read. An email has some hundred. */
const READ_MAX = 10_000

/** The signs of an email. What it repeats is read once, as templates repeat the style of each cell. */
class Signs extends Set<string> {
  /** Whether all selectors and declarations were read. */
  isWhole = true
  readonly #read = new Set<string>()

  /** Whether a selector or a declaration is still to be read. */
  readonly isNew = (text: string): boolean => {
    if (this.#read.has(text)) return false
    if (this.#read.size === READ_MAX) this.isWhole = false
    else this.#read.add(text)
    return this.isWhole
  }
}

function readTag(tag: Tag, signs: Signs): void {
  signs.add(`element:${tag.name}`)
  for (const [name, value] of attributesOf(tag)) {
    signs.add(`attribute:${name}`)
    if (name === 'style') readDeclarations(value, signs, signs.isNew)
    if (name === 'src' && tag.name === 'img') readImage(value, signs)
  }
  if (tag.css !== '') readStylesheet(tag.css, signs)
}

function readImage(source: string, signs: Set<string>): void {
  const type =
    /^data:image\/([a-z]+)/i.exec(source)?.[1] ??
    /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(source.slice(0, 2000))?.[1]
  if (source.startsWith('data:')) signs.add('image:data')
  if (type !== undefined) signs.add(`image:${type.toLowerCase()}`)
}

function readStylesheet(css: string, signs: Signs): void {
  const text = withoutComments(css)
  for (const [, rule = '', condition = ''] of text.matchAll(/@([a-z-]+)([^{;]{0,500})/gi)) {
    signs.add(`rule:${rule.toLowerCase()}`)
    for (const [, feature = ''] of condition.matchAll(/\(\s*(?:-webkit-|min-|max-|any-)*([a-z-]+)/gi)) {
      signs.add(`media:${feature.toLowerCase()}`)
    }
  }
  for (const { selector, declarations } of rulesOf(text)) {
    readDeclarations(declarations, signs, signs.isNew)
    if (!signs.isNew(selector)) continue
    for (const [, pseudo = ''] of selector.matchAll(/::?([a-z-]+)/gi)) {
      signs.add(`pseudo:${pseudo.toLowerCase()}`)
    }
    for (const sign of selectorSigns(selector)) signs.add(sign)
  }
}
