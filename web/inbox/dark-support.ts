import { attributesOf, examine, type Tag } from '../lib/html-tags.ts'

/** Where a style or a `meta` speaks of dark colours, and how far its value is read. */
const SCHEME = 'color-scheme'
const VALUE_CHARACTERS = 200
const DARK_SCHEME = /^\s{0,20}:[^;}]*\bdark\b/
const COLOURED_TAGS = new Set(['font', 'img'])
const COLOUR_ATTRIBUTES = new Set(['bgcolor', 'background', 'color'])
/** What the names and values of these attributes have, and those of `style` and of a `meta` about colours. */
const MAY_COUNT = /style|color|background/i
const SCHEME_NAME = /^(?:supported-)?color-schemes?$/i
const COLOURED = /\b(?:background(?:-color)?|color)\s{0,20}:/

/** Whether an email is shown in dark colours: on a dark page, if it can be. */
export function isShownDark(isPageDark: boolean, html: string): boolean {
  return isPageDark && darkSupport(html) !== 'none'
}

/**
 * Whether an email can be shown in dark colours: `declared` if it has a dark version, `plain` if it sets no colours
 * at all, `none` if it is made for white paper or its HTML is too long to examine.
 */
export function darkSupport(html: string): 'declared' | 'plain' | 'none' {
  const { tags, isWhole } = examine(html)
  let isColoured = !isWhole
  for (const tag of tags) {
    const found = darkSupportOf(tag)
    if (found === 'declared') return found
    isColoured ||= found === 'none'
  }
  return isColoured ? 'none' : 'plain'
}

/** What one tag says. Its attributes are read once: an email may have 50,000 tags. */
function darkSupportOf(tag: Tag): 'declared' | 'plain' | 'none' {
  let isColoured = COLOURED_TAGS.has(tag.name)
  const styles = tag.css === '' ? [] : [tag.css]
  // Most tags have no such attribute.
  if (MAY_COUNT.test(tag.attributes)) {
    for (const [name, value] of attributesOf(tag)) {
      if (tag.name === 'meta' && name === 'name' && SCHEME_NAME.test(value.trim())) return 'declared'
      if (name === 'style') styles.push(value)
      isColoured ||= COLOUR_ATTRIBUTES.has(name)
    }
  }
  for (const style of styles) {
    const css = style.toLowerCase()
    if (declaresDark(css)) return 'declared'
    isColoured ||= COLOURED.test(css)
  }
  return isColoured ? 'none' : 'plain'
}

/** @param css in lower case */
function declaresDark(css: string): boolean {
  for (let at = css.indexOf(SCHEME); at !== -1; at = css.indexOf(SCHEME, at + SCHEME.length)) {
    const from = at + SCHEME.length
    if (DARK_SCHEME.test(css.slice(from, from + VALUE_CHARACTERS))) return true
  }
  return false
}
