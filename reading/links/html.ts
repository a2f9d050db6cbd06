import { decodeHTML } from 'entities'
import { attribute, attributePattern, HREF } from '../html/attribute.ts'
import { walkHtml } from '../html/walk.ts'
import type { Mention } from './link.ts'
import { sentenceAround, urlsIn } from './text.ts'

/** Words of a link beyond this say nothing new. */
const WORDS_MAX = 200
/** Of a block so much is kept to tell what its links are for. */
const BLOCK_MAX = 2000

const INLINE =
  /^\/?(?:a|abbr|acronym|area|b|bdi|bdo|big|cite|code|em|font|i|img|ins|kbd|label|mark|o:p|q|s|small|span|strike|strong|sub|sup|tt|u|wbr|v:\w+|w:\w+)$/

interface HtmlLink extends Mention {
  url: string
}

/** A link in the block that is being read, and how much of the block's text stands before it. */
interface Placed {
  link: HtmlLink
  at: number
}

/** The links of an HTML document in order, each with its words and the sentence around it; and its pictures. */
export function htmlLinks(html: string, linkBytes: number): { links: HtmlLink[]; images: Set<string> } {
  const links: HtmlLink[] = []
  const images = new Set<string>()
  if (!html.includes('//')) return { links, images }
  /** The link whose words are being read. */
  let open: HtmlLink | null = null
  let block = ''
  let placed: Placed[] = []
  let above: string[] = []

  function place(url: string, words: string): HtmlLink {
    const link = { url, words, around: '' }
    links.push(link)
    placed.push({ link, at: block.length })
    return link
  }

  /** The block is over: its text tells what the links in it are for, or what is above does. */
  function close(): void {
    const told = /\p{L}/u.test(block)
    for (const { link, at } of placed) {
      if (told) link.around = sentenceAround(block.slice(0, at), block.slice(at))
      // A picture without words is a logo more often than a button.
      else if (/\p{L}/u.test(link.words)) link.around = above.join('\n')
    }
    if (told) above = [...above.slice(-1), block.slice(-WORDS_MAX).replace(/\s+/g, ' ').trim()]
    block = ''
    placed = []
  }

  walkHtml(html, {
    text(from, to) {
      const text = decodeHTML(html.slice(from, Math.min(to, from + BLOCK_MAX)))
      if (open !== null) say(open, text)
      else if (html.slice(from, to).includes('://')) {
        const whole = decodeHTML(html.slice(from, to))
        for (const { url, around } of urlsIn(whole, linkBytes))
          links.push({ url, words: '', around: around || above.join('\n') })
      } else if (block.length < BLOCK_MAX) block += text.replace(/\s+/g, ' ')
    },
    tag(name, from, to) {
      if (!INLINE.test(name)) close()
      if (name === 'a' || name === 'area') {
        const tag = html.slice(from, to)
        const url = attribute(tag, HREF)
        open = url === null ? null : place(url, attribute(tag, LABEL) ?? '')
      } else if (name === '/a') open = null
      else if (name === 'img') {
        const tag = html.slice(from, to)
        const source = attribute(tag, SOURCE)
        if (source !== null) images.add(source)
        // A button is often a picture, whose words are its alternative text.
        if (open !== null) say(open, attribute(tag, ALTERNATIVE) ?? '')
      }
    },
  })
  close()
  return { links, images }
}

const SOURCE = attributePattern('src')
const ALTERNATIVE = attributePattern('alt')
const LABEL = attributePattern('(?:aria-label|title)')

function say(link: HtmlLink, words: string): void {
  if (link.words.length < WORDS_MAX) link.words = `${link.words} ${words}`.slice(0, WORDS_MAX)
}
