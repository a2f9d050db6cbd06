/**
 * How much of an email's HTML a browser draws: this many steps of its parser, and so many characters
 * that are not data of pictures. An email may have 40 MB of the most expensive markup.
 */
const STEPS_MAX = 15_000
const CHARACTERS_MAX = 500_000

/**
 * A browser opens formats again in each block until they are closed, and lays a table out again for
 * each table around it.
 */
const NESTED = new Set('a b big code em font i nobr s small strike strong table tt u'.split(' '))
/** This many open ones make a tag two steps; twice as many make it five. */
const NESTED_USUAL = 10
/** A style sheet of this many characters adds a step to each tag. */
const STYLE_CHARACTERS = 50_000

const NAME = /\/?[a-z][^\s/>]{0,20}/iy
const STYLE_END = /<\/style/gi

export interface ShownHtml {
  /** The beginning that is drawn. */
  html: string
  isWhole: boolean
}

let last: { whole: string; shown: ShownHtml } | undefined

/**
 * Returns as much of the HTML as a browser draws in less than half a second. Each character is read
 * a fixed number of times. The last result is kept, because a page asks each time that it draws.
 */
export function shownHtml(whole: string): ShownHtml {
  if (last?.whole !== whole) {
    const html = whole.slice(0, new Reader(whole).end())
    last = { whole, shown: { html, isWhole: html.length === whole.length } }
  }
  return last.shown
}

class Reader {
  readonly #html: string
  #steps = 0
  #characters = 0
  #tags = 0
  #open = 0
  #styles = 0

  constructor(html: string) {
    this.#html = html
  }

  /** Where the part ends that is drawn. */
  end(): number {
    const html = this.#html
    for (let at = 0; at < html.length; ) {
      const found = html.indexOf('<', at)
      const start = found === -1 ? html.length : found
      const left = CHARACTERS_MAX - this.#characters
      if (start - at > left) return at + left
      this.#characters += start - at
      const next = start === html.length ? start : this.#markup(start)
      if (this.#characters > CHARACTERS_MAX || this.#steps > STEPS_MAX) return start
      at = next
    }
    return html.length
  }

  /** Reads a tag, a style sheet or a comment; returns its end. */
  #markup(start: number): number {
    const html = this.#html
    NAME.lastIndex = start + 1
    const name = NAME.exec(html)?.[0].toLowerCase()
    if (name === undefined) return this.#comment(start)
    const end = this.#tagEnd(start + 1 + name.length)
    this.#tags++
    this.#steps += 1 + (this.#open / NESTED_USUAL) ** 2 + this.#styles / STYLE_CHARACTERS
    if (NESTED.has(name)) this.#open++
    else if (NESTED.has(name.slice(1))) this.#open = Math.max(0, this.#open - 1)
    if (name !== 'style') return end
    STYLE_END.lastIndex = end
    const close = STYLE_END.exec(html)?.index ?? html.length
    this.#styles += close - end
    this.#characters += close - end
    this.#steps += (this.#tags * (close - end)) / STYLE_CHARACTERS
    return close
  }

  /** A comment, or a "<" that begins nothing. */
  #comment(start: number): number {
    const html = this.#html
    const found = html.startsWith('<!--', start) ? html.indexOf('-->', start + 2) : start
    const end = found === -1 ? html.length : found + 1
    this.#steps++
    this.#characters += end - start
    return end
  }

  /** The end of a tag from behind its name. Ten attributes are a step; the data of a picture does not count. */
  #tagEnd(from: number): number {
    const html = this.#html
    for (let at = from; at < html.length; at++) {
      const character = html.charAt(at)
      if (character === '>') return at + 1
      if (this.#characters++ > CHARACTERS_MAX || this.#steps > STEPS_MAX) return html.length
      if (/\s/.test(character)) this.#steps += 0.1
      if (character !== '"' && character !== "'") continue
      const close = html.indexOf(character, at + 1)
      const end = close === -1 ? html.length : close
      if (!html.startsWith('data:', at + 1)) this.#characters += end - at
      at = end
    }
    return html.length
  }
}
