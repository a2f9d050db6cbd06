import { attributesOf, examine, type Tag } from '../lib/html-tags.ts'

/** Where a style or a `meta` speaks of dark colours, and how far its value is read. */
const SCHEME = 'color-scheme'
const VALUE_CHARACTERS = 200
const DARK_SCHEME = /^\s{0,20}:[^;}]*\bdark\b/
const COLOURED_TAGS = new Set(['font', 'img'])
const COLOUR_ATTRIBUTES = new Set(['bgcolor', 'background', 'color'])
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
    if (tag.attributes === '' && tag.css === '') {
      isColoured ||= COLOURED_TAGS.has(tag.name)
      continue
    }
    const styles = [tag.css, ...stylesOf(tag)].map((css) => css.toLowerCase())
    if (isDarkMeta(tag) || styles.some(declaresDark)) return 'declared'
    isColoured ||= isColouredTag(tag) || styles.some((css) => COLOURED.test(css))
  }
  return isColoured ? 'none' : 'plain'
}

function stylesOf(tag: Tag): string[] {
  return [...attributesOf(tag)].flatMap(([name, value]) => (name === 'style' ? [value] : []))
}

function isDarkMeta(tag: Tag): boolean {
  if (tag.name !== 'meta') return false
  return [...attributesOf(tag)].some(
    ([name, value]) => name === 'name' && /^(?:supported-)?color-schemes?$/i.test(value.trim()),
  )
}

function isColouredTag(tag: Tag): boolean {
  if (COLOURED_TAGS.has(tag.name)) return true
  return [...attributesOf(tag)].some(([name]) => COLOUR_ATTRIBUTES.has(name))
}

/** @param css in lower case */
function declaresDark(css: string): boolean {
  for (let at = css.indexOf(SCHEME); at !== -1; at = css.indexOf(SCHEME, at + SCHEME.length)) {
    const from = at + SCHEME.length
    if (DARK_SCHEME.test(css.slice(from, from + VALUE_CHARACTERS))) return true
  }
  return false
}
