import { htmlLinks } from './links/html.ts'
import { type Link, MENTIONS_MAX, type Mention } from './links/link.ts'
import { rank } from './links/rank.ts'
import { urlsIn } from './links/text.ts'
import type { ActionLink } from './message.ts'

/** Characters of the text and of the HTML that are searched, as for codes. */
export const LINK_SEARCH_WINDOW = 128 * 1024

/** Links that are ranked. A mail with more is no confirmation mail, and the last ones are its footer. */
const MAX_RANKED = 500

/** What a page loads rather than what a reader opens, and the names of XML vocabularies. */
const ASSET =
  /\.(?:png|jpe?g|gif|webp|svg|ico|css|js|woff2?|ttf|eot)(?:[?#]|$)|^https?:\/\/(?:www\.)?w3\.org\/(?:tr|1999|2000)\b/i

/** How many links a mail has at most, and how long each may be. */
export interface LinkLimits {
  links: number
  linkBytes: number
}

/**
 * `http(s)` URLs of a mail as they are written there, without duplicates, at most `limits.links`, and the one that the mail
 * wants opened, if it says so plainly. Those that look like confirmation links come first; unsubscribe, legal and
 * social ones last; otherwise in order of appearance, those of the HTML first, because its links have words that
 * say what they are for.
 */
export function findLinks(
  mail: { subject: string; text: string; html: string | null },
  limits: LinkLimits,
): { links: string[]; actionLink: ActionLink | null } {
  const found = new Map<string, Link>()
  const images = new Set<string>()
  /** The text repeats them with less around them. */
  const inHtml = new Set<string>()
  if (mail.html !== null) {
    const html = htmlLinks(mail.html.slice(0, LINK_SEARCH_WINDOW), limits.linkBytes)
    for (const url of html.images) images.add(url)
    for (const { url, ...mention } of html.links) {
      inHtml.add(url)
      add(found, url, mention, limits)
    }
  }
  for (const { url, around } of urlsIn(mail.text.slice(0, LINK_SEARCH_WINDOW), limits.linkBytes)) {
    // Text that was made from HTML has the addresses of pictures in it as well.
    if (!images.has(url) && !ASSET.test(url) && !inHtml.has(url))
      add(found, url, { words: '', around }, limits)
  }
  const { links, actionLink } = rank([...found.values()], mail.subject, mail.text)
  return { links: links.slice(0, limits.links).map((link) => link.url), actionLink }
}

const PRINTABLE = /^[^\s\p{Cc}]+$/u

/** Adds a link, or one more place of it, unless it is no usable `http(s)` URL. */
function add(links: Map<string, Link>, written: string, mention: Mention, { linkBytes }: LinkLimits): void {
  const url = written.replace(/[\t\n\r]/g, '').trim()
  if (url.length > linkBytes || !/^https?:\/\//i.test(url)) return
  const parsed = URL.parse(url)
  if (parsed === null || parsed.href.length > linkBytes) return
  const before = links.get(parsed.href)
  if (before !== undefined) {
    if (before.mentions.length < MENTIONS_MAX) before.mentions.push(mention)
    return
  }
  if (links.size === MAX_RANKED) return
  // As it is written, unless it has characters that no address and no JSON should carry on.
  const kept = PRINTABLE.test(url) && url.isWellFormed() ? url : parsed.href
  links.set(parsed.href, { url: kept, mentions: [mention] })
}
