import { LINK_BYTES, LINKS_MAX } from '../limits.ts'
import { decodeEntities } from './codes/entities.ts'
import { walkHtml } from './codes/html.ts'
import { type Link, rank } from './links/rank.ts'
import { urlsIn } from './links/text.ts'

/** Characters of the text and of the HTML that are searched, as for codes. */
export const LINK_SEARCH_WINDOW = 128 * 1024

/** Links that are ranked. A mail with more is no confirmation mail, and the last ones are its footer. */
const MAX_RANKED = 1000

/**
 * `http(s)` URLs of a mail as they are written there, without duplicates, at most 50. Those that look like
 * confirmation links come first; unsubscribe, legal and social ones last; otherwise in order of appearance, those
 * of the HTML first, because its links have words that say what they are for.
 */
export function findLinks(mail: { text: string; html: string | null }): string[] {
  const links = new Map<string, Link>()
  const images = new Set<string>()
  if (mail.html !== null) collectFromHtml(mail.html.slice(0, LINK_SEARCH_WINDOW), links, images)
  for (const { url, words } of urlsIn(mail.text.slice(0, LINK_SEARCH_WINDOW))) {
    if (links.size === MAX_RANKED) break
    // Text that was made from HTML has the addresses of pictures in it as well.
    if (!images.has(url) && !ASSET.test(url)) add(links, url, words)
  }
  return rank([...links.values()])
    .slice(0, LINKS_MAX)
    .map((link) => link.url)
}

/** What a page loads rather than what a reader opens, and the names of XML vocabularies. */
const ASSET =
  /\.(?:png|jpe?g|gif|webp|svg|ico|css|js|woff2?|ttf|eot)(?:[?#]|$)|^https?:\/\/(?:www\.)?w3\.org\/(?:tr|1999|2000)\b/i

function collectFromHtml(html: string, links: Map<string, Link>, images: Set<string>): void {
  /** The link whose words are being read. */
  let open: Link | null = null
  const take = (url: string, words: string) => (links.size < MAX_RANKED ? add(links, url, words) : null)
  walkHtml(html, {
    text(from, to) {
      if (open !== null) say(open, decodeEntities(html.slice(from, Math.min(to, from + MAX_WORDS))))
      else if (html.slice(from, to).includes('://'))
        for (const { url, words } of urlsIn(decodeEntities(html.slice(from, to)))) take(url, words)
    },
    tag(name, from, to) {
      if (name === 'a' || name === 'area') {
        const url = attribute(html.slice(from, to), HREF)
        open = url === null ? null : take(url, attribute(html.slice(from, to), LABEL) ?? '')
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
}

const HREF = attributePattern('href')
const SOURCE = attributePattern('src')
const ALTERNATIVE = attributePattern('alt')
const LABEL = attributePattern('(?:aria-label|title)')

function attributePattern(name: string): RegExp {
  return new RegExp(`(?<![\\w-])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i')
}

function attribute(tag: string, pattern: RegExp): string | null {
  const found = pattern.exec(tag)
  return found === null ? null : decodeEntities(found[1] ?? found[2] ?? found[3]!)
}

/** Words of a link beyond this say nothing new. */
const MAX_WORDS = 200

function say(link: Link, words: string): void {
  if (link.words.length < MAX_WORDS) link.words = `${link.words} ${words}`.slice(0, MAX_WORDS)
}

const PRINTABLE = /^[^\s\p{Cc}]+$/u

/** Adds a link, or finds the one that is there already; null when it is no usable `http(s)` URL. */
function add(links: Map<string, Link>, written: string, words: string): Link | null {
  const url = written.replace(/[\t\n\r]/g, '').trim()
  if (url.length > LINK_BYTES || !/^https?:\/\//i.test(url)) return null
  const parsed = URL.parse(url)
  if (parsed === null || parsed.href.length > LINK_BYTES) return null
  const before = links.get(parsed.href)
  if (before !== undefined) return before
  // As it is written, unless it has characters that no address and no JSON should carry on.
  const link = { url: PRINTABLE.test(url) && url.isWellFormed() ? url : parsed.href, words }
  links.set(parsed.href, link)
  return link
}
