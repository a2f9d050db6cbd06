import type { HeaderContext } from './encoded-words.ts'
import { firstField } from './headers.ts'
import { parseParameters } from './parameters.ts'
import type { Leaf } from './pieces.ts'

/** How a part is to be shown (RFC 2183). */
export interface Disposition {
  /** An unknown kind counts as attachment (section 2.8). */
  kind: 'inline' | 'attachment' | undefined
  filename: string | undefined
}

export function dispositionOf({ fields, media }: Leaf, context: HeaderContext): Disposition {
  const field = firstField(fields, 'content-disposition')
  const name = media.parameters.get('name')
  if (field === undefined) return { kind: undefined, filename: name }
  const { value, parameters } = parseParameters(field, context)
  const kind = value.toLowerCase()
  return {
    // A value that is no word, as an encoded one, says nothing.
    kind: !/^[\w-]+$/.test(kind) ? undefined : kind === 'inline' ? 'inline' : 'attachment',
    filename: parameters.get('filename') ?? name,
  }
}

/**
 * Whether a part is text of the mail and no attachment (RFC 8621, section 4.1.4): text/plain or
 * text/html that has no name, or is the first of its parts. Also text: a named text in a
 * multipart/alternative, as Thunderbird shows it, and a message that consists of text of another
 * subtype (RFC 2046, section 4.1.4).
 */
export function isBody({ fields, media, parent, isRoot }: Leaf, { kind, filename }: Disposition): boolean {
  if (kind === 'attachment') return false
  const isNamed = filename !== undefined && filename.trim() !== ''
  // A file whose type cannot be read is no text.
  if (
    isNamed &&
    !media.isDeclared &&
    parent !== undefined &&
    firstField(fields, 'content-type') !== undefined
  )
    return false
  if (media.type !== 'text/plain' && media.type !== 'text/html')
    return parent === undefined && media.type.startsWith('text/') && !isNamed
  return isRoot || parent === 'multipart/alternative' || (parent !== 'multipart/related' && !isNamed)
}
