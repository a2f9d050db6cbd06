import { LINK_BYTES } from '../../limits.ts'

/** A URL in running text, and what stands before it. */
export interface UrlInText {
  url: string
  words: string
}

const SCHEME = /https?:\/\//gi

/**
 * A URL ends at white space, at marks that it cannot hold, and at East Asian characters, which follow it without
 * a space. Other letters may be part of it: people write addresses as they read them.
 */
const END =
  /[\s<>"`{}|\\^\0-\x20\x7f\u2018-\u201f\u2026\u2e80-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]/g

/** Punctuation that belongs to the sentence when a URL ends with it. */
const TRAILING = new Set(".,;:!?'*«»")
const BRACKETS: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

/** The URLs in a text, each with up to 80 characters of the line that leads to it. Linear in the text. */
export function urlsIn(text: string): UrlInText[] {
  const urls: UrlInText[] = []
  let done = 0
  SCHEME.lastIndex = 0
  for (let found = SCHEME.exec(text); found !== null; found = SCHEME.exec(text)) {
    END.lastIndex = SCHEME.lastIndex
    const end = END.exec(text)?.index ?? text.length
    // A longer one is of no use, and neither is its beginning.
    if (end - found.index <= 2 * LINK_BYTES) {
      const words = lastLine(text.slice(Math.max(done, found.index - 160), found.index))
      urls.push({ url: withoutSentenceMarks(text.slice(found.index, end)), words })
    }
    done = end
    SCHEME.lastIndex = end
  }
  return urls
}

function withoutSentenceMarks(url: string): string {
  const surplus: Record<string, number> = {}
  for (const [close, open] of Object.entries(BRACKETS))
    surplus[close] = url.split(close).length - url.split(open).length
  let end = url.length
  for (; end > 0; end--) {
    const last = url[end - 1]!
    if (TRAILING.has(last)) continue
    if (!(surplus[last]! > 0)) break
    surplus[last]!--
  }
  return url.slice(0, end)
}

/** The last line with a word in it; a URL often stands on a line of its own below. */
function lastLine(lead: string): string {
  const line = lead.split('\n').findLast((part) => /\p{L}/u.test(part))
  return line === undefined ? '' : line.slice(-80)
}
