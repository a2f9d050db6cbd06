import { decodeHTMLAttribute } from 'entities'

/**
 * Returns a pattern that finds an attribute in a tag. The name may be a pattern with alternatives.
 */
export function attributePattern(name: string): RegExp {
  return new RegExp(`(?<![\\w-])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i')
}

/** Returns the decoded value of an attribute; null if the tag does not have it. */
export function attribute(tag: string, pattern: RegExp): string | null {
  const found = pattern.exec(tag)
  return found === null ? null : decodeHTMLAttribute(found[1] ?? found[2] ?? found[3] ?? '')
}

export const HREF = attributePattern('href')
