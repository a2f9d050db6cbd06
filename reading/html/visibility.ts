import { closingBracket } from '../brackets.ts'
import { attribute, attributePattern } from './attribute.ts'
import { type Colored, ColorReader } from './colors.ts'
import { HidingPlaces } from './hiding-places.ts'
import type { Tag } from './tags.ts'

/** What the styles of an element and of those around it say about its text, apart from colors. */
interface Style {
  /** No descendant can be shown again: display, opacity, `hidden`, no height. */
  isGone: boolean
  isInvisible: boolean
  isTiny: boolean
}

/** An element whose end has not been read, and where its tag is. */
interface OpenElement extends Colored {
  tag: Tag
  style: Style
}

const SHOWN: Style = { isGone: false, isInvisible: false, isTiny: false }

const CLASS = attributePattern('class')
/** The attribute, and not a value of another one: "?style=3". */
const STYLE = /(?<=[\s"'])style\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i
const HIDDEN = /\shidden(?=[\s=>/])/i
/** A declaration that shows an element, whatever its attribute says. */
const DISPLAYS = /(?<![\w-])display\s*:\s*(?!none)/i
/** Values of attributes: "border: hidden !important" hides nothing. */
const VALUES = /"[^"]*"|'[^']*'/g

/** Each declaration that counts, in one search. */
const DECLARATION =
  /(?<![\w*-])(display|opacity|max-height|visibility|font-size|font|height|width|text-indent|left|top|margin-left|clip|clip-path|transform|text-decoration)\s*:\s*([^;!"'}>]{1,40})/gi
const TRANSPARENT = /^0?\.?0+(?![.\d]*[1-9])/
const NO_HEIGHT = /^0(?![.\d])/
const INVISIBLE = /^(?:hidden|collapse)/
/** Nothing, or at most a pixel. */
const NO_SIZE = /^(?:[0.]+(?![\d.])|(?:0?\.\d+|1)p[xt])/
/** Far outside of the page; as a margin, "-300px" may center an element. */
const FAR_AWAY = /^-\d{3,}/
const FAR_MARGIN = /^-(?:\d{4,}|9\d\d)/
const CUT_OFF = /^(?:rect\(\s*[01](?:px)?[\s,]|inset\(\s*(?:50|100)%|scale\(\s*0\s*\))/
const OVERFLOW = /overflow(?:-[xy])?\s*:\s*hidden/i

/** What a tag has that may show its text in an element that hides it. */
const SHOWS_AGAIN = /font|visibility/i
/** Colors may hide text: those with a background, and white. */
const HAS_COLORS = /background|bgcolor|transparent|rgba|color[:=][\s"']{0,2}(?:#fff|white|rgb\(255|hsl)/i
const SLASH = 47

/**
 * Knows of each place in a walk through HTML whether a browser shows text there. Styles are read
 * from attributes, and those of a class from the style sheets of the document.
 */
export class Visibility {
  readonly #html: string
  readonly #hiddenClasses: Set<string>
  readonly #colors: ColorReader
  readonly #places: HidingPlaces
  /** The first `#depth` ones are open; the others are used again. */
  readonly #elements: OpenElement[] = []
  #depth = 0

  /** Returns null if nothing in the HTML can hide text. */
  static of(html: string): Visibility | null {
    const places = new HidingPlaces(html)
    return places.next(0) === html.length && !HAS_COLORS.test(html) ? null : new Visibility(html, places)
  }

  private constructor(html: string, places: HidingPlaces) {
    this.#html = html
    this.#places = places
    this.#hiddenClasses = places.next(0) === html.length ? new Set() : hiddenClasses(html)
    this.#colors = new ColorReader(html)
  }

  /** Whether a browser shows text at this place of the walk, whatever its color. */
  get shows(): boolean {
    const { isGone, isInvisible, isTiny } = this.#style
    return !(isGone || isInvisible || isTiny)
  }

  /** Whether text at this place has the color of its background, which costs more to know. */
  hidesByColor(): boolean {
    return this.#colors.areEqual(this.#elements, this.#depth)
  }

  /** To be called with each tag of the walk, whose number must be bounded, because each end tag looks at all open elements. */
  tag(tag: Tag, from: number, to: number): void {
    if (tag.isEnd) {
      this.#close(tag)
      return
    }
    // A void element ends another one, too: <hr> ends <p>.
    if (this.#depth > 0 && (this.#elements[this.#depth - 1]!.tag.group & tag.ends) !== 0) this.#depth--
    if (!tag.isVoid && this.#html.charCodeAt(to - 2) !== SLASH) this.#begin(tag, from, to)
  }

  /** The style of the innermost element. */
  get #style(): Style {
    return this.#depth === 0 ? SHOWN : this.#elements[this.#depth - 1]!.style
  }

  #begin(tag: Tag, from: number, to: number): void {
    const around = this.#style
    const style = this.#mayDiffer(around, from, to)
      ? this.#styleOf(this.#html.slice(from, to), around)
      : around
    const element = this.#elements[this.#depth]
    if (element === undefined) this.#elements.push({ tag, style, from, to, colors: null })
    else {
      element.tag = tag
      element.style = style
      element.from = from
      element.to = to
      element.colors = null
    }
    this.#depth++
  }

  /** Whether a tag may hide its text, or show it again. */
  #mayDiffer(around: Style, from: number, to: number): boolean {
    if (around.isGone) return false
    if (this.#places.next(from) < to) return true
    if (around !== SHOWN && SHOWS_AGAIN.test(this.#html.slice(from, to))) return true
    return this.#hiddenClasses.size > 0 && this.#isHiddenClass(this.#html.slice(from, to))
  }

  #close({ name }: Tag): void {
    let depth = this.#depth - 1
    while (depth >= 0 && this.#elements[depth]!.tag.name !== name) depth--
    if (depth >= 0) this.#depth = depth
  }

  #styleOf(tag: string, around: Style): Style {
    const style = { isGone: around.isGone, isInvisible: around.isInvisible, isTiny: around.isTiny }
    const css = attribute(tag, STYLE)
    if (css !== null) readRules(css, style)
    const isHidden =
      HIDDEN.test(tag) && HIDDEN.test(tag.replace(VALUES, '""')) && !(css && DISPLAYS.test(css))
    if (isHidden || this.#isHiddenClass(tag)) style.isGone = true
    return style.isGone || style.isInvisible || style.isTiny ? style : SHOWN
  }

  #isHiddenClass(tag: string): boolean {
    if (this.#hiddenClasses.size === 0 || !tag.includes('class')) return false
    const element = ELEMENT.exec(tag)![0].slice(1).toLowerCase()
    const isHidden = (name: string) =>
      this.#hiddenClasses.has(`.${name}`) || this.#hiddenClasses.has(`${element}.${name}`)
    return attribute(tag, CLASS)?.split(/\s+/).some(isHidden) ?? false
  }
}

/** Applies the declarations of an attribute or of a rule; the last one of a property counts, unless one is important. */
function readRules(css: string, style: Style): void {
  const gone = new Set<string>()
  const empty = new Set<string>()
  const important = new Set<string>()
  const isInTiny = style.isTiny
  DECLARATION.lastIndex = 0
  for (let found = DECLARATION.exec(css); found !== null; found = DECLARATION.exec(css)) {
    const name = found[1]!.toLowerCase()
    const value = found[2]!.toLowerCase()
    if (css.charCodeAt(DECLARATION.lastIndex) === EXCLAMATION_MARK) important.add(name)
    else if (important.has(name)) continue
    if (name === 'font-size' || name === 'font') {
      const size = name === 'font' ? SIZE_OF_FONT.exec(value)?.[0] : value
      // "0.9em" of nothing is nothing.
      if (size !== undefined) style.isTiny = NO_SIZE.test(size) || (isInTiny && RELATIVE.test(size))
    } else if (name === 'visibility') style.isInvisible = INVISIBLE.test(value)
    else if (SIZES.has(name)) keep(empty, name, NO_HEIGHT.test(value))
    else keep(gone, name, isGoneBy(name, value, css))
  }
  if (gone.size > 0 || (empty.size > 0 && OVERFLOW.test(css))) style.isGone = true
}

const EXCLAMATION_MARK = 33
/** "14px" of "bold 14px/1.5 Arial". */
const SIZE_OF_FONT = /(?<![\w.#-])[\d.]+(?:[a-z%]{1,3})?(?=[\s/]|$)/

function keep(names: Set<string>, name: string, isKept: boolean): void {
  if (isKept) names.add(name)
  else names.delete(name)
}

/** Without a size, an element shows what overflows it, unless that is hidden. */
const SIZES = new Set(['height', 'width', 'max-height'])
const RELATIVE = /^[\d.]+(?:em|%)/

function isGoneBy(name: string, value: string, css: string): boolean {
  if (name === 'display') return value.startsWith('none')
  if (name === 'text-decoration') return value.includes('line-through')
  if (name === 'opacity') return TRANSPARENT.test(value)
  if (name === 'left' || name === 'top') return FAR_AWAY.test(value) && POSITIONED.test(css)
  if (name === 'margin-left') return FAR_MARGIN.test(value)
  return (name.startsWith('clip') || name === 'transform' ? CUT_OFF : FAR_AWAY).test(value)
}

/** Only then an element is moved by "left" and "top". */
const POSITIONED = /position\s*:\s*(?:absolute|fixed|relative)/i

const ELEMENT = /^<[a-z\d]*/i

/** The selector of one class: ".preheader", "div.preheader". */
const ONE_CLASS = /^\s*([a-z\d]*)(\.[\w-]+)\s*$/i

/** How mails write the tags of a style sheet. */
const SHEETS = [
  ['<style', '</style'],
  ['<STYLE', '</STYLE'],
] as const

/** The selectors of classes that the style sheets hide everywhere, and not only on some screens. */
function hiddenClasses(html: string): Set<string> {
  const hidden = new Set<string>()
  // Without a rule, no class is hidden.
  if (!html.includes('{')) return hidden
  for (const [begin, close] of SHEETS) {
    // The many tags of a mail make a search for "<" slower than one for the name.
    if (!html.includes(begin.slice(1))) continue
    for (let at = html.indexOf(begin); at !== -1; ) {
      const found = html.indexOf(close, at)
      const end = found === -1 ? html.length : found
      const sheet = html.slice(at, end)
      const css = sheet.slice(sheet.indexOf('>') + 1)
      if (hidesOutsideOfMedia(css)) addHidden(outsideOfMedia(css), hidden)
      // A sheet without an end contains the others, which must not be read again.
      at = html.indexOf(begin, end)
    }
  }
  return hidden
}

/** Adds the selectors of classes whose rules hide their elements. */
function addHidden(css: string, hidden: Set<string>): void {
  const places = new HidingPlaces(css)
  let from = 0
  for (let at = places.next(0); at < css.length; at = places.next(from)) {
    const before = css.slice(from, at)
    const open = before.lastIndexOf('{')
    const close = css.indexOf('}', at)
    const end = close === -1 ? css.length : close
    from = end + 1
    if (open === -1) continue
    const style = { isGone: false, isInvisible: false, isTiny: false }
    readRules(before.slice(open + 1) + css.slice(at, end), style)
    const selector = before.slice(
      Math.max(before.lastIndexOf('}', open), before.lastIndexOf(',', open)) + 1,
      open,
    )
    const one = ONE_CLASS.exec(selector)
    if (style.isGone && one !== null) hidden.add(`${one[1]!.toLowerCase()}${one[2]}`)
  }
}

/** Whether a style sheet may hide text outside of its "@media" blocks. Most do not, and need no further look. */
function hidesOutsideOfMedia(css: string): boolean {
  const places = new HidingPlaces(css)
  let from = 0
  let media = css.indexOf('@')
  for (let at = places.next(0); at < css.length; at = places.next(from)) {
    for (; media !== -1 && media < at; media = css.indexOf('@', from)) from = endOfRule(css, media)
    if (from <= at) return true
  }
  return false
}

/** A style sheet without its "@media" blocks and the like. */
function outsideOfMedia(css: string): string {
  let outside = ''
  let from = 0
  for (let at = css.indexOf('@'); at !== -1; at = css.indexOf('@', from)) {
    outside += css.slice(from, at)
    from = endOfRule(css, at)
  }
  return outside + css.slice(from)
}

const BEFORE_BLOCK = /[;{}]/g

/** Where a rule ends that begins with "@": behind its block, or behind its semicolon. */
function endOfRule(css: string, from: number): number {
  BEFORE_BLOCK.lastIndex = from
  if (!BEFORE_BLOCK.test(css)) return css.length
  const end = BEFORE_BLOCK.lastIndex
  return css[end - 1] === '{' ? endOfBlock(css, end) : end
}

/** Where a block ends whose content begins at a place, with the blocks in it. */
function endOfBlock(css: string, from: number): number {
  const close = closingBracket(css, from, '{', '}')
  return close === -1 ? css.length : close + 1
}
