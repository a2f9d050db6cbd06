import { decodeHTML } from 'entities'
import { attribute, attributePattern, HREF } from '../html/attribute.ts'
import type { Tag } from '../html/tags.ts'
import { isBlankText } from '../html/text.ts'
import { type HtmlVisitor, walkHtml } from '../html/walk.ts'
import type { Mention } from './link.ts'
import { behindSentenceBefore, sentenceAround, sentencesBefore, urlsIn } from './text.ts'

/** Words of a link beyond this say nothing new. */
const WORDS_MAX = 200
/** Characters of a block above that say what a link is for, white space included. */
const ABOVE_MAX = 400
/** Characters of a block that say what its links are for. */
const BLOCK_MAX = 2000
/** The same as they are written: entities are longer. */
const WRITTEN_MAX = 2 * BLOCK_MAX
/** Blocks above a link of which the last two with words say what it is for. */
const BLOCKS_ABOVE = 16

/** Links that are read, places included; a mail with more has its action above them. */
const LINKS_READ = 100
/** Tags that are read. A newsletter has 1,200. */
const TAGS_READ = 4000

/** A link with its words. The sentence around it is read when it is needed, because that of most is not. */
class HtmlLink implements Mention {
  readonly url: string
  words: string
  #around: string | (() => string) = ''

  constructor(url: string, words: string) {
    this.url = url
    this.words = words
  }

  get around(): string {
    if (typeof this.#around !== 'string') this.#around = this.#around()
    return this.#around
  }

  /** To be called at the end of the block of the link. */
  isIn(find: () => string): void {
    this.#around = find
  }
}

/**
 * The links of an HTML document in order, each with its words and the sentence around it; and its
 * pictures.
 */
export function htmlLinks(html: string, linkBytes: number): { links: HtmlLink[]; images: Set<string> } {
  const reader = new LinkReader(html, linkBytes)
  if (html.includes('//') || ESCAPED_SLASHES.test(html)) {
    walkHtml(html, reader)
    reader.endBlock()
  }
  return reader
}

/** Mustache and its like write "https:&#x2F;&#x2F;a.example". */
const ESCAPED_SLASHES = /(?:&#x2f;|&#47;){2}/i

const LETTER = /\p{L}/u
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
const LOWER_A = 97
const LOWER_Z = 122
const LAST_ASCII = 127
/** White space that is more than single spaces. */
const UNEVEN = /[^\S ]| {2}/
const ENDS_SENTENCE = /[.!。！] ?$/
const URL_WORDS = /^\s*https?:/i
const SOURCE = attributePattern('src')
const ALTERNATIVE = attributePattern('alt')
const HAS_LABEL = /label|title/i
const LABEL = attributePattern('(?:aria-label|title)')

/** A block of text without the words of its links. It is decoded when a link needs it: most blocks have no link near. */
class Block {
  readonly #html: string
  /** Where the pieces begin and end that are not decoded yet; BLANK is a space. */
  #pieces: number[] = []
  #text = ''
  #written = 0
  #hasWords: boolean | undefined

  constructor(html: string) {
    this.#html = html
  }

  get isEmpty(): boolean {
    return this.#written === 0
  }

  get text(): string {
    for (let n = 0; n < this.#pieces.length; n += 2) {
      const from = this.#pieces[n]!
      this.#text += from === BLANK ? ' ' : decoded(this.#html.slice(from, this.#pieces[n + 1]))
    }
    if (this.#pieces.length > 0) this.#pieces = []
    return this.#text
  }

  /** To be read when the block is complete. */
  get hasWords(): boolean {
    this.#hasWords ??= hasLetter(this.text)
    return this.#hasWords
  }

  add(from: number, to: number): void {
    if (this.#written < WRITTEN_MAX) this.#pieces.push(from, Math.min(to, from + BLOCK_MAX))
    this.#written += to - from
  }

  addBlank(): void {
    if (!this.isEmpty && this.#written < WRITTEN_MAX) this.#pieces.push(BLANK, BLANK)
  }
}

const BLANK = -1

/** The last two blocks with words above others, as lines. */
class LinesAbove {
  readonly #blocks: Block[]
  #text: string | undefined

  constructor(blocks: Block[]) {
    this.#blocks = blocks
  }

  get text(): string {
    this.#text ??= lastWithWords(this.#blocks, 2)
      .map(({ text }) => spaced(text.slice(-ABOVE_MAX)).trim())
      .join('\n')
    return this.#text
  }
}

/** What is around the links of a complete block: its text, or the blocks above. */
class Surroundings {
  readonly #block: Block
  readonly #places: number[]
  readonly #above: LinesAbove
  #single: { text: string; places: number[] } | undefined

  /** @param places where the links are in the text of the block */
  constructor(block: Block, places: number[], above: LinesAbove) {
    this.#block = block
    this.#places = places
    this.#above = above
  }

  /** The sentence around a link, by its number and its words in the block. */
  of(n: number, words: string): string {
    const { text, hasWords } = this.#block
    const isUrl = URL_WORDS.test(words)
    // An address on its own line belongs to the text above it, not to the text below.
    // A picture without words is a logo more often than a button.
    if (!hasWords || (isUrl && text.search(LETTER) >= this.#places[n]!))
      return LETTER_OR_DIGIT.test(words) ? this.#above.text : ''
    this.#single ??= singleSpaced(text, this.#places)
    const place = this.#single.places[n]
    const before = this.#single.text.slice(0, place)
    const around = sentenceAround(before, this.#single.text.slice(place))
    // "Follow this link to confirm. <address> It expires in an hour."
    return isUrl && ENDS_SENTENCE.test(before.slice(-2))
      ? `${this.#above.text}\n${sentencesBefore(before)} ${around}`.trim()
      : behindSentenceBefore(before, around)
  }
}

class LinkReader implements HtmlVisitor {
  readonly links: HtmlLink[] = []
  readonly images = new Set<string>()
  private readonly html: string
  private readonly linkBytes: number
  /** The link whose words are being read. */
  private open: HtmlLink | null = null
  private block: Block
  /** The links of the block, and where they are in its text. */
  private placed: Array<{ link: HtmlLink; at: number }> = []
  /** The last blocks, and their lines once a link needed them. */
  private above: Block[] = []
  private lines: LinesAbove | null = null
  private tags = 0
  /** Where the next URL of the text may be. */
  private scheme = -1

  constructor(html: string, linkBytes: number) {
    this.html = html
    this.linkBytes = linkBytes
    this.block = new Block(html)
  }

  get isDone(): boolean {
    return this.links.length >= LINKS_READ || this.tags >= TAGS_READ
  }

  text(from: number, to: number): void {
    const { html, open, block } = this
    if (isBlankText(html, from, to)) {
      if (open === null) block.addBlank()
    } else if (open !== null) {
      if (open.words.length < WORDS_MAX)
        addWords(open, decoded(html.slice(from, Math.min(to, from + BLOCK_MAX))))
    } else if (this.schemeFrom(from) < to) {
      this.addUrls(decoded(html.slice(from, to)))
      // "Your request to https://harbour.example was received. Confirm it by" leads to the next link.
      const rest = endOfLastUrl(html, to)
      if (!isBlankText(html, rest, to)) block.add(rest, to)
    } else block.add(from, to)
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
    const { block, placed, above } = this
    if (block.isEmpty && placed.length === 0) return
    if (placed.length > 0) this.addSentences()
    this.block = new Block(this.html)
    this.placed = []
    if (block.isEmpty) return
    above.push(block)
    if (above.length > BLOCKS_ABOVE) above.shift()
    this.lines = null
  }

  /** Where the next URL may be from a place on. It is kept, because most texts have none. */
  private schemeFrom(place: number): number {
    if (this.scheme < place) {
      const found = this.html.indexOf('://', place)
      this.scheme = found === -1 ? this.html.length : found
    }
    return this.scheme
  }

  private addSentences(): void {
    const places = this.placed.map(({ at }) => at)
    const surroundings = new Surroundings(this.block, places, this.linesAbove())
    for (const [n, { link }] of this.placed.entries()) {
      const { words } = link
      link.isIn(() => surroundings.of(n, words))
    }
  }

  private startLink(tag: string): void {
    const url = attribute(tag, HREF)
    if (url === null) {
      this.open = null
      return
    }
    const words = (HAS_LABEL.test(tag) && attribute(tag, LABEL)) || ''
    this.open = new HtmlLink(url, words)
    this.links.push(this.open)
    this.placed.push({ link: this.open, at: this.block.text.length })
  }

  private addUrls(text: string): void {
    const above = this.linesAbove()
    for (const found of urlsIn(text, this.linkBytes, LINKS_READ - this.links.length)) {
      const link = new HtmlLink(found.url, '')
      link.isIn(() => found.around || above.text)
      this.links.push(link)
    }
  }

  private addImage(tag: string): void {
    const source = attribute(tag, SOURCE)
    if (source !== null) this.images.add(source)
    // A button is often a picture, whose words are its alternative text.
    if (this.open !== null) addWords(this.open, attribute(tag, ALTERNATIVE) ?? '')
  }

  private linesAbove(): LinesAbove {
    this.lines ??= new LinesAbove([...this.above])
    return this.lines
  }
}

/** Where the last URL of a text ends that ends at a place. */
function endOfLastUrl(html: string, to: number): number {
  const scheme = html.lastIndexOf('://', to)
  const length = html.slice(scheme, to).search(WHITE)
  return length === -1 ? to : scheme + length
}

const WHITE = /\s/

/** A loop from the end, because a block is decoded to see whether it has words. */
function lastWithWords(blocks: Block[], most: number): Block[] {
  const found: Block[] = []
  for (let n = blocks.length - 1; n >= 0 && found.length < most; n--)
    if (blocks[n]!.hasWords) found.unshift(blocks[n]!)
  return found
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
