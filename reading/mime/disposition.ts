import type { Field } from './header-block.ts'
import { unfolded } from './headers.ts'
import { parametersOf } from './parameters.ts'
import type { Leaf } from './structure.ts'

/** How a part is to be shown (RFC 2183). */
export interface Disposition {
  /** An unknown one counts as attachment (section 2.8). */
  kind: 'inline' | 'attachment' | undefined
  filename: string | undefined
}

export function dispositionOf({
  fields,
  media,
}: {
  fields: readonly Field[]
  media: Leaf['media']
}): Disposition {
  const line = fields.find(({ key }) => key === 'content-disposition')?.line
  const name = media.parameters.get('name')
  if (line === undefined) return { kind: undefined, filename: name }
  const { value, parameters } = parametersOf(unfolded(line))
  const said = value.toLowerCase()
  return {
    kind: said === '' ? undefined : said === 'inline' ? 'inline' : 'attachment',
    filename: parameters.get('filename') ?? name,
  }
}

/**
 * Whether a part is text of the mail and no attachment (RFC 8621, section 4.1.4): text/plain or text/html, that
 * has no name unless it is the first of its parts. Beyond that, a named text in a multipart/alternative is text, as
 * Thunderbird shows it, and a message that is nothing but text of another subtype is text (RFC 2046, 4.1.4).
 */
export function isBody({ media, parent, index }: Leaf, { kind, filename }: Disposition): boolean {
  if (kind === 'attachment') return false
  const isNamed = filename !== undefined && filename !== ''
  if (media.type !== 'text/plain' && media.type !== 'text/html')
    return parent === undefined && media.type.startsWith('text/') && !isNamed
  return index === 0 || parent === 'multipart/alternative' || (parent !== 'multipart/related' && !isNamed)
}
