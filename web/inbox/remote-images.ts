import { attributesOf, examine } from '../lib/html-tags.ts'

const ELEMENTS = new Set([
  'img',
  'source',
  'video',
  'input',
  'image',
  'table',
  'td',
  'th',
  'tr',
  'body',
  'div',
])
const ATTRIBUTES = new Set(['src', 'srcset', 'background', 'poster', 'href', 'xlink:href'])
const REMOTE = /^\s{0,20}(?:https?:)?\/\//i
/** What may be between `url(` and the address. */
const REMOTE_URL = /^[\s"']{0,20}(?:https?:)?\/\//i
const URL_CHARACTERS = 40

/**
 * Whether an email names images that a mail client would load from other hosts: in an element, an attribute or a
 * style. This only decides whether loading is offered, so it is true for HTML that is too long to examine; what loads
 * is decided by the policy of the frame.
 */
export function namesRemoteImages(html: string): boolean {
  const { tags, isWhole } = examine(html)
  for (const tag of tags) {
    if (tag.css !== '' && namesRemoteUrl(tag.css)) return true
    // Every remote address has these, and most tags have none.
    if (!tag.attributes.includes('//')) continue
    for (const [name, value] of attributesOf(tag)) {
      if (ATTRIBUTES.has(name) && ELEMENTS.has(tag.name) && REMOTE.test(value)) return true
      if (name === 'style' && namesRemoteUrl(value)) return true
    }
  }
  return !isWhole
}

function namesRemoteUrl(css: string): boolean {
  const text = css.toLowerCase()
  for (let at = text.indexOf('url('); at !== -1; at = text.indexOf('url(', at + 4)) {
    if (REMOTE_URL.test(text.slice(at + 4, at + 4 + URL_CHARACTERS))) return true
  }
  return false
}
