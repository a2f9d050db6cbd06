import { actionOf } from './links/action.ts'
import { htmlLinks } from './links/html.ts'
import { APPS_AND_SOCIAL } from './links/last.ts'
import { Link, MENTIONS_MAX, type Mention } from './links/link.ts'
import { Phrases } from './links/phrases.ts'
import { urlsIn } from './links/text.ts'
import type { ActionLink } from './message.ts'
import { SEARCH_UNITS, type SearchBudget } from './search-budget.ts'

/** Characters of the text and of the HTML that are searched, as for codes. */
export const LINK_SEARCH_WINDOW = 128 * 1024

/** Links of a text that was made of the HTML. They repeat those of the HTML, unless its markup is broken. */
const MADE_MAX = 20

/** Resources that a page loads, and the names of XML vocabularies: no links for readers. */
const ASSET =
  /\.(?:png|jpe?g|gif|webp|svg|ico|css|js|woff2?|ttf|eot)(?:[?#]|$)|^https?:\/\/(?:www\.)?w3\.org\/(?:tr|1999|2000)\b/i

/** How many links a mail has at most, and how long each may be. */
export interface LinkLimits {
  links: number
  linkBytes: number
}

/**
 * `http(s)` URLs of a mail as they are written there, without duplicates, at most `limits.links`,
 * and the action link, if it is certain enough. Those that look like
 * confirmation links come first; unsubscribe, legal and social ones last; otherwise in order of
 * appearance, those of the HTML first, because its links have words that say what they are for.
 * @param codes those of the mail: a link with one of them does what the code is for
 */
export function findLinks(
  mail: { subject: string; text: string; html: string | null; isTextOfHtml?: boolean },
  limits: LinkLimits,
  budget: SearchBudget = { left: SEARCH_UNITS },
  codes: string[] = [],
): { links: string[]; actionLink: ActionLink | null } {
  const found = new FoundLinks(limits, codes)
  const html = mail.html?.slice(0, LINK_SEARCH_WINDOW) ?? ''
  const { links: htmlOnes, images } = htmlLinks(html, limits.linkBytes)
  /** The text repeats the links of the HTML with fewer words. */
  const inHtml = new Set<string>()
  for (const link of htmlOnes) {
    inHtml.add(link.url)
    found.add(link.url, link)
  }
  const text = mail.text.slice(0, LINK_SEARCH_WINDOW)
  // A text that was made from HTML also has the addresses of pictures.
  const isNew = (url: string) => !inHtml.has(url) && !images.has(url) && !ASSET.test(url)
  const most = mail.isTextOfHtml ? MADE_MAX : limits.links
  for (const mention of urlsIn(text, limits.linkBytes, most, isNew)) found.add(mention.url, mention)
  const phrases = new Phrases(budget.left)
  const { links, actionLink } = rank(found.links(), mail, phrases, codes.length > 0)
  return { links: links.map((link) => link.url), actionLink }
}

const UNPRINTABLE = /[\s\p{Cc}]/u

class FoundLinks {
  private readonly byHref = new Map<string, Link>()
  /** The same URL is often written many times, and parsing it costs most. */
  private readonly byText = new Map<string, Link>()
  private readonly limits: LinkLimits
  private readonly codes: string[]

  constructor(limits: LinkLimits, codes: string[]) {
    this.limits = limits
    this.codes = codes
  }

  links(): Link[] {
    return [...this.byHref.values()]
  }

  /** Adds a link, or one more place of it, unless it is no usable `http(s)` URL. */
  add(written: string, mention: Mention): void {
    const link = this.byText.get(written) ?? this.linkOf(written)
    if (link === null) return
    this.byText.set(written, link)
    if (link.mentions.length < MENTIONS_MAX) link.mentions.push(mention)
  }

  private linkOf(written: string): Link | null {
    const { links, linkBytes } = this.limits
    const url = written.replace(/[\t\n\r]/g, '').trim()
    if (url.length > linkBytes || !/^https?:\/\//i.test(url)) return null
    if (this.byHref.size === links) return null
    const parsed = URL.parse(url)
    if (parsed === null || parsed.href.length > linkBytes) return null
    const known = this.byHref.get(parsed.href)
    if (known !== undefined) return known
    // As it is written, unless it has characters that neither an address nor JSON should carry.
    const link = new Link(!UNPRINTABLE.test(url) && url.isWellFormed() ? url : parsed.href, this.codes)
    this.byHref.set(parsed.href, link)
    return link
  }
}

/** The words of all languages are looked for in the subject; a longer one says no more. */
const SUBJECT_CHARACTERS = 500

/** Links whose words are read. Of those behind them only the address counts. */
const WORDS_READ = 25

interface Ranked {
  links: Link[]
  actionLink: ActionLink | null
}

/**
 * Confirmation links first, links to sign in next, then the others; unsubscribe, legal and social
 * ones last. The action link is the first.
 */
function rank(
  links: Link[],
  mail: { subject: string; text: string },
  phrases: Phrases,
  hasCode: boolean,
): Ranked {
  const subject = mail.subject.slice(0, SUBJECT_CHARACTERS)
  const action = actionOf(links, subject, mail.text, phrases, hasCode)
  const graded = links.map((link, n) => {
    if (link.url === action?.url) return { link, grade: FIRST }
    if (link.isLast) return { link, grade: LAST }
    const words = n < WORDS_READ ? phrases.fold(wordsOf(link.mentions[0]!)) : ''
    return { link, grade: gradeOf(link.lower, words, phrases) }
  })
  graded.sort((a, b) => b.grade - a.grade)
  return { links: graded.map(({ link }) => link), actionLink: action }
}

const FIRST = 4
const CONFIRMS = 3
const SIGNS_IN = 2
const ORDINARY = 1
const LAST = 0

/** @param words those of the link, folded */
function gradeOf(url: string, words: string, phrases: Phrases): number {
  if (phrases.says('unsubscribe', words)) return LAST
  // The address outweighs the words, which may be about something else in a text.
  if (CONFIRM_WORD.test(url) || CONFIRM_PARAMETER.test(url)) return CONFIRMS
  if (phrases.says('legal', words)) return LAST
  if (CONFIRMING.some((kind) => phrases.says(kind, words))) return CONFIRMS
  if (SIGNING_IN.some((kind) => phrases.says(kind, words)) || SIGN_IN_URL.test(url)) return SIGNS_IN
  return APPS_AND_SOCIAL.test(url) ? LAST : ORDINARY
}

function wordsOf({ words, around }: Mention): string {
  return words === '' ? around.slice(around.lastIndexOf('\n') + 1) : words
}

const CONFIRMING = ['confirm', 'reset', 'invite', 'join'] as const
const SIGNING_IN = ['signIn', 'approve'] as const

const CONFIRM_WORD =
  /verif|confirm|activat|validat|magic|finish-?sign|set-?password|(?<![a-z])(?:reset|recover|invit|accept|otp|passwordless|one-?time|double-?opt|bestaetig|aktivier|activer|activar|attiva|ativar|bevestig|potwierd|aktywuj|dogrula|onayla|bekraft)/

const CONFIRM_PARAMETER = /=(?<=[?&#/;](?:[a-z_-]*(?:token|otp|ticket|nonce)|code|oobcode|key|hash)=)/

const SIGN_IN_URL = /(?<![a-z])(?:log-?in|sign-?in|signon|sso|auth(?!or)|session|accounts?\/(?:log|sign))/
