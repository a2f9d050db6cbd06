import { table } from '../lexicon/letters.ts'

const COLON = ':'
const HIDDEN = 'hidden'
const SPACE = 32
const SEMICOLON = 59
const ONE = 49
const LOWER_P = 112

/** Properties that hide text with some values. */
interface Property {
  expression: RegExp
  /** Its last letters, or the blank behind it. They rule out most declarations. */
  ends: boolean[]
}

/** The first characters of values that hide text, and the properties of which they are values. */
const HIDING = properties([
  // none, hidden, collapse
  ['nNhHcC', 'yY', /(?<![\w-])(?:display|visibility)\s*$/i],
  // 0, .0
  ['0.', 'yYeEtThH', /(?<![\w-])(?:opacity|font(?:-size)?|(?:max-)?height|width)\s*$/i],
  // 1px, 1pt
  ['1', 'eE', /(?<![\w-])font-size\s*$/i],
  // -9999px
  ['-', 'tTpP', /(?<![\w-])(?:text-indent|left|top|margin-left)\s*$/i],
  // rect, inset, scale
  ['rRiIsS', 'pPhHmM', /(?<![\w-])(?:clip(?:-path)?|transform)\s*$/i],
  // line-through, underline line-through
  ['lLuU', 'nN', /(?<![\w-])text-decoration\s*$/i],
])
const PROPERTY_MAX = 16
/** The attribute `hidden`, and not a value. */
const ATTRIBUTE = /^\shidden[\s=>/]/

/** Returns the properties by the code of the first character of a value. */
function properties(
  byFirst: [characters: string, ends: string, expression: RegExp][],
): (Property | undefined)[] {
  const found: (Property | undefined)[] = new Array(128)
  for (const [characters, ends, expression] of byFirst)
    for (const char of characters) found[char.charCodeAt(0)] = { expression, ends: table(`${ends} `) }
  return found
}

/**
 * The places in HTML that may hide text: a declaration like `display:none`, or the word `hidden`. Most
 * tags have none, and need no further look. A walk from colon to colon costs a quarter of a search for an
 * expression.
 */
export class HidingPlaces {
  readonly #html: string
  // Positions are integers, because V8 would make an object for each infinite one.
  #attribute = -1
  #declaration = -1

  constructor(html: string) {
    this.#html = html
  }

  /**
   * Returns the first place at or after a position; the length of the HTML behind the last one. Positions must not
   * decrease.
   */
  next(from: number): number {
    if (this.#attribute < from) this.#attribute = firstAttribute(this.#html, from)
    if (this.#declaration < from) this.#declaration = firstDeclaration(this.#html, from)
    return Math.min(this.#attribute, this.#declaration)
  }
}

function firstAttribute(html: string, from: number): number {
  for (let at = html.indexOf(HIDDEN, from); at !== -1; at = html.indexOf(HIDDEN, at + 1))
    if (isAttribute(html, at)) return at
  return html.length
}

function firstDeclaration(html: string, from: number): number {
  for (let at = html.indexOf(COLON, from); at !== -1; at = html.indexOf(COLON, at + 1))
    if (isHiding(html, at)) return at
  return html.length
}

function isAttribute(html: string, at: number): boolean {
  // Most are the value of "overflow".
  if (html.charCodeAt(at + HIDDEN.length) === SEMICOLON) return false
  return ATTRIBUTE.test(html.slice(at - 1, at + HIDDEN.length + 1))
}

function isHiding(html: string, colon: number): boolean {
  let value = colon + 1
  while (html.charCodeAt(value) <= SPACE) value++
  const first = html.charCodeAt(value)
  const property = HIDING[first]
  if (!property?.ends[html.charCodeAt(colon - 1)]) return false
  // Most sizes are of two digits, as "14px".
  if (first === ONE && (html.charCodeAt(value + 1) | 0x20) !== LOWER_P) return false
  return property.expression.test(html.slice(Math.max(0, colon - PROPERTY_MAX), colon))
}
