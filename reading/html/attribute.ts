import { decodeHTMLAttribute } from 'entities'

/** Finds an attribute of this name, or of one of these, in a tag. */
export function attributePattern(name: string): RegExp {
  return new RegExp(`(?<![\\w-])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i')
}

/** The value, or null where the tag has none. */
export function attribute(tag: string, pattern: RegExp): string | null {
  const found = pattern.exec(tag)
  return found === null ? null : decodeHTMLAttribute(found[1] ?? found[2] ?? found[3]!)
}

export const HREF = attributePattern('href')
