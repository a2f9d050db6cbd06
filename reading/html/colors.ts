/** Colors of an element; null if unknown. */
interface Colors {
  text: string | null
  background: string | null
}

/** Those of an element that says nothing of colors, and those around all elements. */
const NONE: Colors = { text: null, background: null }

/** Declarations, and the attributes of old mails. */
const COLOR =
  /(?<![\w-])(bgcolor|color|background(?:-color)?)\s*(?::\s*([^;!"'>]{1,40})|=\s*["']?([^"'>\s]+))/gi

/** An element with the place of its tag; and its colors, inherited ones included, once they are known. */
export interface Colored {
  from: number
  to: number
  colors: Colors | null
}

/**
 * Reads the colors of elements that are inside one another: only where text needs them, because few texts do, and
 * those of an element at most once.
 */
export class ColorReader {
  readonly #html: string
  /** The background of the page. A style sheet may give any element another one. */
  #page: string | null | undefined

  constructor(html: string) {
    this.#html = html
  }

  /** Whether text in the innermost of the first `depth` elements has the color of its background. */
  areEqual(elements: Colored[], depth: number): boolean {
    const { text, background } = this.#colorsIn(elements, depth)
    if (text === null) return false
    return text === (background ?? this.#pageBackground(text)) || text === TRANSPARENT
  }

  #colorsIn(elements: Colored[], depth: number): Colors {
    let known = depth
    while (known > 0 && elements[known - 1]!.colors === null) known--
    let colors = known > 0 ? elements[known - 1]!.colors! : NONE
    for (; known < depth; known++) {
      const element = elements[known]!
      const own = this.#ownColors(element.from, element.to)
      if (own !== NONE)
        colors = { text: own.text ?? colors.text, background: own.background ?? colors.background }
      element.colors = colors
    }
    return colors
  }

  /** Looks for a style sheet only for white text, because it is the only one that the page can hide. */
  #pageBackground(text: string): string | null {
    if (text !== WHITE) return WHITE
    if (this.#page === undefined) this.#page = /<style/i.test(this.#html) ? null : WHITE
    return this.#page
  }

  #ownColors(from: number, to: number): Colors {
    if (to - from < SHORTEST) return NONE
    const tag = this.#html.slice(from, to)
    return HAS_COLOR.test(tag) ? colorsOf(tag) : NONE
  }
}

/** The last color of each kind counts, so that the others need not be read. */
function colorsOf(tag: string): Colors {
  let text: string | null = null
  const backgrounds: string[] = []
  for (let found = COLOR.exec(tag); found !== null; found = COLOR.exec(tag)) {
    const color = found[2] ?? found[3]!
    if (found[1]!.toLowerCase() === 'color') text = color
    else backgrounds.push(color)
  }
  return { text: text === null ? null : colorOf(text), background: lastShown(backgrounds) }
}

function lastShown(backgrounds: string[]): string | null {
  for (const background of backgrounds.reverse()) {
    const color = colorOf(background)
    if (color !== TRANSPARENT) return color
  }
  return null
}

const TRANSPARENT = 'transparent'
const HAS_COLOR = /color|background/i
/** Characters of a tag that has a color: those of `<b color=0>`. */
const SHORTEST = 11

const WHITE = '#ffffff'
const NAMES: Record<string, string> = { white: WHITE, black: '#000000' }
/** "rgba(0, 0, 0, 0)" */
const NO_ALPHA = /^rgba\([^,)]{1,8},[^,)]{1,8},[^,)]{1,8},\s{0,4}(?:0|0?\.0{1,4})\)/
/** Six digits, or a name. */
const PLAIN = /^(?:#[0-9a-f]{6}|[a-z]+)$/
const HSL = /^hsla?\(\s{0,4}(\d{1,3})(?:\.\d{1,4})?(?:deg)?[\s,]{1,4}(\d{1,3})%[\s,]{1,4}(\d{1,3})%/
const RGB = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})/

/**
 * A color as six hexadecimal digits; other names as they are; a mark of its own if it is not only a
 * color, because it hides what is around.
 */
function colorOf(value: string): string {
  const text = value.trim().toLowerCase()
  if (PLAIN.test(text)) return NAMES[text] ?? text
  const hsl = HSL.exec(text)
  if (hsl !== null) return hexadecimal(rgbOf(Number(hsl[1]), Number(hsl[2]) / 100, Number(hsl[3]) / 100))
  const rgb = RGB.exec(text)
  if (rgb !== null && NO_ALPHA.test(text)) return TRANSPARENT
  if (rgb !== null) return hexadecimal(rgb.slice(1).map(Number))
  if (/^#[0-9a-f]{3}$/.test(text)) return text.replace(/[0-9a-f]/g, '$&$&')
  return `? ${value}`
}

function hexadecimal(parts: number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** Red, green and blue of a color. @see https://www.w3.org/TR/css-color-4/#hsl-to-rgb */
function rgbOf(hue: number, saturation: number, lightness: number): number[] {
  const range = saturation * Math.min(lightness, 1 - lightness)
  return [0, 8, 4].map((shift) => {
    const place = (shift + hue / 30) % 12
    return Math.round(255 * (lightness - range * Math.max(-1, Math.min(place - 3, 9 - place, 1))))
  })
}
