import { decodeHTML } from 'entities'
import { attribute, attributePattern, HREF } from '../html/attribute.ts'
import type { Tag } from '../html/tags.ts'
import { isBlankText } from '../html/text.ts'
import { type HtmlVisitor, walkHtml } from '../html/walk.ts'
import type { Mention } from './link.ts'
import { sentenceAround, urlsIn } from './text.ts'

/** Words of a link beyond this say nothing new. */
const WORDS_MAX = 200
/** Characters of a block above that say what a link is for, white space included. */
const ABOVE_MAX = 400
/** Characters of a block that say what its links are for. */
const BLOCK_MAX = 2000

/** Links that are read, places included; a mail with more has its action above them. */
const LINKS_READ = 100
/** Tags that are read. A newsletter has 1,200. */
const TAGS_READ = 4000

interface HtmlLink extends Mention {
  url: string
}

/**
 * The links of an HTML document in order, each with its words and the sentence around it; and its
 * pictures.
 */
export function htmlLinks(html: string, linkBytes: number): { links: HtmlLink[]; images: Set<string> } {
  const reader = new LinkReader(html, linkBytes)
  if (html.includes('//')) {
    walkHtml(html, reader)
    reader.endBlock()
  }
  return reader
}

const LETTER = /\p{L}/u
const LOWER_A = 97
const LOWER_Z = 122
const LAST_ASCII = 127
/** White space that is more than single spaces. */
const UNEVEN = /[^\S ]| {2}/
const URL_WORDS = /^\s*https?:/i
const SOURCE = attributePattern('src')
const ALTERNATIVE = attributePattern('alt')
const HAS_LABEL = /label|title/i
const LABEL = attributePattern('(?:aria-label|title)')

class LinkReader implements HtmlVisitor {
  readonly links: HtmlLink[] = []
  readonly images = new Set<string>()
  private readonly html: string
  private readonly linkBytes: number
  /** The link whose words are being read. */
  private open: HtmlLink | null = null
  /**
   * The text of the current block without the words of its links, and where the links are in it.
   */
  private block = ''
  private placed: Array<{ link: HtmlLink; at: number }> = []
  /** The two blocks above that have words, and their lines, once a link needed them. */
  private above = ''
  private aboveThat = ''
  private lines: string | null = null
  private tags = 0

  constructor(html: string, linkBytes: number) {
    this.html = html
    this.linkBytes = linkBytes
  }

  get isDone(): boolean {
    return this.links.length >= LINKS_READ || this.tags >= TAGS_READ
  }

  text(from: number, to: number): void {
    if (isBlankText(this.html, from, to)) {
      if (this.open === null && this.block !== '' && this.block.length < BLOCK_MAX) this.block += ' '
      return
    }
    const source = this.html.slice(from, to)
    if (this.open !== null) addWords(this.open, decoded(source.slice(0, BLOCK_MAX)))
    else if (source.includes('://')) this.addUrls(decoded(source))
    else if (this.block.length < BLOCK_MAX) this.block += decoded(source.slice(0, BLOCK_MAX))
  }

  tag({ name, isEnd, isInline }: Tag, from: number, to: number): void {
    this.tags++
    if (!isInline) this.endBlock()
    if (isEnd) {
      if (name === 'a') this.open = null
    } else if (name === 'a' || name === 'area') this.startLink(this.html.slice(from, to))
    else if (name === 'img') this.addImage(this.html.slice(from, to))
  }

  /** The text of the block, or of the blocks above, says what the links of the block are for. */
  endBlock(): void {
    const { block, placed } = this
    if (block === '' && placed.length === 0) return
    const hasWords = hasLetter(block)
    if (placed.length > 0) this.addSentences(hasWords)
    if (hasWords) {
      this.aboveThat = this.above
      this.above = block
      this.lines = null
    }
    this.block = ''
    if (placed.length > 0) this.placed = []
  }

  private addSentences(hasWords: boolean): void {
    const { block, placed } = this
    const firstLetter = block.search(LETTER)
    const places = hasWords ? placed.map(({ at }) => at) : []
    const single = singleSpaced(block, places)
    for (const [n, { link, at }] of placed.entries()) {
      // An address on its own line belongs to the text above it, not to the text below.
      const isOwnLine = URL_WORDS.test(link.words) && firstLetter >= at
      const place = single.places[n]
      if (hasWords && !isOwnLine)
        link.around = sentenceAround(single.text.slice(0, place), single.text.slice(place))
      // A picture without words is a logo more often than a button.
      else if (LETTER.test(link.words)) link.around = this.aboveLines()
    }
  }

  private startLink(tag: string): void {
    const url = attribute(tag, HREF)
    if (url === null) {
      this.open = null
      return
    }
    const words = (HAS_LABEL.test(tag) && attribute(tag, LABEL)) || ''
    this.open = { url, words, around: '' }
    this.links.push(this.open)
    this.placed.push({ link: this.open, at: this.block.length })
  }

  private addUrls(text: string): void {
    for (const { url, around } of urlsIn(text, this.linkBytes, LINKS_READ - this.links.length))
      this.links.push({ url, words: '', around: around || this.aboveLines() })
  }

  private addImage(tag: string): void {
    const source = attribute(tag, SOURCE)
    if (source !== null) this.images.add(source)
    // A button is often a picture, whose words are its alternative text.
    if (this.open !== null) addWords(this.open, attribute(tag, ALTERNATIVE) ?? '')
  }

  private aboveLines(): string {
    this.lines ??= [this.aboveThat, this.above]
      .filter((line) => line !== '')
      .map((line) => spaced(line.slice(-ABOVE_MAX)).trim())
      .join('\n')
    return this.lines
  }
}

/** A loop over ASCII, because most blocks begin with a letter. */
function hasLetter(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > LAST_ASCII) return LETTER.test(text)
    const letter = code | 0x20
    if (letter >= LOWER_A && letter <= LOWER_Z) return true
  }
  return false
}

function decoded(source: string): string {
  return source.includes('&') ? decodeHTML(source) : source
}

function spaced(text: string): string {
  return UNEVEN.test(text) ? text.replace(/\s+/g, ' ') : text
}

/** The text with single spaces, and where some places of it, in order, are then; linear in both. */
function singleSpaced(text: string, places: number[]): { text: string; places: number[] } {
  let single = ''
  let from = 0
  const moved = places.map((place) => {
    if (place > from) single = joined(single, text.slice(from, place))
    from = place
    return single.length
  })
  return { text: joined(single, text.slice(from)), places: moved }
}

function joined(single: string, text: string): string {
  const next = spaced(text)
  return single.endsWith(' ') && next.startsWith(' ') ? single + next.slice(1) : single + next
}

function addWords(link: HtmlLink, words: string): void {
  if (link.words.length < WORDS_MAX) link.words = `${link.words} ${words}`.slice(0, WORDS_MAX)
}
