import { type ComponentChild, h } from 'preact'

const URL_IN_TEXT = /https?:\/\/[^\s<>"'`]+/g
/** Punctuation after a link belongs to the sentence around it. */
const PUNCTUATION = '.,;:!?)]}»”’'

/** The text with links as elements. */
export function linkified(text: string): ComponentChild[] {
  const parts: ComponentChild[] = []
  let last = 0
  for (const { 0: found, index } of text.matchAll(URL_IN_TEXT)) {
    const url = trimmed(found)
    parts.push(text.slice(last, index))
    parts.push(h('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, url))
    last = index + url.length
  }
  parts.push(text.slice(last))
  return parts
}

/** Removes the punctuation, but keeps a closing parenthesis if the link has the opening one. */
function trimmed(url: string): string {
  let length = url.length
  // The letters of "http" end the loop.
  while (PUNCTUATION.includes(url.charAt(length - 1))) length--
  const [without, end] = [url.slice(0, length), url.slice(length)]
  return end.startsWith(')') && without.includes('(') && !without.includes(')') ? `${without})` : without
}
